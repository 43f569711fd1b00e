import CBlueZ

/// Which signals the bus shall route to us. A nil part matches everything.
package struct MatchRule: Hashable, Sendable {
  package var sender: String?
  package var interface: String?
  package var member: String?
  package var path: ObjectPath?
  /// This object and everything below it.
  package var pathNamespace: ObjectPath?
  /// The first argument, if it is a string.
  package var argument0: String?
  /// The first argument, if it is a string or an object path: equal, or one of the two ends with a
  /// slash and begins the other.
  package var argument0Path: String?

  package init(
    sender: String? = nil,
    interface: String? = nil,
    member: String? = nil,
    path: ObjectPath? = nil,
    pathNamespace: ObjectPath? = nil,
    argument0: String? = nil,
    argument0Path: String? = nil
  ) {
    self.sender = sender
    self.interface = interface
    self.member = member
    self.path = path
    self.pathNamespace = pathNamespace
    self.argument0 = argument0
    self.argument0Path = argument0Path
  }

  /// The rule as AddMatch takes it.
  package var text: String {
    let parts: [(key: String, value: String?)] = [
      ("sender", sender),
      ("interface", interface),
      ("member", member),
      ("path", path?.string),
      ("path_namespace", pathNamespace?.string),
      ("arg0", argument0),
      ("arg0path", argument0Path),
    ]
    return parts.reduce(into: "type='signal'") { text, part in
      if let value = part.value { text += ",\(part.key)=\(MatchRule.quoted(value))" }
    }
  }

  /// Refuses rules that the bus would refuse.
  func check() throws(DBusError) {
    if let sender { try Names.check(sender, "bus name", dbus_validate_bus_name) }
    if let interface { try Names.check(interface, "interface name", dbus_validate_interface) }
    if let member { try Names.check(member, "member name", dbus_validate_member) }
    if path != nil && pathNamespace != nil {
      throw .invalid("A match rule has either a path or a path namespace.")
    }
    let text = text
    if text.utf8.contains(0) { throw .invalid("A match rule contains a NUL character.") }
    if text.utf8.count > DBUS_MAXIMUM_MATCH_RULE_LENGTH {
      throw .tooLong("A match rule of \(text.utf8.count) bytes is too long.")
    }
  }

  /// Replaces each apostrophe: the quotes end, an escaped apostrophe follows, and new quotes begin.
  private static func quoted(_ value: String) -> String {
    // Scalars, not characters: a combining accent must not hide an apostrophe.
    let escaped = value.unicodeScalars.map { $0 == "'" ? #"'\''"# : String($0) }.joined()
    return "'\(escaped)'"
  }
}
