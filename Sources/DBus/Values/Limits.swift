/// The limits of the protocol, libdbus and the bus. Larger values are refused here: libdbus would
/// abort the process, or the bus would close the connection.
enum Limits {
  /// Bus names, interfaces, members and error names, in bytes. Source: D-Bus specification.
  static let name = 255
  /// A signature, in bytes. Source: D-Bus specification.
  static let signature = 255
  /// Arrays in arrays, and structures in structures, of one signature. Source: D-Bus specification.
  static let typeDepth = 32
  /// Containers in containers of one value, variants included.
  /// Source: dbus `dbus-marshal-validate.c`, twice DBUS_MAXIMUM_TYPE_RECURSION_DEPTH.
  static let valueDepth = 64
  /// The elements of an array, in bytes. Source: D-Bus specification (64 MiB).
  static let array = 64 << 20
  /// A whole message. The protocol allows 128 MiB, but Debian's system bus closes the connection
  /// beyond this. Source: dbus `bus/system.conf.in`, max_message_size.
  static let message = 32 << 20
  /// File descriptors in one message. Source: dbus `bus/config-parser.c`, max_message_unix_fds.
  static let fileDescriptors = 16
  /// A match rule, in bytes. Source: dbus `dbus-protocol.h`, DBUS_MAXIMUM_MATCH_RULE_LENGTH.
  static let matchRule = 1024
}
