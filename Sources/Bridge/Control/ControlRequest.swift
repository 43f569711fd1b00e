/// One line of a client, read: what it asks, and by which id it wants the answer.
struct ControlRequest: Hashable {
  /// The bytes that a line may have.
  static let longestLine = 65_536
  /// A request has 2 levels, with the fields of a command 3.
  private static let deepest = 8
  /// A request with the fields of a command has 11.
  private static let mostValues = 64

  /// Nil for a notification, which is never answered.
  let id: JSONValue?
  let method: String
  let parameters: ControlParameters

  /// - Throws: the error with the id to answer it by, null where none could be read.
  init(_ line: [UInt8]) throws(Malformed) {
    let value: JSONValue
    do throws(JSONTextError) {
      value = try JSONValue(text: line, deepest: Self.deepest, most: Self.mostValues)
    } catch {
      throw Malformed(.parseError, "\(error): send one JSON-RPC 2.0 request a line, in UTF-8")
    }
    if case .array = value {
      throw Malformed(.invalidRequest, "there are no batches here: send one request a line")
    }
    let id = value["id"]
    switch id {
    case nil, .null, .string, .integer, .number: break
    default: throw Malformed(.invalidRequest, "“id” is neither a string nor a number")
    }
    guard value["jsonrpc"] == .string("2.0") else {
      throw Malformed(.invalidRequest, "“jsonrpc” is not \"2.0\"", id: id)
    }
    guard let method = value["method"]?.string else {
      throw Malformed(.invalidRequest, "“method” is not a string", id: id)
    }
    switch value["params"] {
    case nil: parameters = ControlParameters([:])
    case .object(let members): parameters = ControlParameters(members)
    default:
      throw Malformed(.invalidParameters, "“params” is no object: name the parameters", id: id)
    }
    self.id = id
    self.method = method
  }

  /// A line that is no request.
  struct Malformed: Error {
    let error: ControlError
    let id: JSONValue

    init(_ code: ControlError.Code, _ message: String, id: JSONValue? = nil) {
      error = ControlError(code, message)
      self.id = id ?? .null
    }
  }
}
