import Host
package import JSON

/// A request as a line of JSON-RPC 2.0, read up to its parameters.
package struct ControlLine: Hashable, Sendable {
  /// The levels of a line: a request has 2, with the points of a calibration 4.
  private static let deepest = 8

  /// Nil for a notification, which is never answered.
  package let id: JSONValue?
  package let method: String
  package let parameters: [String: JSONValue]

  package init(id: JSONValue?, method: String, parameters: [String: JSONValue] = [:]) {
    self.id = id
    self.method = method
    self.parameters = parameters
  }

  /// - Throws: the error, with the id for its answer: null where none could be read.
  package init(_ value: JSONValue) throws(Malformed) {
    if case .array = value {
      throw Malformed(.invalidRequest, "there are no batches here: send one request a line")
    }
    let id = value["id"]
    switch id {
    case nil, .null, .string, .integer: break
    // A fraction might come back rounded.
    default: throw Malformed(.invalidRequest, "“id” is neither a string nor a whole number")
    }
    guard value["jsonrpc"] == .string("2.0") else {
      throw Malformed(.invalidRequest, "“jsonrpc” is not \"2.0\"", id: id)
    }
    guard let method = value["method"]?.string else {
      throw Malformed(.invalidRequest, "“method” is not a string", id: id)
    }
    switch value["params"] {
    case nil: parameters = [:]
    case .object(let members): parameters = members
    default:
      throw Malformed(.invalidParameters, "“params” is no object: name the parameters", id: id)
    }
    self.id = id
    self.method = method
  }

  /// The JSON of a line.
  ///
  /// - Parameter most: how many values it may have.
  package static func json(of line: [UInt8], most: Int = .max) throws(Malformed) -> JSONValue {
    do throws(JSONTextError) {
      return try JSONValue(text: line, deepest: deepest, most: most)
    } catch {
      throw Malformed(.parseError, "\(error): send one JSON-RPC 2.0 request a line, in UTF-8")
    }
  }

  /// Its method as one of a service's.
  package func method<Method>(
    of methods: Method.Type = Method.self
  ) throws(ControlError) -> Method
  where Method: RawRepresentable<String> & CaseIterable {
    guard let method = Method(rawValue: method) else {
      let names = Method.allCases.map(\.rawValue).joined(separator: ", ")
      throw ControlError(
        .methodNotFound,
        "there is no method “\(self.method.excerpt)”: there are \(names)"
      )
    }
    return method
  }

  /// Its parameters as a type of ours; those that the type doesn't know are left out.
  package func decoded<Parameters: Decodable>(
    as type: Parameters.Type = Parameters.self
  ) throws(ControlError) -> Parameters {
    do { return try JSONValue.object(parameters).decoded(as: type) } catch {
      let reason = (error as? DecodingError)?.reason ?? "\(error)"
      throw .invalidParameters("the parameters are not those of \(method): \(reason)")
    }
  }

  /// A line that is no request.
  package struct Malformed: Error {
    package let error: ControlError
    package let id: JSONValue

    fileprivate init(_ code: ControlError.Code, _ message: String, id: JSONValue? = nil) {
      error = ControlError(code, message)
      self.id = id ?? .null
    }
  }
}

extension DecodingError {
  /// What is wrong, with the place in the value.
  fileprivate var reason: String {
    switch self {
    case .keyNotFound(_, let context), .typeMismatch(_, let context),
      .valueNotFound(_, let context), .dataCorrupted(let context):
      (context.codingPath.map(\.stringValue) + [context.debugDescription]).joined(separator: ": ")
    @unknown default: "\(self)"
    }
  }
}
