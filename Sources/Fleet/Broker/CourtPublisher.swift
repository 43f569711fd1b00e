import Clocks
package import Host

/// Puts one court on a broker, for ever, and takes its stops.
///
/// Before it publishes it looks whose court it is: a box that finds another one's ID publishes nothing.
package actor CourtPublisher {
  /// How long the broker may take to say whose court it is, once it has granted the question.
  private static let patience = Duration.seconds(1)
  /// How long another box, whose court it was, may take to come back to a broker that has lost that: its
  /// back-off is at most 90 s if the broker has refused it before, and a connection takes at most 30 s.
  package static let timeToReturn = Duration.seconds(120)
  /// How long the end may take.
  private static let farewell = Duration.seconds(1)
  /// A connection that lasts so long, from the broker's answer on, was no failure.
  private static let steady = Duration.seconds(10)
  /// The longest stop, in bytes.
  private static let longestStop = 256

  /// What comes from the broker for the court.
  package enum Request: Hashable, Sendable {
    case stop([UInt8])
    case picture
  }

  package enum News: Hashable, Sendable {
    /// The court is this box's.
    case connected
    case failed(MQTTFailure)
    /// The court is another box's.
    case taken(by: String)
    /// The court was another box's, and the broker doesn't know that any more: that one has so long
    /// to come back.
    case waiting(Duration)
    /// The broker takes no messages on this topic from here, or gives none.
    case forbidden(topic: String, String)
    /// A message that asks for a stop was ignored, and how many have been.
    case ignored(String, count: Int)
    /// A picture was asked for: why there is none, or nil for one that was published.
    case picture(String?)
  }

  private nonisolated let executor: LoopExecutor
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private let broker: BrokerSettings
  private let memory = BrokerMemory()
  /// The court's name in the topics.
  private let court: String
  /// What Home Assistant is to show; nil: nothing.
  private let device: HomeAssistantDevice?
  private let timeToReturn: Duration
  private let report: @Sendable (News) -> Void
  /// Whether pictures may be asked for.
  private let takesPictures: Bool
  private var take: (@Sendable (Request) -> Void)?

  private var claim: CourtClaim
  private var messages = NewestMessages()
  private var connection: MQTTConnection?
  private var hasWill = false
  private var running: Task<MQTTFailure?, Never>?
  /// Whether this connection has shown that the court is this box's.
  private var isOpen = false
  /// When the broker has answered this connection.
  private var answered: ContinuousClock.Instant?
  /// How many of this connection's questions the broker has granted.
  private var grants = 0
  /// What was subscribed to beside the stop, by the number of its request.
  private var conveniences: [Int: String] = [:]
  private var isLeaving = false
  private var ignored = 0
  /// The newest one: the broker doesn't keep it, so each connection repeats it.
  private var player: MQTTMessage?

  /// - Parameters:
  ///   - box: this box's ID.
  ///   - wasRefused: whether the court was another box's when this program ran last.
  ///   - version: of this program.
  ///   - timeToReturn: as ``timeToReturn``.
  ///   - report: called on the executor's thread.
  package init(
    _ settings: FleetSettings,
    box: String,
    wasRefused: Bool = false,
    version: String,
    on broker: BrokerSettings,
    timeToReturn: Duration = timeToReturn,
    executor: LoopExecutor = .ofProgram(),
    report: @escaping @Sendable (News) -> Void
  ) {
    court = settings.court ?? ""
    takesPictures = settings.picture
    device = settings.discovery ? HomeAssistantDevice(settings, version: version) : nil
    self.broker = broker
    self.timeToReturn = timeToReturn
    self.executor = executor
    self.report = report
    claim = CourtClaim(box: box, wasRefused: wasRefused)
    if let device { messages.set(MQTTMessage(device.topic, device.payload, isRetained: true)) }
  }

  /// Sets the newest value of a topic. What the broker doesn't keep is lost while it is away.
  package func set(_ topic: CourtTopic, _ payload: [UInt8]) {
    let message = message(topic, payload)
    if topic == .player { player = message }
    guard topic.isRetained || isOpen else { return }
    messages.set(message, isNew: topic.isRetained ? nil : true)
    send()
  }

  /// Publishes until the task is cancelled; then the broker gets `offline`.
  ///
  /// - Parameter take: called on the executor's thread for each request.
  package func run(take: @escaping @Sendable (Request) -> Void) async {
    self.take = take
    var backOff = BrokerBackOff()
    var generator = SystemRandomNumberGenerator()
    var switches = 0
    while !Task.isCancelled {
      let begin = ContinuousClock.now
      let failure = await connectOnce()
      if let answered, answered.duration(to: .now) >= Self.steady {
        backOff.reset()
        switches = 0
      }
      if let failure {
        report(.failed(failure))
      } else {
        // From the look at the court's owner to the publishing; owners that alternate are no reason to
        // connect all the time.
        switches += 1
        if switches == 1 { continue }
      }
      let time = begin.duration(to: .now)
      let wait = backOff.next(after: failure?.code, lasting: time, using: &generator)
      try? await SystemClock().sleep(for: wait)
    }
  }

  // MARK: One connection

  /// - Returns: why it ended; nil if this ended it.
  private func connectOnce() async -> MQTTFailure? {
    claim.reconnect()
    answered = nil
    // Another box's court must not get our `offline`.
    hasWill = claim.owner == .this
    let connection = MQTTConnection(
      to: broker,
      client: "ballmachine-\(court)-\(claim.box.prefix(8))",
      will: hasWill ? availability(.offline) : nil,
      memory: memory,
      on: executor
    )
    self.connection = connection
    let running = OneThread.task { () -> MQTTFailure? in
      do throws(MQTTFailure) {
        try await connection.run { [weak self] event in
          self?.assumeIsolated { publisher in
            if publisher.connection === connection { publisher.receive(event) }
          }
        }
        return nil
      } catch {
        return error
      }
    }
    self.running = running
    if Task.isCancelled { running.cancel() }
    let end = await withTaskCancellationHandler {
      await running.value
    } onCancel: {
      OneThread.task { await self.leave() }
    }
    self.connection = nil
    isOpen = false
    grants = 0
    conveniences = [:]
    messages.restart(without: path(.availability))
    return end
  }

  private func receive(_ event: MQTTConnection.Event) {
    switch event {
    case .connected:
      answered = .now
      subscribe([path(.box)])
    case .subscribed:
      grants += 1
      // The first grant is for `box`; its message may come before it.
      guard grants > 1 else { return waitForOwner() }
      guard grants == 2, !isLeaving else { return }
      if let player { messages.set(player) }
      // Only now a stop would come through.
      messages.set(availability(.online))
      send()
      // What is a convenience must not cost the stop.
      subscribeToConveniences()
    case .message(let message): receive(message)
    case .published(let number, _):
      messages.arrived(number)
      send()
    case .refused(let number, let reason):
      if let topic = conveniences[number] ?? messages.arrived(number) {
        report(.forbidden(topic: topic, reason))
      }
      send()
    }
  }

  private func receive(_ message: MQTTMessage) {
    switch message.topic {
    case path(.box):
      claim.receive(message.payload)
      goOn()
    case path(.stop): takeStop(message)
    // A retained request is of an earlier time.
    case path(.pictureRequest) where !message.isRetained: take?(.picture)
    case device?.birthTopic where message.payload == HomeAssistantDevice.birth:
      if let device { messages.repeatMessage(of: device.topic) }
      send()
    default: break
    }
  }

  private func takeStop(_ message: MQTTMessage) {
    if message.isRetained {
      ignore("it is of an earlier time (retained)")
    } else if message.payload.count > Self.longestStop {
      ignore("it has \(message.payload.count) bytes")
    } else {
      take?(.stop(message.payload))
    }
  }

  private func ignore(_ reason: String) {
    ignored += 1
    report(.ignored(reason, count: ignored))
  }

  /// Does what the court's owner calls for.
  private func goOn() {
    switch claim.owner {
    case .this where !hasWill:
      // The connection has no will yet: make another one.
      running?.cancel()
    case .this where !isOpen:
      isOpen = true
      report(.connected)
      subscribe([path(.stop)])
      messages.set(message(.box, claim.payload))
      send()
    case .this: break
    case .unknown where isOpen:
      // It was removed while we are here, with all else perhaps.
      claim.takeFree()
      messages.repeatAll()
      send()
    case .unknown, .formerOther: waitForOwner()
    case .other(let box):
      report(.taken(by: box))
      if hasWill { running?.cancel() }
    }
  }

  /// Waits for the owner: without one after that, the court is this box's.
  private func waitForOwner() {
    let isOthers = claim.owner == .formerOther
    if isOthers { report(.waiting(timeToReturn)) }
    let patience = isOthers ? timeToReturn : Self.patience
    executor.perform(after: patience) { [weak self, weak connection] in
      self?.assumeIsolated { publisher in
        guard let connection, publisher.connection === connection, !publisher.isOpen else { return }
        publisher.claim.takeFree()
        publisher.goOn()
      }
    }
  }

  private func subscribe(_ topics: [String]) {
    guard let connection else { return }
    connection.assumeIsolated { $0.subscribe(topics) }
  }

  private func subscribeToConveniences() {
    guard let connection else { return }
    let topics = [device?.birthTopic, takesPictures ? path(.pictureRequest) : nil]
    for topic in topics.compactMap(\.self) {
      if let number = connection.assumeIsolated({ $0.trySubscribing(topic) }) {
        conveniences[number] = topic
      }
    }
  }

  private func send() {
    guard isOpen, let connection else { return }
    while let message = messages.next {
      guard let number = connection.assumeIsolated({ $0.publish(message) }) else { return }
      messages.sent(message.topic, as: number)
    }
    if isLeaving, messages.isDone { running?.cancel() }
  }

  private func leave() {
    guard isOpen, let connection else {
      running?.cancel()
      return
    }
    isLeaving = true
    messages.set(availability(.offline))
    send()
    // Without a farewell: then the broker publishes the will.
    executor.perform(after: Self.farewell) {
      connection.assumeIsolated { $0.cut("the broker did not take the farewell") }
    }
  }

  private func path(_ topic: CourtTopic) -> String { topic.path(of: court) }

  private func message(_ topic: CourtTopic, _ payload: [UInt8]) -> MQTTMessage {
    MQTTMessage(path(topic), payload, isRetained: topic.isRetained, quality: topic.quality)
  }

  private func availability(_ availability: CourtAvailability) -> MQTTMessage {
    message(.availability, availability.payload)
  }
}
