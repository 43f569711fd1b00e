/// One complete type of the D-Bus type system.
package indirect enum ValueType: Hashable, Sendable {
  case byte, boolean, int16, uint16, int32, uint32, int64, uint64, double
  case string, objectPath, signature
  case array(ValueType)
  case structure([ValueType])
  /// `a{kv}`: a dictionary entry exists only as the element of an array.
  case dictionary(key: ValueType, value: ValueType)
  case variant
}

extension ValueType {
  /// The type's text in a signature.
  package var code: String {
    switch self {
    case .byte: "y"
    case .boolean: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .array(let element): "a" + element.code
    case .structure(let members): "(" + members.map(\.code).joined() + ")"
    case .dictionary(let key, let value): "a{" + key.code + value.code + "}"
    case .variant: "v"
    }
  }

  /// Only basic types can be the key of a dictionary.
  package var isBasic: Bool {
    switch self {
    case .array, .structure, .dictionary, .variant: false
    default: true
    }
  }

  /// The basic type or variant of a one-letter code.
  init?(letter: UInt8) {
    switch letter {
    case UInt8(ascii: "y"): self = .byte
    case UInt8(ascii: "b"): self = .boolean
    case UInt8(ascii: "n"): self = .int16
    case UInt8(ascii: "q"): self = .uint16
    case UInt8(ascii: "i"): self = .int32
    case UInt8(ascii: "u"): self = .uint32
    case UInt8(ascii: "x"): self = .int64
    case UInt8(ascii: "t"): self = .uint64
    case UInt8(ascii: "d"): self = .double
    case UInt8(ascii: "s"): self = .string
    case UInt8(ascii: "o"): self = .objectPath
    case UInt8(ascii: "g"): self = .signature
    case UInt8(ascii: "v"): self = .variant
    default: return nil
    }
  }
}
