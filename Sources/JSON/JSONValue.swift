/// Any JSON value: parameters and results whose form depends on the method.
package enum JSONValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])
}

extension JSONValue {
  /// The member of an object; nil for any other value.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[key]
  }

  package var string: String? { if case .string(let text) = self { text } else { nil } }

  package var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }

  package var integer: Int? {
    guard case .integer(let number) = self else { return nil }
    return Int(number)
  }

  package var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
}

/// It is read by ``init(text:deepest:most:)`` alone: a decoder would try one type after the other.
extension JSONValue: Encodable {
  package func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .boolean(let boolean): try value.encode(boolean)
    case .integer(let number): try value.encode(number)
    case .number(let number): try value.encode(number)
    case .string(let text): try value.encode(text)
    case .array(let values): try value.encode(values)
    case .object(let members): try value.encode(members)
    }
  }
}
