/// A sign of life from the dispatch loop itself, for a watchdog.
package struct Heartbeat: Sendable {
  /// The time between two beats, on the service's clock; above zero.
  package var period: Duration
  package var beat: @Sendable () -> Void
}
