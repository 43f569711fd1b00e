// Which C module has `timespec` depends on the one that the compiler loads first: import all.
import CLinux
import CSystemd
import Glibc

/// Nanoseconds on a clock of the system, such as `CLOCK_BOOTTIME`.
package func nanoseconds(on clock: Int32) -> Int64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
