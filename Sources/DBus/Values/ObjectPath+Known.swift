extension ObjectPath {
  /// A path written in the source, or built from checked parts: a malformed one is a programming
  /// error and stops the program.
  package init(known string: String) {
    do {
      try self.init(string)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
