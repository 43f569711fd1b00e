package import Clocks
package import Host

/// An instant on both clocks: only the wall clock goes on while the program doesn't run, and only the
/// monotonic one never jumps.
package struct PairingTime: Hashable, Sendable {
  package var wall: WallTime
  package var monotonic: MonotonicInstant

  package init(wall: WallTime, monotonic: MonotonicInstant) {
    self.wall = wall
    self.monotonic = monotonic
  }

  /// The present.
  package init() {
    self.init(wall: WallTime(), monotonic: SystemClock().now)
  }
}
