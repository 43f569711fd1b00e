import JSON

/// Whose court it is, as the broker's message `box` says.
struct CourtClaim: Hashable, Sendable {
  enum Owner: Hashable, Sendable {
    case unknown, this
    /// Another box, by its ID.
    case other(String)
    /// Another box's at an earlier connection. The broker may have lost that since.
    case formerOther
  }

  /// This box's ID.
  let box: String
  private(set) var owner = Owner.unknown

  /// The message that says that the court is this box's.
  var payload: [UInt8] {
    // A text: it can't fail.
    (try? JSONEncoding.line(CourtBoxRecord(box: box))) ?? []
  }

  /// - Parameter wasRefused: whether it was another box's before.
  init(box: String, wasRefused: Bool = false) {
    self.box = box
    if wasRefused { owner = .formerOther }
  }

  /// - Parameter payload: of `box`; empty: it was removed.
  mutating func receive(_ payload: [UInt8]) {
    guard !payload.isEmpty else { return owner = .unknown }
    // In doubt the court is not this box's.
    let other =
      CourtBoxRecord(payload: payload)?.box ?? "unreadable"
    owner = other == box ? .this : .other(String(other.prefix(40)))
  }

  /// A new connection asks again.
  mutating func reconnect() {
    if case .other = owner { owner = .formerOther }
  }

  /// The broker has no `box`.
  mutating func takeFree() {
    if owner == .unknown || owner == .formerOther { owner = .this }
  }
}
