/// A D-Bus value together with its type.
package indirect enum Value: Hashable, Sendable {
  case byte(UInt8)
  case boolean(Bool)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case string(String)
  case objectPath(ObjectPath)
  case signature(Signature)
  /// `ay`, the only form of a byte array.
  case bytes([UInt8])
  case array(of: ValueType, [Value])
  case structure([Value])
  case dictionary(key: ValueType, value: ValueType, [Value: Value])
  case variant(Value)

  package var type: ValueType {
    switch self {
    case .byte: .byte
    case .boolean: .boolean
    case .int16: .int16
    case .uint16: .uint16
    case .int32: .int32
    case .uint32: .uint32
    case .int64: .int64
    case .uint64: .uint64
    case .double: .double
    case .string: .string
    case .objectPath: .objectPath
    case .signature: .signature
    case .bytes: .array(.byte)
    case .array(let element, _): .array(element)
    case .structure(let members): .structure(members.map(\.type))
    case .dictionary(let key, let value, _): .dictionary(key: key, value: value)
    case .variant: .variant
    }
  }
}
