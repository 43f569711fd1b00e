import CBlueZ

/// libdbus itself.
package enum DBusLibrary {
  /// The version of the loaded library, such as `1.14.10`; it may be newer than at build time.
  package static var version: String {
    var (major, minor, micro): (Int32, Int32, Int32) = (0, 0, 0)
    dbus_get_version(&major, &minor, &micro)
    return "\(major).\(minor).\(micro)"
  }
}
