import CBlueZ

/// libdbus itself.
package enum DBusLibrary {
  /// Of the one that is loaded, which may be newer than what this was built with: `1.14.10`, say.
  package static var version: String {
    var (major, minor, micro): (Int32, Int32, Int32) = (0, 0, 0)
    dbus_get_version(&major, &minor, &micro)
    return "\(major).\(minor).\(micro)"
  }
}
