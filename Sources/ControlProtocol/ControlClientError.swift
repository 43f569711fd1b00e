package import Host
package import JSON

/// Why a request to the service failed.
package enum ControlClientError: Error, Hashable, Sendable {
  /// No service listens at this path.
  case noService(String)
  /// This user may not connect there.
  case noPermission(String)
  /// A process listens, but doesn't answer, or doesn't read.
  case silent(String)
  /// The listening process is no service that this program understands.
  case strange(String)
  /// The listening process is not trusted, and why.
  case untrusted(String, String)
  /// The service has ended, or has ended the connection.
  case lost
  /// The service refused the request.
  case failed(code: Int, message: String, data: JSONValue?)
  case cancelled
  case system(SystemError)
}

extension ControlClientError: Lined {
  /// A service's refusal may have several, which are clean.
  package var lines: [String] {
    if case .failed(_, let message, _) = self {
      message.split(separator: "\n").map(String.init)
    } else {
      [sentence]
    }
  }

  private var sentence: String {
    switch self {
    case .noService(let path):
      "no service runs (no service listens on \(path)):"
        + " start it with `systemctl start ballmachine`, or run `ballmachine serve`"
    case .noPermission(let path):
      "this user may not connect to \(path): run it as root, or as the user who started the bridge"
    case .silent(let path):
      "the service on \(path) does not answer: look at `systemctl status ballmachine`"
    case .strange(let path):
      "the process that listens on \(path) is no ballmachine service of this kind:"
        + " if it was just updated, restart it with `systemctl restart ballmachine`"
    case .untrusted(let path, let reason):
      "\(path) is not believed, because \(reason): remove it, and run `ballmachine doctor`"
    case .lost: "the service has ended the connection"
    case .failed(_, let message, _): message
    case .cancelled: "the request was cancelled"
    case .system(let error): error.description
    }
  }
}

extension ControlClientError {
  package var isNoService: Bool {
    if case .noService = self { true } else { false }
  }

  /// What the service would answer.
  package static func failed(_ error: ControlError) -> ControlClientError {
    .failed(
      code: error.code.rawValue,
      message: error.message,
      data: error.data.map(JSONValue.object)
    )
  }

  /// Whether a request was refused only for what precedes it: it may be sent again.
  package var endsByItself: Bool {
    guard case .failed(_, _, let data) = self else { return false }
    return data?["wait"] != nil
  }

  /// The service's error object.
  static func failed(_ error: JSONValue) -> ControlClientError {
    .failed(
      code: error["code"]?.integer ?? 0,
      message: error["message"]?.string ?? "the service says no, and not why",
      data: error["data"]
    )
  }
}
