import DBus

// Here paths are written, never read: the library itself takes them only through its checks.
extension ObjectPath: ExpressibleByStringLiteral {
  /// Traps on a malformed path.
  public init(stringLiteral: String) {
    try! self.init(stringLiteral)
  }
}
