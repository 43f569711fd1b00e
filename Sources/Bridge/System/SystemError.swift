import Glibc

/// A call into the system that failed.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was tried, such as `open /tmp/x`: the text reads “can't …”.
  package let attempt: String
  /// Its `errno`.
  package let code: Int32

  /// - Parameter code: by default the calling thread's `errno`, so build this first of all.
  package init(_ attempt: String, code: Int32 = errno) {
    self.attempt = attempt
    self.code = code
  }

  package var description: String { "can't \(attempt): \(String(cString: strerror(code)))" }
}
