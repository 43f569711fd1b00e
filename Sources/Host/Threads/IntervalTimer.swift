// Which C module has `timespec` depends on the one that the compiler loads first: import all.
import CLinux
import CSystemd
import Glibc

/// A file that gets readable again and again, for a ``LoopExecutor``: on `CLOCK_MONOTONIC`, and
/// without adding up lateness.
package final class IntervalTimer: Sendable {
  package let descriptor: FileDescriptor

  package init() throws(SystemError) {
    let number = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
    guard number >= 0 else { throw SystemError("make a timer") }
    descriptor = FileDescriptor(owning: number)
  }

  /// - Parameter interval: nil makes it readable at once and until ``passed()``.
  package func start(every interval: Duration?) throws(SystemError) {
    let (seconds, attoseconds) = (interval ?? .zero).components
    var setting = itimerspec()
    setting.it_value.tv_sec = Int(seconds)
    // Zero would disarm the timer.
    setting.it_value.tv_nsec = max(Int(attoseconds / 1_000_000_000), seconds == 0 ? 1 : 0)
    if interval != nil { setting.it_interval = setting.it_value }
    let status = timerfd_settime(descriptor.number, 0, &setting, nil)
    guard status == 0 else { throw SystemError("set a timer") }
  }

  /// How many intervals have passed since the last call; it isn't readable until the next is over.
  package func passed() -> Int {
    var count: UInt64 = 0
    let size = MemoryLayout.size(ofValue: count)
    return read(descriptor.number, &count, size) == size ? Int(clamping: count) : 0
  }
}
