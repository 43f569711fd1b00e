import CBlueZ

/// Appends checked values to a message. An iterator must not move in memory while it is open.
enum MessageWriter {
  /// The values have passed ``MessageCheck``. A failure leaves the message unusable.
  static func append(_ values: [Value], to message: OpaquePointer) throws(DBusError) {
    var iterator = DBusMessageIter()
    dbus_message_iter_init_append(message, &iterator)
    for value in values { try append(value, to: &iterator) }
  }

  private typealias Iterator = UnsafeMutablePointer<DBusMessageIter>

  private static func append(_ value: Value, to iterator: Iterator) throws(DBusError) {
    switch value {
    case .byte(let value): try append(value, .byte, to: iterator)
    case .boolean(let value):
      try append(dbus_bool_t(value ? 1 : 0), .boolean, to: iterator)
    case .int16(let value): try append(value, .int16, to: iterator)
    case .uint16(let value): try append(value, .uInt16, to: iterator)
    case .int32(let value): try append(value, .int32, to: iterator)
    case .uint32(let value): try append(value, .uInt32, to: iterator)
    case .int64(let value): try append(value, .int64, to: iterator)
    case .uint64(let value): try append(value, .uInt64, to: iterator)
    case .double(let value): try append(value, .double, to: iterator)
    case .string(let value): try append(text: value, .string, to: iterator)
    case .objectPath(let value): try append(text: value.string, .objectPath, to: iterator)
    case .signature(let value): try append(text: value.string, .signature, to: iterator)
    case .bytes(let bytes): try append(bytes, to: iterator)
    case .array(let element, let elements):
      try container(.array, element.code, in: iterator) { (inner) throws(DBusError) in
        for element in elements { try append(element, to: inner) }
      }
    case .structure(let members):
      try container(.struct, nil, in: iterator) { (inner) throws(DBusError) in
        for member in members { try append(member, to: inner) }
      }
    case .dictionary(let key, let value, let entries):
      let entryType = "{\(key.code)\(value.code)}"
      try container(.array, entryType, in: iterator) { (inner) throws(DBusError) in
        for (key, value) in entries {
          try container(.dictEntry, nil, in: inner) { (entry) throws(DBusError) in
            try append(key, to: entry)
            try append(value, to: entry)
          }
        }
      }
    case .variant(let value):
      try container(.variant, value.type.code, in: iterator) { (inner) throws(DBusError) in
        try append(value, to: inner)
      }
    }
  }

  private static func append<Basic: BitwiseCopyable>(
    _ value: Basic,
    _ type: CDBusType,
    to iterator: Iterator
  ) throws(DBusError) {
    let appended = withUnsafePointer(to: value) {
      dbus_message_iter_append_basic(iterator, type.rawValue, $0)
    }
    guard appended != 0 else { throw .outOfMemory }
  }

  private static func append(
    text: String,
    _ type: CDBusType,
    to iterator: Iterator
  ) throws(DBusError) {
    let appended = text.withCString { string in
      withUnsafePointer(to: string) {
        dbus_message_iter_append_basic(iterator, type.rawValue, $0)
      }
    }
    guard appended != 0 else { throw .outOfMemory }
  }

  private static func append(_ bytes: [UInt8], to iterator: Iterator) throws(DBusError) {
    try container(.array, "y", in: iterator) { (inner) throws(DBusError) in
      let appended = bytes.withUnsafeBufferPointer { buffer -> dbus_bool_t in
        // Nothing to append, and an empty buffer need not have an address.
        guard let base = buffer.baseAddress, !buffer.isEmpty else { return 1 }
        return withUnsafePointer(to: base) {
          dbus_message_iter_append_fixed_array(
            inner,
            CDBusType.byte.rawValue,
            $0,
            Int32(buffer.count)
          )
        }
      }
      guard appended != 0 else { throw .outOfMemory }
    }
  }

  private static func container(
    _ type: CDBusType,
    _ contained: String?,
    in iterator: Iterator,
    _ body: (Iterator) throws(DBusError) -> Void
  ) throws(DBusError) {
    let inner = Iterator.allocate(capacity: 1)
    defer { inner.deallocate() }
    dbus_message_iter_init_closed(inner)
    guard dbus_message_iter_open_container(iterator, type.rawValue, contained, inner) != 0 else {
      throw .outOfMemory
    }
    do throws(DBusError) {
      try body(inner)
    } catch {
      dbus_message_iter_abandon_container_if_open(iterator, inner)
      throw error
    }
    guard dbus_message_iter_close_container(iterator, inner) != 0 else { throw .outOfMemory }
  }
}
