import Host
package import JSON

/// Passes stops on. Each stop that comes gets a stop of the machine that began after it came; many at
/// once share one.
package actor StopLine {
  /// So many at once: one that hangs keeps no other waiting.
  package static let most = 4

  private let send: @Sendable () async -> StopRecord
  private var running = 0
  private var waiting: [CheckedContinuation<StopRecord, Never>] = []

  /// How many stops wait for one that they share; for tests.
  package var waitingCount: Int { waiting.count }

  /// - Parameter send: stops the machine.
  package init(_ send: @escaping @Sendable () async -> StopRecord) { self.send = send }

  package func stop() async -> StopRecord {
    guard running < Self.most else { return await withCheckedContinuation { waiting.append($0) } }
    return await run()
  }

  private func run() async -> StopRecord {
    running += 1
    let answer = await send()
    running -= 1
    if !waiting.isEmpty {
      let shared = waiting
      waiting = []
      OneThread.task { [weak self] in
        guard let answer = await self?.run() else { return }
        for stop in shared { stop.resume(returning: answer) }
      }
    }
    return answer
  }
}

/// What came of a stop that was passed on.
extension StopRecord {
  /// The outcome and the reason of the service's answer.
  package init(_ answer: JSONValue) {
    let outcome = answer["outcome"]?.string ?? "unconfirmed"
    self.init(outcome: outcome, reason: answer["reason"]?.string ?? outcome)
  }

  /// What came of this stop.
  package init(_ stop: () async throws -> JSONValue) async {
    do { self.init(try await stop()) } catch let error as ControlClientError {
      self.init(error)
    } catch {
      self.init(outcome: "notDelivered", reason: "\(error)")
    }
  }

  /// The record of a stop that had no answer.
  package init(_ error: ControlClientError) {
    let outcome =
      switch error {
      // A service that has the stop but does not answer may have stopped the machine.
      case .silent, .lost, .failed, .cancelled: "unconfirmed"
      case .noService, .noPermission, .strange, .untrusted, .system: "notDelivered"
      }
    self.init(outcome: outcome, reason: "\(error)")
  }
}
