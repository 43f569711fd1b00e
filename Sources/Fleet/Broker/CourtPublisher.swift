import Clocks
package import Host

/// Puts one court on a broker, for ever, and takes its stops.
///
/// Before it publishes it looks whose court it is, and asks: a box that finds another one's ID publishes
/// nothing.
package actor CourtPublisher {
  /// How long an owner may take to answer a question.
  static let patience = Duration.seconds(1)
  /// How long another box, whose court it was, may take to come back to a broker that has lost that: its
  /// back-off is at most 90 s if the broker has refused it before, and a connection takes at most 30 s.
  package static let timeToReturn = Duration.seconds(120)
  /// How long the end may take.
  static let farewell = Duration.seconds(1)
  /// After so many ``cuts`` the court does without what it can do without.
  private static let mostCuts = 2
  /// The longest stop, in bytes.
  private static let longestStop = 256

  /// What comes from the broker for the court.
  package enum Request: Hashable, Sendable {
    case stop([UInt8])
    case picture
  }

  private nonisolated let executor: LoopExecutor
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private let broker: BrokerSettings
  private let memory = BrokerMemory()
  /// The court's name in the topics.
  let court: String
  /// What Home Assistant is to show; nil: nothing.
  private let device: HomeAssistantDevice?
  let timeToReturn: Duration
  let report: @Sendable (News) -> Void
  /// Whether pictures may be asked for.
  private let takesPictures: Bool
  private var take: (@Sendable (Request) -> Void)?

  var claim: CourtClaim
  var index: IndexedCourt
  var messages = NewestMessages()
  var connection: MQTTConnection?
  var hasWill = false
  var running: Task<MQTTFailure?, Never>?
  /// Whether this connection has shown that the court is this box's.
  var isOpen = false
  /// When the broker has answered this connection.
  private var answered: ContinuousClock.Instant?
  /// This connection's questions that the broker has not answered.
  private var requests: [Int: Subscription] = [:]
  /// Publications of this connection beside ``messages``.
  var notices: [Int: Notice] = [:]
  var grants = MQTTGrants()
  var wildcards = Wildcards.unknown
  /// How many connections in a row the broker has let in and ended before they lasted.
  private var cuts = 0
  private(set) var isLeaving = false
  private var ignored = 0
  /// The newest one: the broker doesn't keep it, so each connection repeats it.
  private var player: MQTTMessage?

  /// What this subscribes to, and why.
  enum Subscription: Hashable {
    case box, availability, stop, birth, picture, wildcard, index
  }

  /// - Parameters:
  ///   - box: this box's ID.
  ///   - former: whose court it was when this program ran last.
  ///   - version: of this program.
  ///   - timeToReturn: as ``timeToReturn``.
  ///   - report: called on the executor's thread.
  package init(
    _ settings: FleetSettings,
    box: String,
    former: FormerOwner = .unknown,
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
    claim = CourtClaim(box: box, former: former)
    index = IndexedCourt(court)
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
      let hasLasted = backOff.ended(after: answered?.duration(to: .now))
      if hasLasted { (switches, cuts) = (0, 0) }
      if let failure {
        let isCut = [.lost, .strange, .refused, .forbidden].contains(failure.code)
        if isCut, answered != nil, !hasLasted { cuts += 1 }
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
    hasWill = claim.former == .this
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
    (requests, notices, wildcards) = ([:], [:], .unknown)
    index = IndexedCourt(court)
    messages.restart(without: path(.availability))
    return end
  }

  /// Whether this connection does without all that a broker may end it for: the stop matters more.
  var isPlain: Bool { cuts >= Self.mostCuts }

  private func receive(_ event: MQTTConnection.Event) {
    switch event {
    case .connected(let grants):
      answered = .now
      self.grants = grants
      request(.box)
    case .subscribed(let number):
      if let request = requests.removeValue(forKey: number) { granted(request) }
    case .message(let message): receive(message)
    case .published(let number, _):
      if let notice = notices.removeValue(forKey: number) { return arrived(notice) }
      if messages.arrived(number) == path(.box) { testWildcards() }
      send()
    case .refused(let number, let reason):
      if let request = requests.removeValue(forKey: number) { return refused(request, reason) }
      if let notice = notices.removeValue(forKey: number) {
        // Who may not claim a court has it all the same.
        report(.forbidden(topic: topic(of: notice), reason))
        return arrived(notice)
      }
      if let topic = messages.arrived(number) { report(.forbidden(topic: topic, reason)) }
      send()
    }
  }

  private func receive(_ message: MQTTMessage) {
    switch message.topic {
    case path(.box):
      if message.isRetained, wildcards == .asked { wildcards = .work }
      perform(claim.receive(message.payload, isKept: message.isRetained))
    case path(.availability):
      if !message.isRetained { claim.receive(removal: message.payload.isEmpty) }
      // The will of an earlier connection, the farewell of the box before this one, or what says nothing.
      guard isOpen, !isLeaving, message.payload != CourtAvailability.online.payload,
        !message.isRetained
      else { return }
      messages.repeatMessage(of: message.topic)
      send()
    case path(.stop): takeStop(message)
    // A retained request is of an earlier time.
    case path(.pictureRequest) where !message.isRetained: take?(.picture)
    case CourtIndex.topic: receiveIndex(message.payload)
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

  // MARK: Subscriptions

  func request(_ request: Subscription) {
    let topic: String? =
      switch request {
      case .box: path(.box)
      case .availability: path(.availability)
      case .stop: path(.stop)
      case .birth: device?.birthTopic
      case .picture: takesPictures ? path(.pictureRequest) : nil
      case .wildcard: wildcard
      case .index: CourtIndex.topic
      }
    guard let topic, let connection else { return }
    // What is a convenience must not cost the stop: its refusal is no reason to end, and a broker may end
    // the connection for it, as RabbitMQ does.
    let isNeeded = request == .box || request == .stop
    guard isNeeded || request == .availability || !isPlain else { return }
    let number = connection.assumeIsolated {
      isNeeded ? $0.subscribe([topic]) : $0.trySubscribing([topic])
    }
    if let number { requests[number] = request }
  }

  private func granted(_ request: Subscription) {
    switch request {
    // A broker answers in order: what it keeps has come before a second answer.
    case .box: self.request(.availability)
    case .availability: perform(claim.isComplete())
    case .stop:
      guard !isLeaving else { return }
      if let player { messages.set(player) }
      // Only now a stop would come through.
      messages.set(availability(.online))
      send()
      self.request(.birth)
      self.request(.picture)
    case .wildcard: awaitWildcards()
    case .index: awaitIndex()
    case .birth, .picture: break
    }
  }

  private func refused(_ request: Subscription, _ reason: String) {
    switch request {
    case .availability: perform(claim.isComplete())
    case .birth: if let topic = device?.birthTopic { report(.forbidden(topic: topic, reason)) }
    case .picture: report(.forbidden(topic: path(.pictureRequest), reason))
    case .wildcard: wildcards = .unknown
    case .index: report(.forbidden(topic: CourtIndex.topic, reason))
    case .box, .stop: break
    }
  }

  // MARK: Sending

  func send() {
    guard isOpen, let connection else { return }
    while let newest = messages.next {
      guard let message = cut(newest) else {
        messages.skip(newest.topic)
        continue
      }
      guard let number = connection.assumeIsolated({ $0.publish(message) }) else { return }
      messages.sent(message.topic, as: number)
    }
    if isLeaving, messages.isDone { running?.cancel() }
  }

  /// - Returns: the message as the broker's packets have room for it; nil: they have none.
  private func cut(_ message: MQTTMessage) -> MQTTMessage? {
    guard !isPlain || message.topic != device?.topic else { return nil }
    guard !grants.takes(message), let room = grants.room(on: message.topic) else {
      return message
    }
    let topic = CourtTopic.parse(message.topic)?.topic
    let isRecord = topic != nil && topic != .availability && topic != .box
    let members = topic?.leastMembers ?? []
    let payload =
      isRecord ? CourtPayload.cut(message.payload, toBytes: room, leavingOut: members) : nil
    tooLong(message, isCut: payload != nil)
    return payload.map {
      var short = message
      short.payload = $0
      return short
    }
  }

  func tooLong(_ message: MQTTMessage, isCut: Bool) {
    let (bytes, longest) = (message.payload.count, grants.longest ?? 0)
    report(.tooLong(topic: message.topic, bytes: bytes, longest: longest, isCut: isCut))
  }

  private func leave() {
    guard isOpen, connection != nil else {
      running?.cancel()
      return
    }
    isLeaving = true
    messages.set(availability(.offline))
    send()
    // Without a farewell: then the broker publishes the will.
    after(Self.farewell) { publisher in
      publisher.connection?.assumeIsolated { $0.cut("the broker did not take the farewell") }
    }
  }

  /// Unless the connection is over by then.
  func after(
    _ delay: Duration,
    _ body: @escaping @Sendable (isolated CourtPublisher) -> Void
  ) {
    executor.perform(after: delay) { [weak self, weak connection] in
      self?.assumeIsolated { publisher in
        if let connection, publisher.connection === connection { body(publisher) }
      }
    }
  }

  func path(_ topic: CourtTopic) -> String { topic.path(of: court) }

  func message(_ topic: CourtTopic, _ payload: [UInt8]) -> MQTTMessage {
    MQTTMessage(path(topic), payload, isRetained: topic.isRetained, quality: topic.quality)
  }

  func availability(_ availability: CourtAvailability) -> MQTTMessage {
    message(.availability, availability.payload)
  }
}
