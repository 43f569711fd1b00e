import CLinux
import Glibc

/// Whether a program keeps the wall clock right, by a time server or a receiver; nil where this process
/// may not ask the kernel.
package func isClockKept() -> Bool? {
  var state = timex()
  return adjtimex(&state) >= 0 ? state.status & STA_UNSYNC == 0 : nil
}
