package import JSON

extension HTTPAnswer {
  package static func json(_ value: some Encodable, status: Int = 200) -> HTTPAnswer {
    guard let line = try? JSONEncoding.line(value) else {
      return failure(500, "internal", "the answer can't be written")
    }
    return HTTPAnswer(status, "application/json", line)
  }

  /// - Parameters:
  ///   - code: why, for programs.
  ///   - message: why, for people.
  package static func failure(
    _ status: Int,
    _ code: String,
    _ message: String,
    data: JSONValue? = nil
  ) -> HTTPAnswer {
    json(Refusal(error: Refusal.Reason(code: code, message: message, data: data)), status: status)
  }
}

private struct Refusal: Encodable {
  struct Reason: Encodable {
    var code: String
    var message: String
    var data: JSONValue?
  }

  var error: Reason
}
