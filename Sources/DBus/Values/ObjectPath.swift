import CBlueZ

/// The address of an object within its service, such as `/org/bluez/hci0`. Always valid.
package struct ObjectPath: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let string: String

  package static let root = ObjectPath(unchecked: "/")

  /// Fails with ``DBusError/invalidArgs`` unless the string is `/`, or elements of letters, digits
  /// and underscores with a slash before each.
  package init(_ string: String) throws(DBusError) {
    try Names.check(string, "object path", dbus_validate_path)
    self.string = string
  }

  private init(unchecked string: String) {
    self.string = string
  }

  /// Whether this path lies below `ancestor`. No path is its own descendant.
  package func isDescendant(of ancestor: ObjectPath) -> Bool {
    string.utf8.count > ancestor.prefixOfChildren.utf8.count
      && string.utf8.starts(with: ancestor.prefixOfChildren.utf8)
  }

  /// The path one level above, nil for the root.
  package var parent: ObjectPath? {
    guard self != .root, let slash = string.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      return nil
    }
    return slash == string.startIndex ? .root : ObjectPath(unchecked: String(string[..<slash]))
  }

  /// The last element, empty for the root.
  package var lastComponent: String {
    let slash = string.utf8.lastIndex(of: UInt8(ascii: "/")) ?? string.startIndex
    return String(string[string.utf8.index(after: slash)...])
  }

  package var description: String { string }

  package static func < (left: ObjectPath, right: ObjectPath) -> Bool {
    left.string < right.string
  }

  private var prefixOfChildren: String { self == .root ? "/" : string + "/" }
}
