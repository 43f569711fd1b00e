/// What a service answers to a request: a result, or why there is none.
package struct JSONAnswer<Result: Encodable & Sendable>: Encodable, Sendable {
  package var result: Result?
  package var error: String?

  package init(result: Result) { self.result = result }
  package init(error: String) { self.error = error }

  /// The answer as a line, with its end.
  package var line: [UInt8] {
    get throws { try JSONEncoding.line(self) + [UInt8(ascii: "\n")] }
  }
}
