package import Host

/// One connection to a broker, from the look-up of its name to its end.
///
/// MQTT 5 where the broker has it, else 3.1.1, unless the settings say which. Each session is new, and
/// ends with its connection. What comes in has a bound, and so has what waits to be sent.
package actor MQTTConnection {
  package enum Event: Hashable, Sendable {
    case connected(MQTTGrants)
    /// All topics of the ``subscribe(_:)`` of this number are granted.
    case subscribed(Int)
    case message(MQTTMessage)
    /// The broker has acknowledged the publication of this number; one that goes at most once is on its
    /// way. With MQTT 5 the broker may add that its topic has no subscribers.
    case published(Int, hasSubscribers: Bool = true)
    /// The broker drops the publication of this number, mostly by its access list: its own words.
    /// With MQTT 3.1.1 it doesn't say so. Or it refuses a topic of ``trySubscribing(_:)``.
    case refused(Int, String)
  }

  /// The greatest length of an incoming packet, in bytes.
  private static let longest = 65_536
  /// How many publications may wait for the broker's answers.
  private static let mostPublications = 64
  private static let timeToLeave = Duration.seconds(1)

  nonisolated let executor: LoopExecutor
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  let broker: BrokerSettings
  private let name: String
  private let will: MQTTMessage?
  private let keepalive: Int
  let timeToAnswer: Duration
  let chooser: AddressChooser
  let memory: BrokerMemory
  private var attempt: Attempt?
  private var attempts = 0
  private(set) var hasAnswered = false
  /// Whether the broker has said nothing to the first packet.
  private(set) var isUnanswered = false
  /// What the broker is known to grant.
  private var grants = MQTTGrants()

  /// - Parameters:
  ///   - client: the client's name, which no other of this broker may have.
  ///   - will: what the broker publishes when the connection ends without a farewell.
  ///   - keepalive: in seconds, at least 5. After so long without a word comes a ping; if it has no
  ///     answer for as long again, the connection ends. The broker waits one and a half times as long.
  ///   - timeToAnswer: for TLS, and again for the broker's first answer; where two versions of MQTT are
  ///     tried, half of it for each one's answer.
  ///   - memory: of the connections to this broker.
  ///   - executor: whose thread this runs on, and the handler.
  package init(
    to broker: BrokerSettings,
    client: String,
    will: MQTTMessage? = nil,
    keepalive: Int = 15,
    timeToAnswer: Duration = .seconds(10),
    chooser: AddressChooser = AddressChooser(),
    memory: BrokerMemory = BrokerMemory(),
    on executor: LoopExecutor
  ) {
    self.broker = broker
    name = client
    self.will = will
    self.keepalive = keepalive
    self.timeToAnswer = timeToAnswer
    self.chooser = chooser
    self.memory = memory
    self.executor = executor
  }

  /// A connection of a short life, under a name that no other client has.
  package init(
    visiting broker: BrokerSettings,
    for purpose: String,
    will: MQTTMessage? = nil,
    memory: BrokerMemory = BrokerMemory(),
    on executor: LoopExecutor
  ) {
    let name = String(UInt32.random(in: .min ... .max), radix: 16)
    self.init(
      to: broker,
      client: "ballmachine-\(purpose)-\(name)",
      will: will,
      memory: memory,
      on: executor
    )
  }

  /// Connects with one version of MQTT, and lasts until the connection ends or the task is cancelled.
  func run(
    _ version: MQTTVersion,
    _ address: String,
    _ patience: Duration,
    _ handle: @escaping @Sendable (Event) -> Void
  ) async throws(MQTTFailure) {
    // Each round asks for less.
    while let granted = try await runOnce(version, address, patience, handle) { grants = granted }
  }

  /// - Returns: what the broker grants, if it refuses a will that asks for more; otherwise nil.
  private func runOnce(
    _ version: MQTTVersion,
    _ address: String,
    _ patience: Duration,
    _ handle: @escaping @Sendable (Event) -> Void
  ) async throws(MQTTFailure) -> MQTTGrants? {
    isUnanswered = false
    hasAnswered = false
    guard let client = try await connect(version, address) else { return nil }
    let attempt = Attempt(client, version, patience, keepalive: .seconds(keepalive), handle)
    self.attempt = attempt
    attempts += 1
    defer { self.attempt = nil }
    // libmosquitto calls within its functions, on this thread.
    client.handle = { [weak self] event in self?.assumeIsolated { $0.receive(event) } }
    attempt.watch = executor.watch(client.socket) { [weak self] in
      self?.assumeIsolated { $0.turn() }
    }
    attempt.watch?.setWriting(true)
    // For TLS.
    after(timeToAnswer) { if $0.attempt?.isReady == false { $0.expire() } }
    let end = attempt.end
    do {
      try await withTaskCancellationHandler {
        try await end.wait()
      } onCancel: {
        executor.perform { self.assumeIsolated { $0.leave() } }
      }
      return nil
    } catch let refusal as RefusedWill {
      return refusal.grants
    } catch {
      throw error as? MQTTFailure ?? MQTTFailure(.system, "\(error)")
    }
  }

  /// On a thread of its own, which stays behind if it hangs.
  ///
  /// - Returns: nil when the task is cancelled.
  private func connect(
    _ version: MQTTVersion,
    _ address: String
  ) async throws(MQTTFailure) -> MosquittoClient? {
    try await bounded { [broker, name, will, grants, keepalive] in
      try await WaitingThread.value {
        Result { () throws(MQTTFailure) in
          try MosquittoClient(
            connectingTo: broker,
            at: address,
            as: name,
            will: will,
            within: grants,
            version: version,
            keepalive: keepalive,
            longest: Self.longest
          )
        }
      }.get()
    }
  }

  /// Sends a message once it can, as surely as it asks for and the broker grants. One that is too
  /// long for the broker ends the connection: see ``MQTTGrants/takes(_:)``.
  ///
  /// - Returns: its number, as ``Event/published(_:)`` has it; nil without a connection, or while too
  ///   many wait for the broker.
  package func publish(_ message: MQTTMessage) -> Int? {
    guard let attempt, attempt.isOpen, attempt.unacknowledged < Self.mostPublications else {
      return nil
    }
    return attempt.use { client throws(MQTTFailure) in
      guard grants.takes(message) else {
        let text = "and \(message.topic) has \(message.payload.count), and its header"
        throw MQTTFailure(.forbidden, "the broker takes \(grants.longest ?? 0) bytes, \(text)")
      }
      let number = try client.publish(message, within: grants)
      attempt.unacknowledged += 1
      attempt.watch?.setWriting(true)
      return number
    }
  }

  /// A refused topic ends the connection with ``MQTTFailure/Code/forbidden``.
  ///
  /// - Returns: its number, as ``Event/subscribed(_:)`` has it; nil without a connection.
  @discardableResult
  package func subscribe(_ topics: [String]) -> Int? { request(topics) }

  /// Goes on if a topic is refused.
  ///
  /// - Returns: its number, as ``Event/subscribed(_:)`` or ``Event/refused(_:_:)`` has it; nil without a
  ///   connection.
  @discardableResult
  package func trySubscribing(_ topics: [String]) -> Int? {
    let number = request(topics)
    if let number { attempt?.dispensable.insert(number) }
    return number
  }

  /// Without a connection this does nothing.
  package func unsubscribe(_ topic: String) {
    guard let attempt, attempt.isOpen else { return }
    attempt.use { client throws(MQTTFailure) in
      try client.unsubscribe(topic)
      attempt.watch?.setWriting(true)
    }
  }

  private func request(_ topics: [String]) -> Int? {
    guard let attempt, attempt.isOpen, !topics.isEmpty else { return nil }
    return attempt.use { client throws(MQTTFailure) in
      let number = try client.subscribe(topics)
      attempt.subscriptions[number] = topics
      attempt.watch?.setWriting(true)
      return number
    }
  }

  /// Ends without a farewell: the broker publishes the will. Without a connection this does nothing.
  package func cut(_ reason: String) { attempt?.finish(.lost, reason) }

  // MARK: On the loop

  /// Lets libmosquitto do what it can do now.
  private func turn() {
    guard let attempt, attempt.watch != nil else { return }
    attempt.use { client throws(MQTTFailure) in try exchange(with: client) }
  }

  private func exchange(with client: MosquittoClient) throws(MQTTFailure) {
    guard let attempt else { return }
    // A broker that takes nothing gets no more answers: they would pile up.
    if !client.wantsToWrite || !hasAnswered {
      try client.read()
      let received = client.received
      if received > attempt.received { attempt.lastIn = .now }
      attempt.received = received
      guard received - attempt.receivedBefore <= Self.longest else {
        throw MQTTFailure(.strange, "the broker sends more than \(Self.longest) bytes at once")
      }
    }
    if client.wantsToWrite {
      try client.write()
      if !client.wantsToWrite { attempt.lastOut = .now }
    }
    guard client.socket >= 0 else {
      throw MQTTFailure(.lost, "the broker has ended the connection")
    }
    if !attempt.isReady, client.isReady {
      attempt.isReady = true
      after(attempt.patience) { $0.expire() }
    }
    attempt.watch?.setWriting(client.wantsToWrite)
  }

  private func receive(_ event: MosquittoClient.Event) {
    guard let attempt else { return }
    attempt.receivedBefore = attempt.client.received
    switch event {
    case .answered(let refusal, let granted):
      if hasAnswered { return attempt.finish(.strange, "the broker has answered twice") }
      if let refusal {
        let rest = grants.limited(by: granted)
        return attempt.finish(rest == grants ? refusal : RefusedWill(grants: rest))
      }
      hasAnswered = true
      memory.connected(attempt.version, hasOldName: attempt.client.hasOldName)
      attempt.isOpen = true
      grants = granted
      if let seconds = granted.keepalive {
        attempt.keepalive = min(attempt.keepalive, .seconds(seconds))
      }
      after(attempt.keepalive) { $0.tend() }
      attempt.handle(.connected(granted))
    case .ended(let failure): attempt.finish(failure)
    case .message(let message): attempt.handle(.message(message))
    case .published(let number, let hasSubscribers, let refusal):
      attempt.unacknowledged -= 1
      attempt.handle(
        refusal.map { .refused(number, $0) } ?? .published(number, hasSubscribers: hasSubscribers)
      )
    case .subscribed(let number, let refusals):
      guard let topics = attempt.subscriptions.removeValue(forKey: number),
        topics.count == refusals.count
      else { return attempt.finish(.strange, "the broker answers what it was not asked") }
      let isDispensable = attempt.dispensable.remove(number) != nil
      for case (let topic, let refusal?) in zip(topics, refusals) {
        if isDispensable { return attempt.handle(.refused(number, refusal)) }
        let text = "the broker does not let this box subscribe to \(topic): \(refusal)"
        return attempt.finish(.forbidden, text)
      }
      attempt.handle(.subscribed(number))
    }
  }

  private func expire() {
    guard let attempt, !hasAnswered else { return }
    isUnanswered = attempt.isReady
    attempt.finish(silence(.silent, "does not answer", after: timeToAnswer))
  }

  /// libmosquitto has no timer. When it is asked, it pings after a keepalive in which nothing came or
  /// nothing went; if a ping has had no answer for a keepalive, the connection has ended. So it needs
  /// no call before. It counts in whole seconds of the monotonic clock.
  private func tend() {
    guard let attempt, attempt.watch != nil else { return }
    if min(attempt.lastIn, attempt.lastOut) + attempt.keepalive <= .now {
      attempt.use { client throws(MQTTFailure) in try client.tend() }
      attempt.lastIn = .now
      attempt.lastOut = .now
      attempt.receivedBefore = attempt.received
      turn()
    }
    let due = min(attempt.lastIn, attempt.lastOut) + attempt.keepalive
    after(ContinuousClock.now.duration(to: due)) { $0.tend() }
  }

  private func leave() {
    guard let attempt, !attempt.isLeaving else { return }
    attempt.isLeaving = true
    guard attempt.isOpen else { return attempt.finish(.lost, "cancelled") }
    attempt.isOpen = false
    attempt.client.farewell()
    after(Self.timeToLeave) { $0.attempt?.finish(.lost, "cancelled") }
    turn()
  }

  /// Unless the attempt is over by then.
  private func after(
    _ delay: Duration,
    _ body: @escaping @Sendable (isolated MQTTConnection) -> Void
  ) {
    executor.perform(after: delay) { [weak self, attempts] in
      self?.assumeIsolated { if $0.attempts == attempts { body($0) } }
    }
  }
}
