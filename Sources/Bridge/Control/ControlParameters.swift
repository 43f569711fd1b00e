import ControlProtocol
import JSON

/// The named parameters of a request. Each is taken once; an unknown one is an error, because to
/// ignore a misspelt one would do something that isn't meant.
struct ControlParameters: Hashable {
  private var members: [String: JSONValue]

  init(_ members: [String: JSONValue]) {
    self.members = members
  }

  mutating func take(_ name: String) -> JSONValue? {
    members.removeValue(forKey: name)
  }

  mutating func take<Value>(
    _ name: String,
    _ kind: String,
    _ read: (JSONValue) -> Value?
  ) throws(ControlError) -> Value? {
    guard let value = take(name) else { return nil }
    guard let result = read(value) else {
      throw .invalidParameters("“\(name)” is not \(kind)")
    }
    return result
  }

  func finish() throws(ControlError) {
    guard let name = members.keys.min() else { return }
    throw .invalidParameters("there is no parameter “\(name.prefix(40))” here")
  }
}
