package import ControlProtocol
import Host
import JSON

/// Stops a court's machine over the broker.
package struct CourtStop: Sendable {
  /// What came of it.
  package enum Outcome: Hashable, Sendable {
    case answered(StopRecord)
    /// The broker says that the court's box is not connected.
    case offline
    /// The broker shows no such court: there is none, or this user may not read it. Its box may have the stop.
    case unseen
    /// The broker says that the court's topic `stop` has no subscribers.
    case unheard
    /// The court may have it.
    case silent
    case lost(MQTTFailure)
    /// The broker has dropped it; in its words.
    case refused(String)
  }

  private struct State: Sendable {
    /// Nil: the broker has said nothing.
    var isOnline: Bool?
    /// Whether the broker keeps what a court says.
    var isKept = true
    var isSent = false
    /// Whether the broker has it.
    var isPublished = false
  }

  /// The bridge tries a stop for some seconds; the network takes its time, too.
  package static let timeout = Duration.seconds(15)
  /// A court's availability comes at once, if there is such a court.
  package static let timeOfStranger = Duration.seconds(5)

  private let broker: BrokerSettings
  private let court: String
  private let executor = LoopExecutor.ofProgram()

  package init(_ court: String, at broker: BrokerSettings) {
    self.court = court
    self.broker = broker
  }

  /// - Parameter send: called right before the stop is sent.
  /// - Throws: ``MQTTFailure`` if nothing was sent, and `CancellationError`.
  package func perform(
    within timeout: Duration = timeout,
    timeOfStranger: Duration = timeOfStranger,
    send: @escaping @Sendable () -> Void = {}
  ) async throws -> Outcome {
    let state = Locked(State())
    do {
      return try await firstAnswer(atMost: timeout) { answer in
        try await connect(state, answer, timeOfStranger, send)
      }
    } catch is TimeoutError {
      return .silent
    } catch let failure as MQTTFailure where state.withLock(\.isSent) {
      return .lost(failure)
    }
  }

  private func connect(
    _ state: Locked<State>,
    _ answer: FirstAnswer<Outcome>,
    _ timeOfStranger: Duration,
    _ send: @escaping @Sendable () -> Void
  ) async throws(MQTTFailure) {
    let connection = MQTTConnection(visiting: broker, for: "stop", on: executor)
    // The court repeats it with the outcome: another one's stop may have another outcome.
    let payload = "stop \(UInt64.random(in: 0...(.max)))"
    let topics = [CourtTopic.outcome, .availability].map { $0.path(of: court) }
    try await connection.run { event in
      switch event {
      case .connected(let grants):
        // The stop waits for nothing; the broker takes both in this order.
        let stop = MQTTMessage(CourtTopic.stop.path(of: court), Array(payload.utf8))
        state.withLock { ($0.isSent, $0.isKept) = (true, grants.keepsMessages) }
        send()
        connection.assumeIsolated {
          $0.subscribe(topics)
          _ = $0.publish(stop)
        }
      case .subscribed: break
      case .refused(_, let words): answer.give(.success(.refused(words)))
      case .published(_, hasSubscribers: false): answer.give(.success(.unheard))
      case .published:
        state.withLock { $0.isPublished = true }
        executor.perform(after: timeOfStranger) {
          if state.withLock({ $0.isKept && $0.isOnline == nil }) { answer.give(.success(.unseen)) }
        }
      case .message(let message):
        switch CourtTopic.parse(message.topic)?.topic {
        case .availability:
          // One that can't be read says nothing.
          if let said = CourtAvailability(payload: message.payload) {
            state.withLock { $0.isOnline = said == .online }
          }
        case .outcome where !message.isRetained:
          if let record = Self.record(message.payload, of: payload) {
            answer.give(.success(.answered(record)))
          }
        default: break
        }
      }
      let isOffline = state.withLock { $0.isPublished && $0.isOnline == false }
      if isOffline { answer.give(.success(.offline)) }
    }
  }

  /// The longest payload that a court repeats, in bytes.
  private static let longestText = 32

  /// What a court repeats of a stop; nil: nothing.
  static func text(of payload: [UInt8]) -> String? {
    guard payload.count <= longestText, payload.allSatisfy({ (32..<127).contains($0) }) else {
      return nil
    }
    return String(decoding: payload, as: UTF8.self)
  }

  /// - Returns: nil if it is none, or another stop's.
  private static func record(_ payload: [UInt8], of stop: String) -> StopRecord? {
    guard let value = try? JSONValue(text: payload, deepest: 4, most: 64),
      let outcome = value["outcome"]?.string
    else { return nil }
    // A court of an earlier version says none.
    if case .array(let stops)? = value["stops"], !stops.contains(.string(stop)) { return nil }
    return StopRecord(outcome: outcome, reason: (value["reason"]?.string ?? outcome).printable)
  }
}
