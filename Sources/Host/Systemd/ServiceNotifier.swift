import CSystemd
import Glibc

/// Sends the service's state to systemd; does nothing unless systemd started it (`$NOTIFY_SOCKET`).
///
/// No call waits: a slow systemd gets the notifications later, in order, but only the newest status
/// and watchdog sign. The unit `tools/systemd/ballmachine.service` says what follows from them.
package struct ServiceNotifier: Sendable {
  private let thread = LoopExecutor()
  private let waiting = Locked(WaitingNotifications())

  package init() {}

  /// The service has started: its configuration is valid, and its sockets listen. Every reload,
  /// even a failed one, is one ``reloading()`` and then one of these.
  package func ready() { send(.ready) }

  /// What the service is doing, as a line for `systemctl status`.
  package func status(_ text: String) { send(.status(text)) }

  /// The service is reloading its configuration.
  package func reloading() {
    send(.reloading(since: UInt64(nanoseconds(on: CLOCK_MONOTONIC) / 1000)))
  }

  /// The service is shutting down.
  package func stopping() { send(.stopping) }

  /// Returns once all notifications are sent.
  package func flush() async { await thread.settle() }

  /// The watchdog sign of the loop that sends the balls, for that loop only: twice in the unit's
  /// `WatchdogSec=`.
  ///
  /// Nil without a watchdog for this process (`$WATCHDOG_USEC`, `$WATCHDOG_PID`).
  package var heartbeat: Heartbeat? {
    var limit: UInt64 = 0
    guard sd_watchdog_enabled(0, &limit) > 0 else { return nil }
    return Heartbeat(period: .microseconds(limit / 2)) { send(.watchdog) }
  }

  private func send(_ notification: ServiceNotification) {
    guard waiting.withLock({ $0.add(notification) }) else { return }
    thread.perform { [waiting] in
      // A failure is ignored: there is no other way to reach the service manager.
      while let next = waiting.withLock({ $0.popFirst() }) { _ = sd_notify(0, next.text) }
    }
  }
}
