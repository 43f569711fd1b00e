package import JSON

/// Why a service did not do what a client asked, as a JSON-RPC 2.0 error.
package struct ControlError: Error, Hashable, Sendable, Encodable {
  /// Source of the negative ones: JSON-RPC 2.0, section 5.1.
  package enum Code: Int, Hashable, Sendable, CaseIterable, Encodable {
    case parseError = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParameters = -32602
    case internalError = -32603
    /// The client's role does not allow it.
    case forbidden = 1
    /// The service refuses; the message says why.
    case refused = 2
    /// The requested thing is not there.
    case unavailable = 3
    /// Too many clients, or too many requests of one client.
    case tooMany = 4
  }

  package let code: Code
  /// What is wrong and what to do.
  package let message: String
  /// What is wrong, as data for programs, if it says more than the code.
  package let data: [String: JSONValue]?

  package init(_ code: Code, _ message: String, data: [String: JSONValue]? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }
}

extension ControlError {
  /// - Parameter group: whose members have the role that is needed.
  package static func forbidden(_ method: ControlMethod, group: String) -> ControlError {
    ControlError(
      .forbidden,
      "\(method.rawValue) is for the group \(group): run `adduser USER \(group)` as root, and log in again",
      data: ["role": .string(method.role.rawValue), "group": .string(group)]
    )
  }

  package static func invalidParameters(_ message: String) -> ControlError {
    ControlError(.invalidParameters, message)
  }

  /// - Parameter code: why, as a word for programs.
  package static func refused(_ code: String, _ message: String) -> ControlError {
    ControlError(.refused, message, data: ["code": .string(code)])
  }

  /// - Parameter longest: the bytes that a line may have.
  package static func tooLong(_ longest: Int) -> ControlError {
    ControlError(.parseError, "this line is longer than \(longest) bytes")
  }
}

extension ControlError: CustomStringConvertible {
  package var description: String { message }
}
