extension ObjectPath: ExpressibleByStringLiteral {
  /// A path written in the source: a malformed one is a programming error and stops the program.
  package init(stringLiteral: String) {
    do {
      try self.init(stringLiteral)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
