import Glibc

/// How the service has ended, as systemd tells the commands of `ExecStopPost=`.
///
/// Source: systemd.exec(5), `$SERVICE_RESULT`, `$EXIT_CODE`, `$EXIT_STATUS`.
package struct ServiceEnd: Hashable, Sendable {
  /// systemd's word: `success`, `exit-code`, `signal`, `core-dump`, `watchdog`, `timeout`, …
  package var result: String
  /// The exit code, or the name of the signal that killed it; nil if it was never started.
  package var status: String?

  package init(result: String, status: String? = nil) {
    self.result = result
    self.status = status
  }

  /// The end of the service that this process cleans up after; nil if there is none.
  package init?(variable: (String) -> String? = { getenv($0).map { String(cString: $0) } }) {
    guard let result = variable("SERVICE_RESULT") else { return nil }
    self.init(result: result, status: variable("EXIT_STATUS"))
  }

  /// Whether the machine may have been left without its stop command.
  ///
  /// False after an orderly end, which has sent it, and when the service never began: because of a
  /// wrong command line, command table or configuration, because it could not open the source of
  /// positions, make a socket or take a lock, or because of a missing permission.
  package var needsStop: Bool {
    switch (result, status) {
    case ("success", _): false
    case ("exit-code", "64"), ("exit-code", "65"), ("exit-code", "66"), ("exit-code", "73"),
      ("exit-code", "77"), ("exit-code", "78"):
      false
    default: true
    }
  }
}
