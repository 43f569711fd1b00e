import CJansson

extension JSONValue {
  /// How many levels of arrays and objects a text may have by default.
  package static let deepest = 32

  /// Reads JSON that a stranger may have written, at a cost that grows with its length alone.
  ///
  /// It is stricter than the standard: no key may come twice in an object, a whole number fits into
  /// 64 bits, and no text has a NUL.
  ///
  /// - Parameters:
  ///   - text: UTF-8, the whole of it.
  ///   - deepest: the levels of arrays and objects that it may have.
  ///   - most: the values that it may have, those in arrays and objects counted too.
  package init(
    text: [UInt8],
    deepest: Int = deepest,
    most: Int = .max
  ) throws(JSONTextError) {
    var error = json_error_t()
    // Source: jansson 2.14, src/load.c: it recurses 2048 levels deep at most.
    let root = text.withUnsafeBytes { bytes in
      json_loadb(
        bytes.baseAddress,
        bytes.count,
        Int(JSON_REJECT_DUPLICATES | JSON_DECODE_ANY),
        &error
      )
    }
    guard let root else { throw JSONTextError(jansson_code(&error)) }
    defer { json_decref(root) }
    var left = most
    self = try Self.value(root, levels: deepest, left: &left)
  }

  /// - Parameters:
  ///   - levels: how many arrays and objects may be in one another from here on.
  ///   - left: how many values there may still be.
  private static func value(
    _ json: UnsafeMutablePointer<json_t>,
    levels: Int,
    left: inout Int
  ) throws(JSONTextError) -> JSONValue {
    left -= 1
    guard left >= 0 else { throw .tooMuch }
    switch json.pointee.type {
    case JSON_STRING: return .string(text(json_string_value(json), json_string_length(json)))
    case JSON_INTEGER: return .integer(json_integer_value(json))
    case JSON_REAL: return .number(json_real_value(json))
    case JSON_TRUE: return .boolean(true)
    case JSON_FALSE: return .boolean(false)
    case JSON_NULL: return .null
    case JSON_ARRAY:
      guard levels > 0 else { throw .tooMuch }
      var elements: [JSONValue] = []
      for index in 0..<json_array_size(json) {
        guard let element = json_array_get(json, index) else { break }
        elements.append(try value(element, levels: levels - 1, left: &left))
      }
      return .array(elements)
    case JSON_OBJECT:
      guard levels > 0 else { throw .tooMuch }
      var members: [String: JSONValue] = [:]
      var next = json_object_iter(json)
      while let member = next, let element = json_object_iter_value(member) {
        let key = text(json_object_iter_key(member), json_object_iter_key_len(member))
        // Two keys of different bytes may be one text to Swift, and to a reader.
        guard members[key] == nil else { throw .doubledKey }
        members[key] = try value(element, levels: levels - 1, left: &left)
        next = json_object_iter_next(json, member)
      }
      return .object(members)
    default: preconditionFailure("jansson has no value of type \(json.pointee.type)")
    }
  }

  /// jansson has seen to it that it is UTF-8.
  private static func text(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
}

/// Why a text is no JSON, or none that this program reads.
package enum JSONTextError: Error, Hashable, Sendable {
  case notUTF8
  case notJSON
  /// A key comes twice in one object.
  case doubledKey
  /// A number that is greater than 64 bits or a Double can hold.
  case numberOutOfRange
  /// A text in it has a NUL.
  case nul
  /// More levels, or more values, than are allowed.
  case tooMuch

  fileprivate init(_ code: json_error_code) {
    self =
      switch code {
      case json_error_invalid_utf8: .notUTF8
      case json_error_duplicate_key: .doubledKey
      case json_error_numeric_overflow: .numberOutOfRange
      case json_error_null_character, json_error_null_byte_in_key: .nul
      case json_error_stack_overflow: .tooMuch
      default: .notJSON
      }
  }
}

extension JSONTextError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notUTF8: "not UTF-8 text"
    case .notJSON: "not valid JSON"
    case .doubledKey: "a key comes twice in one object"
    case .numberOutOfRange:
      "a number is out of range (whole numbers are from -2^63 to 2^63-1)"
    case .nul: "a text has the character U+0000"
    case .tooMuch: "nested too deeply, or too many values"
    }
  }
}
