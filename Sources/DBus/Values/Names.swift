import CBlueZ

/// libdbus aborts on a name that breaks the D-Bus specification's rules, so it is asked first.
enum Names {
  /// - Parameter isValid: libdbus's check of this kind.
  static func check(
    _ name: String,
    _ kind: String,
    _ isValid: (UnsafePointer<CChar>?, UnsafeMutablePointer<CDBusError>?) -> dbus_bool_t
  ) throws(DBusError) {
    // C would cut it off at a NUL.
    guard !name.utf8.contains(0), isValid(name, nil) != 0 else {
      throw .invalid("\(name.prefix(80).debugDescription) is not a valid \(kind).")
    }
  }
}

extension DBusError {
  /// Whether an error may have this name.
  package static func isName(_ name: String) -> Bool {
    (try? Names.check(name, "error name", dbus_validate_error_name)) != nil
  }
}
