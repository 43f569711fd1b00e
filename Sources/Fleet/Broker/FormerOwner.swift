/// Whose a court was when this box was last on the broker, as far as it remembers.
package enum FormerOwner: String, Hashable, Sendable, CaseIterable {
  case unknown, this, other
}
