import Host
import JSON

/// The requests of a client that wait for their answers.
final class ControlConversation: Sendable {
  typealias Answer = Result<JSONValue, ControlClientError>

  private struct State: Sendable {
    var lastID = 0
    var waiting: [Int: Handover<Answer>] = [:]
    var end: ControlClientError?
  }

  private let state = Locked(State())
  private let notifications: EventBuffer<ControlClient.Notification>

  init(notifications: EventBuffer<ControlClient.Notification>) {
    self.notifications = notifications
  }

  /// Begins a request: gives it a number, and a place for its answer.
  ///
  /// - Throws: why the conversation has ended.
  func begin() throws(ControlClientError) -> (id: Int, answer: Handover<Answer>) {
    let answer = Handover<Answer>()
    let id: Result<Int, ControlClientError> = state.withLock { state in
      if let end = state.end { return .failure(end) }
      state.lastID += 1
      state.waiting[state.lastID] = answer
      return .success(state.lastID)
    }
    return (try id.get(), answer)
  }

  /// The first answer counts.
  func finish(_ id: Int, _ answer: Answer) {
    state.withLock { $0.waiting.removeValue(forKey: id) }?.give(answer)
  }

  func receive(_ line: [UInt8]) {
    guard let message = try? JSONValue(text: line) else { return }
    switch message["method"]?.string {
    case "event":
      guard let record = message["params"] else { return }
      notifications.append(.event(record), EventKind(event: record["event"]?.string))
    case "dropped": notifications.miss(message["params"]?["count"]?.integer ?? 0)
    default:
      guard let id = message["id"]?.integer, let answer = Answer(answer: message) else { return }
      finish(id, answer)
    }
  }

  func end(_ error: ControlClientError) {
    let waiting = state.withLock { state in
      state.end = error
      defer { state.waiting = [:] }
      return state.waiting
    }
    for answer in waiting.values { answer.give(.failure(error)) }
    notifications.finish()
  }
}
