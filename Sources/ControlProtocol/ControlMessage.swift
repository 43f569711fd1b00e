package import JSON

/// The server's notifications and answers: JSON-RPC 2.0.
package enum ControlMessage {
  /// The method that needs no role, and no part of the message but its name.
  package static let stopMethod = "stop"

  package struct Notification<Parameters: Encodable>: Encodable {
    let jsonrpc = "2.0"
    let method: String
    let params: Parameters
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
