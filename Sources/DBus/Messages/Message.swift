import CBlueZ

/// The owner of one reference to a libdbus message.
struct Message: ~Copyable {
  let pointer: OpaquePointer

  /// Takes over a reference.
  init(adopting pointer: OpaquePointer) {
    self.pointer = pointer
  }

  deinit {
    dbus_message_unref(pointer)
  }
}

// Our messages. Everything is checked first: libdbus aborts on invalid values.
extension Message {
  static func call(_ call: MethodCall, expectsReply: Bool = true) throws(DBusError) -> Message {
    try Names.check(call.destination, "bus name", dbus_validate_bus_name)
    try checkTarget(call.path, call.interface, call.member)
    let message = try filled(
      dbus_message_new_method_call(call.destination, call.path.string, call.interface, call.member),
      arguments: call.arguments
    )
    dbus_message_set_auto_start(message.pointer, 0)
    dbus_message_set_no_reply(message.pointer, expectsReply ? 0 : 1)
    return message
  }

  static func signal(
    _ member: String,
    of interface: String,
    at path: ObjectPath,
    arguments: [Value]
  ) throws(DBusError) -> Message {
    try checkTarget(path, interface, member)
    return try filled(
      dbus_message_new_signal(path.string, interface, member),
      arguments: arguments
    )
  }

  static func reply(
    to call: IncomingCall,
    arguments: [Value]
  ) throws(DBusError) -> Message {
    let message = try filled(
      dbus_message_new(DBUS_MESSAGE_TYPE_METHOD_RETURN),
      arguments: arguments
    )
    try message.address(to: call)
    return message
  }

  static func error(_ error: DBusError, to call: IncomingCall) throws(DBusError) -> Message {
    try Names.check(error.name, "error name", dbus_validate_error_name)
    let message = try filled(
      dbus_message_new(DBUS_MESSAGE_TYPE_ERROR),
      arguments: [.string(error.message)]
    )
    guard dbus_message_set_error_name(message.pointer, error.name) != 0 else { throw .outOfMemory }
    try message.address(to: call)
    return message
  }

  private static func checkTarget(
    _ path: ObjectPath,
    _ interface: String,
    _ member: String
  ) throws(DBusError) {
    try Names.check(interface, "interface name", dbus_validate_interface)
    try Names.check(member, "member name", dbus_validate_member)
    // Reserved for libdbus's messages to itself: the bus disconnects their sender.
    guard path.string != DBUS_PATH_LOCAL, interface != DBUS_INTERFACE_LOCAL else {
      throw .invalid("\(DBUS_PATH_LOCAL) and \(DBUS_INTERFACE_LOCAL) are libdbus's own.")
    }
  }

  private static func filled(
    _ pointer: OpaquePointer?,
    arguments: [Value]
  ) throws(DBusError) -> Message {
    guard let pointer else { throw .outOfMemory }
    let message = Message(adopting: pointer)
    try MessageCheck.check(arguments)
    try MessageWriter.append(arguments, to: message.pointer)
    return message
  }

  private func address(to call: IncomingCall) throws(DBusError) {
    guard dbus_message_set_reply_serial(pointer, call.serial) != 0,
      dbus_message_set_destination(pointer, call.sender) != 0
    else { throw .outOfMemory }
    dbus_message_set_no_reply(pointer, 1)
  }
}

// Messages from the bus.
extension Message {
  enum Kind {
    case methodCall, reply, error, signal, unknown
  }

  var kind: Kind {
    switch dbus_message_get_type(pointer) {
    case DBUS_MESSAGE_TYPE_METHOD_CALL: .methodCall
    case DBUS_MESSAGE_TYPE_METHOD_RETURN: .reply
    case DBUS_MESSAGE_TYPE_ERROR: .error
    case DBUS_MESSAGE_TYPE_SIGNAL: .signal
    default: .unknown
    }
  }

  var sender: String? { Message.string(dbus_message_get_sender(pointer)) }
  var interface: String? { Message.string(dbus_message_get_interface(pointer)) }
  var member: String? { Message.string(dbus_message_get_member(pointer)) }
  var errorName: String? { Message.string(dbus_message_get_error_name(pointer)) }
  var path: ObjectPath? {
    guard let string = Message.string(dbus_message_get_path(pointer)) else { return nil }
    return try? ObjectPath(string)
  }
  var serial: UInt32 { dbus_message_get_serial(pointer) }
  var replySerial: UInt32 { dbus_message_get_reply_serial(pointer) }
  var expectsReply: Bool { dbus_message_get_no_reply(pointer) == 0 }

  func arguments() throws(DBusError) -> [Value] {
    try MessageReader.arguments(of: pointer)
  }

  /// The error in this error message: its text is the first argument, if that is a string.
  var error: DBusError {
    let text = try? arguments().first?.string
    return DBusError(name: errorName ?? DBusError.failed, message: text ?? "")
  }

  private static func string(_ pointer: UnsafePointer<CChar>?) -> String? {
    pointer.map { String(cString: $0) }
  }
}
