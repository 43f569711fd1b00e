import CBlueZ

/// Reads the arguments of a message by its signature. libdbus has checked the bytes already.
enum MessageReader {
  static func arguments(of message: OpaquePointer) throws(DBusError) -> [Value] {
    let types = try Signature(String(cString: dbus_message_get_signature(message))).types
    var iterator = DBusMessageIter()
    guard dbus_message_iter_init(message, &iterator) != 0 else { return [] }
    return try values(types, from: &iterator)
  }

  private typealias Iterator = UnsafeMutablePointer<DBusMessageIter>

  private static func values(
    _ types: [ValueType],
    from iterator: Iterator
  ) throws(DBusError) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(types.count)
    for type in types {
      values.append(try value(type, at: iterator))
      dbus_message_iter_next(iterator)
    }
    return values
  }

  private static func value(_ type: ValueType, at iterator: Iterator) throws(DBusError) -> Value {
    switch type {
    case .byte: return .byte(basic(at: iterator, 0))
    case .boolean: return .boolean(basic(at: iterator, dbus_bool_t(0)) != 0)
    case .int16: return .int16(basic(at: iterator, 0))
    case .uint16: return .uint16(basic(at: iterator, 0))
    case .int32: return .int32(basic(at: iterator, 0))
    case .uint32: return .uint32(basic(at: iterator, 0))
    case .int64: return .int64(basic(at: iterator, 0))
    case .uint64: return .uint64(basic(at: iterator, 0))
    case .double: return .double(basic(at: iterator, 0))
    case .string: return .string(text(at: iterator))
    case .objectPath: return .objectPath(try ObjectPath(text(at: iterator)))
    case .signature: return .signature(try Signature(text(at: iterator)))
    case .array(.byte): return .bytes(bytes(at: iterator))
    case .array(let element):
      return .array(
        of: element,
        try inside(iterator) { (inner) throws(DBusError) in
          var elements: [Value] = []
          while hasElement(inner) {
            elements.append(try value(element, at: inner))
            dbus_message_iter_next(inner)
          }
          return elements
        }
      )
    case .dictionary(let key, let value):
      return .dictionary(key: key, value: value, try entries([key, value], at: iterator))
    case .structure(let members):
      return .structure(
        try inside(iterator) { (inner) throws(DBusError) in try values(members, from: inner) }
      )
    case .variant:
      return .variant(
        try inside(iterator) { (inner) throws(DBusError) in
          let types = try signature(of: inner).types
          guard types.count == 1 else {
            throw DBusError(
              name: DBusError.invalidSignature,
              message: "A variant does not hold exactly one value."
            )
          }
          return try value(types[0], at: inner)
        }
      )
    }
  }

  private static func entries(
    _ types: [ValueType],
    at iterator: Iterator
  ) throws(DBusError) -> [Value: Value] {
    try inside(iterator) { (inner) throws(DBusError) in
      var entries: [Value: Value] = [:]
      while hasElement(inner) {
        let entry = try inside(inner) { (pair) throws(DBusError) in try values(types, from: pair) }
        entries[entry[0]] = entry[1]
        dbus_message_iter_next(inner)
      }
      return entries
    }
  }

  private static func basic<Basic: BitwiseCopyable>(at iterator: Iterator, _ zero: Basic) -> Basic {
    var value = zero
    withUnsafeMutablePointer(to: &value) { dbus_message_iter_get_basic(iterator, $0) }
    return value
  }

  /// The text is borrowed from the message, hence copied.
  private static func text(at iterator: Iterator) -> String {
    var pointer: UnsafePointer<CChar>?
    withUnsafeMutablePointer(to: &pointer) { dbus_message_iter_get_basic(iterator, $0) }
    return pointer.map { String(cString: $0) } ?? ""
  }

  private static func bytes(at iterator: Iterator) -> [UInt8] {
    var inner = DBusMessageIter()
    dbus_message_iter_recurse(iterator, &inner)
    var pointer: UnsafePointer<UInt8>?
    var count: Int32 = 0
    withUnsafeMutablePointer(to: &pointer) {
      dbus_message_iter_get_fixed_array(&inner, $0, &count)
    }
    return Array(UnsafeBufferPointer(start: pointer, count: Int(count)))
  }

  private static func hasElement(_ iterator: Iterator) -> Bool {
    dbus_message_iter_get_arg_type(iterator) != CDBusType.invalid.rawValue
  }

  private static func signature(of iterator: Iterator) throws(DBusError) -> Signature {
    guard let text = dbus_message_iter_get_signature(iterator) else { throw .outOfMemory }
    defer { dbus_free(text) }
    return try Signature(String(cString: text))
  }

  private static func inside<Result>(
    _ iterator: Iterator,
    _ body: (Iterator) throws(DBusError) -> Result
  ) throws(DBusError) -> Result {
    let inner = Iterator.allocate(capacity: 1)
    defer { inner.deallocate() }
    dbus_message_iter_recurse(iterator, inner)
    return try body(inner)
  }
}
