import Host
import JSON

/// The requests of a client that wait for their answers.
final class ControlConversation: Sendable {
  typealias Answer = Result<JSONValue, ControlClientError>

  private struct State: Sendable {
    var lastID = 0
    var waiting: [Int: CheckedContinuation<Answer, Never>] = [:]
    /// Requests that were answered, as by a cancellation, before they began.
    var finished: [Int: Answer] = [:]
    var end: ControlClientError?
  }

  private let state = Locked(State())
  private let notifications: EventBuffer<ControlClient.Notification>

  init(notifications: EventBuffer<ControlClient.Notification>) {
    self.notifications = notifications
  }

  func nextID() -> Int {
    state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
  }

  /// - Returns: false when the request has its answer already.
  func begin(_ id: Int, _ continuation: CheckedContinuation<Answer, Never>) -> Bool {
    let answer: Answer? = state.withLock { state in
      if let answer = state.finished.removeValue(forKey: id) { return answer }
      if let end = state.end { return .failure(end) }
      state.waiting[id] = continuation
      return nil
    }
    if let answer { continuation.resume(returning: answer) }
    return answer == nil
  }

  /// The first answer counts.
  func finish(_ id: Int, _ answer: Answer) {
    let continuation = state.withLock { state in
      let continuation = state.waiting.removeValue(forKey: id)
      // A cancellation may come before the request begins.
      if continuation == nil, case .failure(.cancelled) = answer { state.finished[id] = answer }
      return continuation
    }
    continuation?.resume(returning: answer)
  }

  func take(_ line: [UInt8]) {
    guard let message = try? JSONValue(text: line) else { return }
    switch message["method"]?.string {
    case "event":
      guard let record = message["params"] else { return }
      notifications.append(.event(record), EventKind(event: record["event"]?.string))
    case "dropped": notifications.miss(message["params"]?["count"]?.integer ?? 0)
    default:
      guard let id = message["id"]?.integer else { return }
      if let error = message["error"] {
        finish(id, .failure(.failed(error)))
      } else {
        finish(id, .success(message["result"] ?? .null))
      }
    }
  }

  func end(_ error: ControlClientError) {
    let waiting = state.withLock { state in
      state.end = error
      defer { state.waiting = [:] }
      return state.waiting
    }
    for continuation in waiting.values { continuation.resume(returning: .failure(error)) }
    notifications.finish()
  }
}
