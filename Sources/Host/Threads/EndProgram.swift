import Glibc

/// Ends the program when the system lacks a resource without which it can't run.
///
/// - Parameters:
///   - resource: what is missing, such as `threads`.
///   - code: the `errno` of the failure.
func endProgram(lacking resource: String, _ code: Int32) -> Never {
  let reason = String(cString: strerror(code))
  let line = Array("ballmachine: the system has no more \(resource) for it: \(reason)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
  // Source of the number: sysexits.h, EX_OSERR.
  _exit(71)
}
