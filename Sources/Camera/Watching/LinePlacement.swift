import Clocks

/// Whether the court's lines were seen where the calibration has them: for one source and one
/// calibration.
struct LinePlacement {
  /// Between two looks whether the camera has moved.
  private static let checkInterval = Duration.seconds(1)
  /// The first frames of many cameras are too dark or too bright to see lines in.
  private static let settling = Duration.seconds(2)

  var isPlaced = false
  private var lastCheck = MonotonicInstant.start
  /// Since when there has been enough light to see them.
  private var bright: MonotonicInstant?

  /// Whether a check is due at this frame's time. If so, the next one is due a second later.
  mutating func beginsCheck(at time: MonotonicInstant) -> Bool {
    guard lastCheck.duration(to: time) >= Self.checkInterval else { return false }
    lastCheck = time
    return true
  }

  /// Why the lines were not seen.
  mutating func displacement(isTooDark: Bool, at time: MonotonicInstant) -> SightRecord {
    guard !isTooDark else {
      bright = nil
      return SightRecord(.tooDark)
    }
    let since = bright ?? time
    bright = since
    guard since.duration(to: time) >= Self.settling else { return SightRecord(.learning) }
    let reason = "the court's lines are not where the calibration has them: calibrate again"
    return SightRecord(state: .nothing, code: "lines-moved", reason: reason)
  }
}
