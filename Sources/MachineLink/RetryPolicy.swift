package import Clocks
import CourtLogic

/// When to try again, and what failing again and again calls for: back-offs, the budget of Connects,
/// escalation.
///
/// A failure is fast (refused, or the link fell) or slow (the machine seems to be out of range). Fast
/// ones back off. Slow ones have taken their time: they are tried again at once, every second time
/// with a scan first.
package struct RetryPolicy: Hashable, Sendable {
  /// 0.5, 1, 2, 4, 8, 16 s, then 30 s for ever, and up to a fifth more.
  package static let backOff = BackOff(from: .milliseconds(500), to: .seconds(30), jitter: 0.2)

  private var backOff = Self.backOff
  /// The back-off while the bus, bluetoothd or an adapter is missing.
  private var environment = Self.backOff
  private var budget = ConnectBudget()
  private var generator: SeededGenerator
  private var slowFailures = 0
  private var lastAttemptScanned = false
  private var hasRemoved = false
  /// Links in a row whose services were not resolved in time.
  private var lateServices = 0
  /// Scans in a row that BlueZ did not begin.
  private var refusedScans = 0
  /// How long the next attempt is to scan first; nil: not at all.
  package private(set) var nextScan: Duration?

  /// - Parameter seed: of the back-off's jitter.
  package init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  /// Failures in a row.
  package var failures: Int { backOff.attempts + slowFailures }

  // MARK: Attempts

  /// The first instant at which another Connect is lawful.
  package func nextConnect(at now: MonotonicInstant) -> MonotonicInstant {
    budget.nextAllowed(at: now)
  }

  package mutating func connectBegins(at now: MonotonicInstant) { budget.record(at: now) }

  /// The scan of ``nextScan`` begins.
  package mutating func scanBegins() {
    nextScan = nil
    lastAttemptScanned = true
  }

  /// How long the next link may take until its services are resolved.
  package func servicesLimit(_ timing: LinkTiming) -> Duration {
    min(timing.services + timing.servicesStep * lateServices, timing.servicesLongest)
  }

  package mutating func servicesWereLate() { lateServices += 1 }

  package mutating func scanBegan() { refusedScans = 0 }

  /// BlueZ did not begin a scan.
  ///
  /// - Returns: whether it is the third one in a row: then it is not chance.
  package mutating func scanRefused() -> Bool {
    refusedScans += 1
    guard refusedScans >= 3 else { return false }
    refusedScans = 0
    return true
  }

  /// Whether the next scan for a known machine looks for other machines: every fourth time.
  package var looksForOthers: Bool { slowFailures % 4 == 2 }

  // MARK: Failures

  /// - Returns: how long to wait before the next attempt.
  package mutating func failedFast() -> Duration { backOff.next(using: &generator) }

  /// - Parameter scan: how long a scan before an attempt takes.
  package mutating func failedSlowly(scan: Duration) {
    slowFailures += 1
    if slowFailures >= 2, !lastAttemptScanned { nextScan = scan }
    lastAttemptScanned = false
  }

  /// Something around the link failed, not the link.
  ///
  /// - Returns: how long to wait before trying that again.
  package mutating func environmentFailed() -> Duration { environment.next(using: &generator) }

  package enum Escalation: Hashable, Sendable {
    /// Scan before the next attempt, to see whether the machine advertises.
    case scan
    /// Have BlueZ forget the device.
    case remove
    /// Have BlueZ forget the device, and switch the adapter off and on.
    case removeAndCyclePower
  }

  /// What the present number of fast failures in a row calls for.
  package var escalation: Escalation? {
    switch backOff.attempts {
    case 4: .scan
    case 8: .removeAndCyclePower
    case 6...: .remove
    default: nil
    }
  }

  package mutating func scanNext(for duration: Duration) { nextScan = duration }

  /// Allows one removal of a device until a link holds.
  ///
  /// - Returns: false if it was used already.
  package mutating func takeRemoval() -> Bool {
    defer { hasRemoved = true }
    return !hasRemoved
  }

  // MARK: Successes

  /// A link is ready, which doesn't mean that it will hold.
  package mutating func linkReady() {
    slowFailures = 0
    lateServices = 0
    lastAttemptScanned = false
    nextScan = nil
  }

  /// The link has held long enough.
  package mutating func linkHeld() {
    backOff.reset()
    budget.reset()
    hasRemoved = false
  }

  /// What was missing around the link is there, or another thing is missing.
  package mutating func environmentChanged() { environment.reset() }
}
