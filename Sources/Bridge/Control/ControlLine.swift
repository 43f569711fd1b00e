import ControlProtocol
import JSON

/// A client's line, parsed up to its parameters.
///
/// A line with the method `stop` is a stop, even if the rest of the line is wrong.
struct ControlLine: Hashable {
  /// The bytes that a line may have.
  static let longest = 65_536
  /// A request has 2 levels, with the fields of a command 3.
  private static let deepest = 8
  /// A request with the fields of a command has 11.
  private static let mostValues = 64

  /// Nil for a notification, which is never answered.
  let id: JSONValue?
  let method: String
  let parameters: [String: JSONValue]

  /// - Throws: the error, with the id for its answer: null where none could be read.
  init(_ line: [UInt8]) throws(Malformed) {
    let value: JSONValue
    do throws(JSONTextError) {
      value = try JSONValue(text: line, deepest: Self.deepest, most: Self.mostValues)
    } catch {
      var scan = StopScan()
      scan.look(at: line)
      if scan.hasFound || Self.isForStopSocket(line) {
        self = .bareStop
        return
      }
      throw Malformed(.parseError, "\(error): send one JSON-RPC 2.0 request a line, in UTF-8")
    }
    if let stop = Self.stop(in: value) {
      self = ControlLine(stopWith: Self.answerID(ofStop: stop))
      return
    }
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

  /// What people write to the stop socket.
  private static func isForStopSocket(_ line: [UInt8]) -> Bool {
    let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    return words.first.map(ControlMethod.isStop) ?? false
  }

  /// A stop whose id can't be read.
  static let bareStop = ControlLine(stopWith: .null)

  private init(stopWith id: JSONValue?) {
    self.id = id
    method = ControlMethod.stop.rawValue
    parameters = [:]
  }

  var isStop: Bool { method == ControlMethod.stop.rawValue }

  /// The message with the method `stop`, alone or in a batch.
  private static func stop(in value: JSONValue) -> JSONValue? {
    let messages = if case .array(let elements) = value { elements } else { [value] }
    return messages.first { $0["method"]?.string == ControlMethod.stop.rawValue }
  }

  /// Nil for a valid notification; null for another message without a usable id.
  private static func answerID(ofStop message: JSONValue) -> JSONValue? {
    switch message["id"] {
    case nil: message["jsonrpc"] == .string("2.0") ? nil : .null
    case .string(let text): .string(text)
    case .integer(let number): .integer(number)
    default: .null
    }
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
