package import Host
package import JSON

extension LineClient {
  /// Sends a request, and reads the result; bytes may follow it.
  ///
  /// - Throws: ``LineClientError`` with the code `refused` and the service's reason, if it says no.
  package mutating func ask(_ request: some Encodable) throws(LineClientError) -> JSONValue {
    guard let line = try? JSONEncoding.line(request) else { throw strange }
    try send(line)
    let text = try self.line()
    guard let answer = try? JSONValue(text: text) else { throw strange }
    if let reason = answer["error"]?.string { throw LineClientError(.refused, reason) }
    guard let result = answer["result"] else { throw strange }
    return result
  }

  /// Sends a request, and decodes its result.
  package mutating func ask<Answer: Decodable>(
    _ request: some Encodable,
    for type: Answer.Type = Answer.self
  ) throws(LineClientError) -> Answer {
    let result: JSONValue = try ask(request)
    guard let answer = try? result.decoded(as: type) else { throw strange }
    return answer
  }
}
