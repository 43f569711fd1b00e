package import JSON

/// The client's requests, the server's notifications and answers: JSON-RPC 2.0, as lines without their ends.
package enum ControlMessage {
  private struct Request<Parameters: Encodable>: Encodable {
    let jsonrpc = "2.0"
    let id: Int
    let method: String
    let params: Parameters
  }

  package struct Notification<Parameters: Encodable>: Encodable {
    let jsonrpc = "2.0"
    let method: String
    let params: Parameters
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

  package static func request(_ id: Int, _ request: ControlRequest) -> [UInt8] {
    Self.request(id, request.method.rawValue, request.parameters)
  }

  package static func request(
    _ id: Int,
    _ method: String,
    _ parameters: some Encodable
  ) -> [UInt8] {
    line(Request(id: id, method: method, params: parameters))
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

extension Result<JSONValue, ControlClientError> {
  /// What an answer says.
  ///
  /// - Returns: nil for a message that is none.
  init?(answer: JSONValue) {
    if let error = answer["error"] {
      self = .failure(.failed(error))
    } else if let result = answer["result"] {
      self = .success(result)
    } else {
      return nil
    }
  }
}
