package import Host
package import JSON

extension LineClient {
  /// Sends a request, and reads the answer; bytes may follow it.
  package mutating func answer(
    _ method: String,
    _ parameters: some Encodable = [String: JSONValue]()
  ) throws(LineClientError) -> Result<JSONValue, ControlClientError> {
    // One request at a time: the next answer is this one's.
    try send(ControlMessage.request(1, method, parameters))
    guard let message = try? JSONValue(text: try line()),
      let answer = Result(answer: message), [.integer(1), .null].contains(message["id"])
    else { throw strange }
    return answer
  }

  /// Sends a request, and decodes its result.
  ///
  /// - Throws: ``LineClientError`` with the code `refused` and the service's reason, if it says no.
  package mutating func ask<Answer: Decodable>(
    _ method: String,
    _ parameters: some Encodable = [String: JSONValue](),
    for type: Answer.Type = Answer.self
  ) throws(LineClientError) -> Answer {
    switch try answer(method, parameters) {
    case .failure(let error): throw LineClientError(.refused, "\(error)")
    case .success(let result):
      guard let answer = try? result.decoded(as: type) else { throw strange }
      return answer
    }
  }
}
