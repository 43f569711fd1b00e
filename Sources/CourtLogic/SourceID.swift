/// Who says where the player is: a connection and, when one connection speaks for several
/// detectors or players, the id in its lines.
package struct SourceID: Hashable, Sendable {
  /// A name that no other connection of this run has, such as `stdin` or `client 3`.
  package let connection: String
  package let id: String?

  package init(connection: String, id: String? = nil) {
    self.connection = connection
    self.id = id
  }
}

extension SourceID: CustomStringConvertible {
  package var description: String {
    if let id { "\(connection), id \(id)" } else { connection }
  }
}
