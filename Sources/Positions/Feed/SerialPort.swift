import Glibc
import Host

/// A serial port with a detector at its other end.
struct SerialPort: Sendable {
  let descriptor: FileDescriptor

  /// Makes it a plain stream of bytes: no echo, and no byte that ends a file or a program. Its speed
  /// and its bits stay as they are; a carriage return ends a line, too.
  ///
  /// - Returns: nil if the file is none, or is the terminal that this program was started at.
  init?(_ descriptor: FileDescriptor) throws(SystemError) {
    guard isatty(descriptor.number) != 0, tcgetpgrp(descriptor.number) < 0 else { return nil }
    var mode = termios()
    guard tcgetattr(descriptor.number, &mode) == 0 else { throw SystemError("read a port's mode") }
    let bits = mode.c_cflag
    cfmakeraw(&mode)
    mode.c_cflag = bits
    mode.c_iflag |= tcflag_t(ICRNL)
    guard tcsetattr(descriptor.number, TCSANOW, &mode) == 0 else {
      throw SystemError("set a port's mode")
    }
    self.descriptor = descriptor
  }

  /// Discards what was received and not read: the next bytes may begin within a line.
  func discard() { tcflush(descriptor.number, TCIFLUSH) }
}
