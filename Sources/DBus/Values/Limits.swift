/// The limits of the protocol and libdbus. Larger values are refused here: libdbus would abort the
/// process.
enum Limits {
  /// Bus names, interfaces, members and error names, in bytes. Source: D-Bus specification.
  static let name = 255
  /// A signature, in bytes. Source: D-Bus specification.
  static let signature = 255
  /// Arrays in arrays, and structures in structures, of one signature. Source: D-Bus specification.
  static let typeDepth = 32
  /// A match rule, in bytes. Source: dbus `dbus-protocol.h`, DBUS_MAXIMUM_MATCH_RULE_LENGTH.
  static let matchRule = 1024
}
