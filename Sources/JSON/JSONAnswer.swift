/// What a service answers to a request: a result, or why there is none.
package struct JSONAnswer<Result: Encodable & Sendable>: Encodable, Sendable {
  package var result: Result?
  package var error: String?

  package init(result: Result) { self.result = result }
  package init(error: String) { self.error = error }

  /// With its end.
  package var line: [UInt8] {
    get throws { try JSONEncoding.line(self) + [UInt8(ascii: "\n")] }
  }
}

extension JSONAnswer: Decodable where Result: Decodable {
  /// - Returns: nil if the line is no such answer.
  package init?(line: [UInt8]) {
    guard let answer = try? JSONValue(text: line).decoded(as: Self.self) else { return nil }
    self = answer
  }
}
