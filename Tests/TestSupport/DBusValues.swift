package import DBus

// What the program never reads. Seen through variants; nil when it is something else.
extension Value {
  package var dictionary: [Value: Value]? {
    guard case .dictionary(_, _, let entries) = unwrapped else { return nil }
    return entries
  }

  package var array: [Value]? {
    guard case .array(_, let elements) = unwrapped else { return nil }
    return elements
  }

  package var structure: [Value]? {
    guard case .structure(let members) = unwrapped else { return nil }
    return members
  }

  package var int32: Int32? {
    guard case .int32(let value) = unwrapped else { return nil }
    return value
  }

  package var double: Double? {
    guard case .double(let value) = unwrapped else { return nil }
    return value
  }
}

extension ObjectPath {
  /// The path one level below, `component` being its last element.
  package func appending(_ component: String) throws -> ObjectPath {
    try ObjectPath(self == .root ? "/" + component : string + "/" + component)
  }
}

// What the bus answers.
extension DBusError {
  package static let fileNotFound = "org.freedesktop.DBus.Error.FileNotFound"
  package static let noReply = "org.freedesktop.DBus.Error.NoReply"
  package static let serviceUnknown = "org.freedesktop.DBus.Error.ServiceUnknown"
  package static let nameHasNoOwner = "org.freedesktop.DBus.Error.NameHasNoOwner"
}

extension Connection {
  /// Gives a well-known name up. Does nothing when it isn't ours.
  package func releaseName(_ name: String) async throws {
    _ = try await call(Bus.call("ReleaseName", [.string(name)]))
  }

  /// Returns once the connection is closed, by either side.
  package func waitUntilDisconnected() async {
    guard let signals = try? await subscribe(to: [MatchRule()]) else { return }
    for await _ in signals {}
  }
}
