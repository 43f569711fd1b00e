package import JSON

/// The server's notifications and answers: JSON-RPC 2.0.
package enum ControlMessage {
  /// The protocol's version, sent in the hello. Other versions may be incompatible.
  package static let protocolNumber = 1

  /// The method that needs no role, and no part of the message but its name.
  package static let stopMethod = "stop"

  package struct Notification<Parameters: Encodable>: Encodable {
    let jsonrpc = "2.0"
    let method: String
    let params: Parameters
  }

  package struct Hello: Encodable {
    let `protocol` = ControlMessage.protocolNumber
    let version: String
    let role: ControlRole
    let mode: String?

    private enum Key: CodingKey {
      case `protocol`, version, role, mode
    }

    package init(version: String, role: ControlRole, mode: String?) {
      self.version = version
      self.role = role
      self.mode = mode
    }

    package func encode(to encoder: any Encoder) throws {
      var object = encoder.container(keyedBy: Key.self)
      try object.encode(`protocol`, forKey: .protocol)
      try object.encode(version, forKey: .version)
      try object.encode(role, forKey: .role)
      // Null, not absent, while it is unknown.
      try object.encode(mode, forKey: .mode)
    }
  }

  package struct Dropped: Encodable {
    let count: Int

    package init(count: Int) { self.count = count }
  }

  package struct Response<Result: Encodable>: Encodable {
    let jsonrpc = "2.0"
    let id: JSONValue
    let result: Result
  }

  package struct Failure: Encodable {
    let jsonrpc = "2.0"
    let id: JSONValue
    let error: ControlError
  }

  package static func notification(_ method: String, _ parameters: some Encodable) -> [UInt8] {
    line(Notification(method: method, params: parameters))
  }

  package static func response(_ id: JSONValue, _ result: some Encodable) -> [UInt8] {
    line(Response(id: id, result: result))
  }

  package static func failure(_ id: JSONValue, _ error: ControlError) -> [UInt8] {
    line(Failure(id: id, error: error))
  }

  package static func line(_ value: some Encodable) -> [UInt8] {
    // Only a number that JSON doesn't have could fail, and there is none.
    (try? JSONEncoding.line(value)) ?? []
  }
}
