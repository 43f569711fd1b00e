/// The time since its making on any clock.
struct Stopwatch: Sendable {
  let elapsed: @Sendable () -> Duration
  /// Sleeps until so much has elapsed.
  let sleep: @Sendable (_ until: Duration) async throws -> Void

  init<Base: Clock>(_ clock: Base) where Base.Duration == Duration {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }
}
