import Glibc

/// A call into the system that failed.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was tried, such as `open /tmp/x`: the text reads “can't …”.
  package let attempt: String
  /// The system's `errno`.
  package let code: Int32
  /// Why it failed, if that says more than ``code``.
  private let reason: String?

  /// - Parameters:
  ///   - code: by default the calling thread's `errno`, so build this first of all.
  ///   - reason: why it failed, if that says more than the code.
  package init(_ attempt: String, code: Int32 = errno, reason: String? = nil) {
    self.attempt = attempt
    self.code = code
    self.reason = reason
  }

  /// To read a folder's entry that is no file, which may hang or have no end.
  package static func notRegular(_ path: String) -> SystemError {
    SystemError("read \(path)", code: EINVAL, reason: "it is not a regular file")
  }

  package var description: String {
    "can't \(attempt): \(reason ?? String(cString: strerror(code)))".printable
  }
}
