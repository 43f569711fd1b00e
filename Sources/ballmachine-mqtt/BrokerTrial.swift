import Fleet
import Host

/// Tries what a court needs of its broker, on the topic `ballmachine/COURT/doctor`, which nothing reads: with
/// its longest message, and with the will of a second connection, which is cut. Nothing of it is kept.
struct BrokerTrial {
  enum Outcome: Hashable, Sendable {
    case done, failed
    case untested(since: String)
  }

  struct Result: Sendable {
    var grants = MQTTGrants()
    /// Whether a court's longest message comes back.
    var message = Outcome.untested(since: BrokerTrial.noSecond)
    /// Whether the will is published.
    var will = Outcome.untested(since: BrokerTrial.noSecond)
    /// Whether a subscriber with a wildcard gets what the broker keeps of the court's `box`.
    var hasBox = false
  }

  private static let noSecond = "the broker takes no second connection"
  private static let unfinished = Outcome.untested(since: "the broker takes too long")
  /// How long a message may take, and a will.
  private static let patience = Duration.seconds(2)
  /// How long all of it may take: a broker that is silent on MQTT 5 needs five of these seconds.
  private static let timeout = Duration.seconds(12)

  let broker: BrokerSettings
  let court: String
  let memory: BrokerMemory

  private var topic: String { "\(CourtTopic.root)/\(court)/doctor" }
  private var wildcard: String { CourtTopic.box.wildcard(of: court) }
  private static let lastWords = Array("gone".utf8)

  /// - Throws: `CancellationError` alone.
  func make() async throws -> Result {
    let result = Locked(Result())
    let first = MQTTConnection(visiting: broker, for: "doctor", memory: memory, on: .ofProgram())
    let second = MQTTConnection(
      visiting: broker,
      for: "doctor",
      will: MQTTMessage(topic, Self.lastWords),
      memory: memory,
      on: .ofProgram()
    )
    do {
      try await firstAnswer(atMost: Self.timeout) { answer in
        try await first.run { event in
          first.assumeIsolated { receive(event, $0, second, result, answer) }
        }
      }
    } catch let error as CancellationError {
      throw error
    } catch is MQTTFailure {
      result.withLock { result in
        guard result.message == Self.unfinished else { return }
        result.message = .failed
        result.will = .untested(since: "the broker has ended the connection")
      }
    } catch {
      // What is known by now.
    }
    return result.withLock(\.self)
  }

  private func receive(
    _ event: MQTTConnection.Event,
    _ connection: isolated MQTTConnection,
    _ second: MQTTConnection,
    _ result: Locked<Result>,
    _ answer: FirstAnswer<Void>
  ) {
    switch event {
    case .connected(let grants):
      result.withLock { $0.grants = grants }
      connection.trySubscribing([wildcard])
      connection.trySubscribing([topic])
      let room = grants.room(on: topic) ?? CourtPayload.longest
      let long = [UInt8](repeating: 0x2E, count: min(max(0, room), CourtPayload.longest))
      result.withLock { ($0.message, $0.will) = (Self.unfinished, Self.unfinished) }
      _ = connection.publish(MQTTMessage(topic, long))
      let list = "no message on \(topic) comes back, which its access list may forbid"
      after(Self.patience, answer) {
        result.withLock { result in
          guard result.message != .done else { return false }
          result.message = .untested(since: list)
          result.will = .untested(since: "a message to oneself does not come back")
          return true
        }
      }
    case .message(let message) where message.topic == topic:
      guard message.payload != Self.lastWords else {
        result.withLock { $0.will = .done }
        return answer.give(.success(()))
      }
      result.withLock {
        $0.message = .done
        $0.will = .untested(since: Self.noSecond)
      }
      OneThread.task {
        try? await second.run { event in
          guard case .connected = event else { return }
          result.withLock { $0.will = Self.unfinished }
          second.assumeIsolated { $0.cut("its will is tried") }
        }
        after(Self.patience, answer) {
          result.withLock { if $0.will == Self.unfinished { $0.will = .failed } }
          return true
        }
      }
    case .message(let message):
      let isBox = message.topic == CourtTopic.box.path(of: court)
      if isBox, message.isRetained { result.withLock { $0.hasBox = true } }
    case .subscribed, .published, .refused: break
    }
  }

  private func after(
    _ delay: Duration,
    _ answer: FirstAnswer<Void>,
    if isOver: @escaping @Sendable () -> Bool
  ) {
    LoopExecutor.ofProgram().perform(after: delay) { if isOver() { answer.give(.success(())) } }
  }
}
