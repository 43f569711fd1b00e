import ControlProtocol
import JSON

/// A line of the control socket. One with the method `stop` is a stop, even if the rest of the line
/// is wrong.
extension ControlLine {
  /// The bytes that a line may have.
  static let longest = 65_536
  /// A request with the fields of a command has 11.
  private static let mostValues = 64

  /// - Throws: the error, with the id for its answer: null where none could be read.
  init(_ line: [UInt8]) throws(Malformed) {
    let value: JSONValue
    do throws(Malformed) { value = try Self.json(of: line, most: Self.mostValues) } catch {
      var scan = StopScan()
      scan.look(at: line)
      guard scan.hasFound || Self.isForStopSocket(line) else { throw error }
      self = .bareStop
      return
    }
    guard let stop = Self.stop(in: value) else {
      try self.init(value)
      return
    }
    self.init(stopWith: Self.answerID(ofStop: stop))
  }

  /// What people write to the stop socket.
  private static func isForStopSocket(_ line: [UInt8]) -> Bool {
    let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    return words.first.map(ControlMethod.isStop) ?? false
  }

  /// A stop whose id can't be read.
  static let bareStop = ControlLine(stopWith: .null)

  private init(stopWith id: JSONValue?) { self.init(id: id, method: ControlMethod.stop.rawValue) }

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
}
