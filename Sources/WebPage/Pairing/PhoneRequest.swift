import ControlProtocol
package import Host
import JSON

/// What an operator asks of the page's service. Clients write it, and the service reads it.
enum PhoneRequest: Hashable, Sendable {
  /// A code for one phone.
  case pair
  case card(days: Int)
  case phones
  /// A phone, a card with its phones, or, without a number, all.
  case revoke(Int?)

  enum Method: String, CaseIterable {
    case pair, card, phones, revoke
  }

  var method: Method {
    switch self {
    case .pair: .pair
    case .card: .card
    case .phones: .phones
    case .revoke: .revoke
    }
  }

  var parameters: [String: JSONValue] {
    switch self {
    case .pair, .phones: [:]
    case .card(let days): ["days": .integer(Int64(days))]
    case .revoke(let id?): ["id": .integer(Int64(id))]
    case .revoke(nil): ["all": .boolean(true)]
    }
  }

  init(_ line: ControlLine) throws(ControlError) {
    var parameters = line.parameters
    switch try line.method(of: Method.self) {
    case .pair: self = .pair
    case .phones: self = .phones
    case .card:
      let valid = PairedPhones.cardDays
      let days = try parameters.take("days", "a number from 1 to \(valid.upperBound)") { value in
        value.integer.flatMap { valid.contains($0) ? $0 : nil }
      }
      guard let days else { throw .invalidParameters("“days” is missing") }
      self = .card(days: days)
    case .revoke:
      let id = try parameters.take("id", "a whole number", \.integer)
      let all = try parameters.take("all", "true or false", \.boolean) ?? false
      // Never all of them by a slip.
      guard (id != nil) != all else {
        throw .invalidParameters("give either “id” or “all”: true")
      }
      self = .revoke(id)
    }
    try parameters.finish()
  }
}

/// A code for one phone, which `pair-phone` has asked for.
package struct CodeRecord: Codable, Hashable, Sendable {
  /// The box's name, without its domain; nil: of an older service.
  package var hostname: String?
  /// The code that pairs the phone.
  package var digits: String
  /// How long the code is valid, in seconds.
  package var seconds: Int
  /// What the QR code says, and the phone opens: the page's address and the digits.
  package var url: String
  /// The URLs of the page, the most promising one first.
  package var addresses: [String]
  /// Why no phone reaches the page.
  package var warning: String?
}

/// A card for all phones.
package struct CardRecord: Codable, Hashable, Sendable {
  package var id: Int
  /// The box's name, without its domain; nil: of an older service.
  package var hostname: String?
  package var secret: String
  package var until: WallTime
  package var url: String
  package var addresses: [String]
  package var warning: String?
}

/// The phones and cards, as `phones` lists them.
package struct PhonesRecord: Codable, Hashable, Sendable {
  /// A phone that is paired.
  package struct Phone: Codable, Hashable, Sendable {
    /// The phone's number.
    package var id: Int
    /// The phone's kind, such as `iPhone`.
    package var name: String
    /// When it was paired.
    package var paired: WallTime
    /// When it last asked for something.
    package var lastSeen: WallTime
    /// When it must be paired again.
    package var until: WallTime
    /// The number of the card that paired it; nil: a code did.
    package var card: Int?
  }

  /// A printed card with which phones are paired.
  package struct Card: Codable, Hashable, Sendable {
    /// The card's number.
    package var id: Int
    /// When it was made.
    package var made: WallTime
    /// When it ends.
    package var until: WallTime
  }

  /// The phones that are paired.
  package var phones: [Phone]
  /// The cards that are valid.
  package var cards: [Card]

  init(_ all: PairedPhones) {
    phones = all.phones.map { phone in
      Phone(
        id: phone.id,
        name: phone.name,
        paired: phone.paired,
        lastSeen: phone.seen,
        until: phone.until,
        card: phone.card
      )
    }
    cards = all.cards.map { Card(id: $0.id, made: $0.made, until: $0.until) }
  }
}

/// How many phones and cards `phones` has revoked.
package struct RevokedRecord: Codable, Hashable, Sendable {
  /// How many phones ended.
  package var phones: Int
  /// How many cards ended.
  package var cards: Int
}
