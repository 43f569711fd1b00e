import BlueZ
import Clocks

// Scans after bluetoothd has ended in one.

extension LinkStateMachine {
  /// bluetoothd has ended in a scan: the next one waits. A machine that is known is connected to without one.
  mutating func waitToScan(
    _ seeking: Seeking,
    _ purpose: Discovering.Purpose,
    until instant: MonotonicInstant
  ) {
    if let end = caution.lastEnd(at: now) { fault = .serviceEnded(end) }
    switch purpose {
    case .search: backOff(seeking, until: instant)
    case .verify(let target, _):
      retries.scanBegins()
      connect(seeking, to: target, isHeard: false)
    }
  }

  /// While the next scan waits, the machine may show without one.
  mutating func levelsChanged(in backingOff: BackingOff) {
    guard effects.pending == nil, caution.nextScan(at: now) == backingOff.until,
      case .one(let recognised) = identity(),
      recognised.device.isConnected || recognised.by == .address
    else { return }
    backOff(Seeking(from: backingOff), until: now)
  }
}
