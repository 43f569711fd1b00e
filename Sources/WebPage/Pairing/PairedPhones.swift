import Clocks
import Host

/// The phones and cards that are valid. The time is an argument; the phones' file holds it.
///
/// A phone ends 12 h after it was paired, by whichever clock says so first. A wall clock that was set
/// back says nothing about the time since: then all phones end. A card is not valid while the clock is
/// before the day on which it was made.
package struct PairedPhones: Codable, Hashable, Sendable {
  package static let life: Duration = .seconds(12 * 3600)
  /// The oldest goes for one more.
  static let mostPhones = 100
  static let mostCards = 20
  package static let cardDays = 1...366
  /// How far the wall clock may go back: time servers correct it by less.
  fileprivate static let slack: Duration = .seconds(60)

  package private(set) var phones: [PairedPhone] = []
  package private(set) var cards: [PairingCard] = []
  private var lastID = 0
  /// The latest time that the wall clock has shown.
  private var latest: WallTime

  package init(at now: PairingTime) { latest = now.wall }

  /// Ends what is over. Call it first of all.
  ///
  /// - Returns: whether anything ended, and how many phones because the clock was set.
  @discardableResult
  package mutating func settle(at now: PairingTime) -> (hasEnded: Bool, byClock: Int) {
    let before = (phones.count, cards.count)
    let wasSetBack = now.wall.duration(since: latest) < .zero - Self.slack
    let endedByClock = phones.count { wasSetBack || $0.isEndedBySettingForward(at: now) }
    if wasSetBack { phones = [] }
    if wasSetBack || now.wall.duration(since: latest) > .zero { latest = now.wall }
    for index in phones.indices where phones[index].end == nil {
      let left = min(phones[index].until.duration(since: now.wall), Self.life)
      phones[index].end = now.monotonic.advanced(by: left)
    }
    phones.removeAll { phone in
      now.wall.duration(since: phone.until) >= .zero
        || phone.end.map { now.monotonic >= $0 } == true
    }
    cards.removeAll { now.wall.duration(since: $0.until) >= .zero }
    return (before != (phones.count, cards.count), endedByClock)
  }

  /// - Parameter card: the card that pairs it; nil for a code.
  package mutating func add(
    name: String,
    card: Int?,
    at now: PairingTime,
    using generator: inout some RandomNumberGenerator
  ) -> NewPhone {
    if phones.count >= Self.mostPhones { phones.removeFirst() }
    lastID += 1
    let token = Secret.make(using: &generator)
    let phone = PairedPhone(
      id: lastID,
      name: name,
      token: SecretHash(of: token),
      paired: now.wall,
      seen: now.wall,
      until: now.wall.advanced(by: Self.life),
      card: card,
      end: now.monotonic.advanced(by: Self.life)
    )
    phones.append(phone)
    return NewPhone(phone: phone, token: token)
  }

  /// The phone that has this token, which is seen now.
  package mutating func phone(token: String, at now: PairingTime) -> PairedPhone? {
    let hash = SecretHash(of: token)
    // All are compared: the time says nothing about how many there are before it.
    let found = phones.indices.filter { phones[$0].token.matches(hash) }
    guard let index = found.first else { return nil }
    phones[index].seen = now.wall
    return phones[index]
  }

  package func has(_ id: Int) -> Bool { phones.contains { $0.id == id } }

  /// - Returns: nil if there are too many.
  package mutating func addCard(
    days: Int,
    at now: PairingTime,
    using generator: inout some RandomNumberGenerator
  ) -> NewCard? {
    guard cards.count < Self.mostCards else { return nil }
    lastID += 1
    let secret = Secret.make(using: &generator)
    let card = PairingCard(
      id: lastID,
      secret: SecretHash(of: secret),
      made: now.wall,
      until: now.wall.advanced(by: .seconds(days * 86_400))
    )
    cards.append(card)
    return NewCard(card: card, secret: secret)
  }

  package func card(secret: String, at now: PairingTime) -> PairingCard? {
    let hash = SecretHash(of: secret)
    let found = cards.filter { $0.secret.matches(hash) }
    return found.first { now.wall.duration(since: $0.made) >= .zero - Self.slack }
  }

  /// Ends a phone, or a card and the phones that it has paired.
  ///
  /// - Parameter id: nil for all.
  /// - Returns: how many ended.
  @discardableResult
  package mutating func revoke(_ id: Int?) -> (phones: Int, cards: Int) {
    let before = (phones.count, cards.count)
    phones.removeAll { id == nil || $0.id == id || $0.card == id }
    cards.removeAll { id == nil || $0.id == id }
    return (before.0 - phones.count, before.1 - cards.count)
  }
}

extension PairedPhone {
  fileprivate func isEndedBySettingForward(at now: PairingTime) -> Bool {
    guard let end, now.wall.duration(since: until) >= .zero else { return false }
    return now.monotonic.duration(to: end) > PairedPhones.slack
  }
}

/// A phone that has just been paired, and the only copy of its token.
package struct NewPhone: Sendable {
  package let phone: PairedPhone
  package let token: String
}

/// A card that has just been made, and the only copy of its secret.
package struct NewCard: Sendable {
  package let card: PairingCard
  package let secret: String
}
