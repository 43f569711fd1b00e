import Host

/// The naming rules of the D-Bus specification. libdbus aborts on names that break them.
enum Names {
  /// A unique (`:1.42`) or well-known (`org.bluez`) bus name.
  static func checkBus(_ name: String) throws(DBusError) {
    let isUnique = name.utf8.first == UInt8(ascii: ":")
    let elements = isUnique ? name.utf8.dropFirst() : name.utf8[...]
    guard isDotted(elements, hyphens: true, leadingDigits: isUnique) else {
      throw refusal("bus name", name)
    }
    try checkLength("bus name", name)
  }

  static func checkInterface(_ name: String) throws(DBusError) {
    guard isDotted(name.utf8[...]) else { throw refusal("interface name", name) }
    try checkLength("interface name", name)
  }

  static func checkMember(_ name: String) throws(DBusError) {
    guard isElement(name.utf8[...], hyphens: false, leadingDigits: false) else {
      throw refusal("member name", name)
    }
    try checkLength("member name", name)
  }

  static func checkError(_ name: String) throws(DBusError) {
    guard isDotted(name.utf8[...]) else { throw refusal("error name", name) }
    try checkLength("error name", name)
  }

  /// Letters, digits and underscores: what object paths are made of.
  static func isPathElement(_ element: Substring.UTF8View) -> Bool {
    isElement(element, hyphens: false, leadingDigits: true)
  }

  private static func isDotted(
    _ name: Substring.UTF8View,
    hyphens: Bool = false,
    leadingDigits: Bool = false
  ) -> Bool {
    let elements = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return elements.count >= 2
      && elements.allSatisfy { isElement($0, hyphens: hyphens, leadingDigits: leadingDigits) }
  }

  private static func isElement(
    _ element: Substring.UTF8View,
    hyphens: Bool,
    leadingDigits: Bool
  ) -> Bool {
    guard let first = element.first else { return false }
    if !leadingDigits && first.isDigit { return false }
    return element.allSatisfy { byte in
      byte.isDigit || isLetter(byte) || byte == UInt8(ascii: "_")
        || (hyphens && byte == UInt8(ascii: "-"))
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func checkLength(_ kind: String, _ name: String) throws(DBusError) {
    guard name.utf8.count <= Limits.name else {
      throw .tooLong(
        "A \(kind) of \(name.utf8.count) bytes is too long; \(Limits.name) are allowed."
      )
    }
  }

  private static func refusal(_ kind: String, _ name: String) -> DBusError {
    .invalid("\(name.prefix(80).debugDescription) is not a valid \(kind).")
  }
}
