package import Clocks

/// Chooses so many frames a second from a source that delivers more.
package struct FramePace: Sendable {
  private let interval: Duration
  private var due: MonotonicInstant?

  /// - Parameter rate: frames a second.
  package init(rate: Double) {
    precondition(rate > 0 && rate.isFinite)
    interval = .seconds(1) / rate
  }

  /// Whether a frame of that time is worked on.
  package mutating func takes(_ time: MonotonicInstant) -> Bool {
    guard let due else {
      due = time.advanced(by: interval)
      return true
    }
    let lateness = due.duration(to: time)
    // A frame that is a little early is the one that was meant. One that is far too early shows a
    // clock that was set back.
    if lateness < interval * -0.25, lateness >= interval * -2 { return false }
    // On from the grid, not from the frame, or lateness would add up; after a gap a new grid.
    let isOnGrid = (interval * -1...interval).contains(lateness)
    self.due = (isOnGrid ? due : time).advanced(by: interval)
    return true
  }
}
