extension ObjectPath {
  /// A path written in the source: a malformed one is a programming error and stops the program.
  package init(literal: StaticString) {
    do {
      try self.init("\(literal)")
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
