import CSystemd
import Glibc
import Threads

/// Tells systemd how the service is, if systemd has started it (`$NOTIFY_SOCKET`); otherwise nobody.
///
/// No call waits: should systemd take nothing for a while, it hears the rest in order later, and of
/// words and signs of life the newest. What the unit makes of it stands in
/// `tools/systemd/ballmachine.service`.
package struct ServiceNotifier: Sendable {
  private let thread = LoopExecutor()
  private let waiting = Locked(WaitingNotifications())

  package init() {}

  /// The service has started: its configuration is valid, and its sockets listen. Also the end of a
  /// reload, which takes one ``reloading()`` and one of these, whatever came of it.
  package func ready() { tell(.ready) }

  /// What the service is doing, in a line of words that `systemctl status` shows.
  package func status(_ text: String) { tell(.status(text)) }

  /// The service reads its configuration again.
  package func reloading() {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    tell(.reloading(since: UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1000))
  }

  /// The service is on its way out.
  package func stopping() { tell(.stopping) }

  /// Returns when systemd has all that it was told.
  package func flush() async { await thread.settle() }

  /// What tells systemd's watchdog that the loop that sends the balls is alive, for that loop and
  /// nobody else: twice in the unit's `WatchdogSec=`.
  ///
  /// Nil when nobody watches this process (`$WATCHDOG_USEC`, `$WATCHDOG_PID`).
  package var heartbeat: Heartbeat? {
    var limit: UInt64 = 0
    guard sd_watchdog_enabled(0, &limit) > 0 else { return nil }
    return Heartbeat(period: .microseconds(limit / 2)) { tell(.watchdog) }
  }

  private func tell(_ notification: ServiceNotification) {
    guard waiting.withLock({ $0.add(notification) }) else { return }
    thread.perform { [waiting] in
      // A failure is not told: there is no other way to reach the service manager.
      while let next = waiting.withLock({ $0.popFirst() }) { _ = sd_notify(0, next.text) }
    }
  }
}
