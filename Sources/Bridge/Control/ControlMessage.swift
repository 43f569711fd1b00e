import FoundationEssentials

/// What the server says of its own accord, and how it answers: JSON-RPC 2.0.
enum ControlMessage {
  /// Of the protocol, told in the hello. Another number may mean other things.
  static let protocolNumber = 1

  struct Notification<Parameters: Encodable>: Encodable {
    let jsonrpc = "2.0"
    let method: String
    let params: Parameters
  }

  struct Hello: Encodable {
    let `protocol` = ControlMessage.protocolNumber
    let version: String
    let role: ControlRole
    let mode: String?

    private enum Key: CodingKey {
      case `protocol`, version, role, mode
    }

    func encode(to encoder: any Encoder) throws {
      var object = encoder.container(keyedBy: Key.self)
      try object.encode(`protocol`, forKey: .protocol)
      try object.encode(version, forKey: .version)
      try object.encode(role, forKey: .role)
      // Null, not absent, while nobody knows.
      try object.encode(mode, forKey: .mode)
    }
  }

  struct Dropped: Encodable {
    let count: Int
  }

  struct Response<Result: Encodable>: Encodable {
    let jsonrpc = "2.0"
    let id: JSONValue
    let result: Result
  }

  struct Failure: Encodable {
    let jsonrpc = "2.0"
    let id: JSONValue
    let error: ControlError
  }

  static func notification(_ method: String, _ parameters: some Encodable) -> Data {
    line(Notification(method: method, params: parameters))
  }

  static func response(_ id: JSONValue, _ result: some Encodable) -> Data {
    line(Response(id: id, result: result))
  }

  static func failure(_ id: JSONValue, _ error: ControlError) -> Data {
    line(Failure(id: id, error: error))
  }

  static func line(_ value: some Encodable) -> Data {
    // Only a number that JSON hasn't could fail, and there is none.
    (try? RecordEncoding.line(value)) ?? Data()
  }
}
