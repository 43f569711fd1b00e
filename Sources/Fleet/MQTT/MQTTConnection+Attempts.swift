import Host

extension MQTTConnection {
  /// The longest look-up, and the longest TCP handshake. A resolver gives up after 10 to 30 s, TCP after
  /// 130 s.
  private static let timeToConnect = Duration.seconds(30)

  /// Connects, and lasts until the connection ends. A cancellation says farewell, so that the will is
  /// not published, and returns. One run at a time.
  ///
  /// - Parameter handle: called on the executor's thread; it may publish and subscribe.
  package func run(
    _ handle: @escaping @Sendable (Event) -> Void
  ) async throws(MQTTFailure) {
    let versions = broker.version.map { [$0] } ?? memory.versions
    // A broker of 3.1.1 may say nothing to 5: both together take no longer than one.
    let patience = timeToAnswer / versions.count
    let choice = try await bounded { [chooser, broker, executor] in
      try await chooser.address(of: broker, on: executor)
    }
    guard let address = choice else { return }
    for version in versions {
      do throws(MQTTFailure) { return try await run(version, address, patience, handle) } catch {
        // A broker without this version says so, breaks its rules, hangs up, or says nothing.
        let mayBeVersion = [.strange, .lost].contains(error.code) || isUnanswered
        guard version != versions.last, !hasAnswered, mayBeVersion else { throw error }
      }
    }
  }

  /// - Returns: nil when the task is cancelled.
  func bounded<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws(MQTTFailure) -> Value? {
    do { return try await waiting(atMost: Self.timeToConnect, for: body) } catch {
      switch error {
      case let failure as MQTTFailure: throw failure
      case is CancellationError: return nil
      case is TimeoutError:
        throw silence(.unreachable, "is not reached", after: Self.timeToConnect)
      default: throw MQTTFailure(.system, "\(error)")
      }
    }
  }

  func silence(
    _ code: MQTTFailure.Code,
    _ text: String,
    after limit: Duration
  ) -> MQTTFailure {
    let seconds = limit.components.seconds
    return MQTTFailure(code, "\(broker.location), \(text) in \(seconds) s")
  }
}
