package import JSON

/// The named parameters of a request. Each is taken once; an unknown one is an error, because to
/// ignore a misspelt one would do something that isn't meant.
extension [String: JSONValue] {
  package mutating func take<Taken>(
    _ name: String,
    _ kind: String,
    _ read: (JSONValue) -> Taken?
  ) throws(ControlError) -> Taken? {
    guard let value = removeValue(forKey: name) else { return nil }
    guard let taken = read(value) else { throw .invalidParameters("“\(name)” is not \(kind)") }
    return taken
  }

  package func finish() throws(ControlError) {
    guard let name = keys.min() else { return }
    throw .invalidParameters("there is no parameter “\(name.prefix(40))” here")
  }
}
