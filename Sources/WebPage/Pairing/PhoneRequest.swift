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

/// A code for one phone.
package struct CodeRecord: Codable, Hashable, Sendable {
  /// The box's name, without its domain; nil: of an older service.
  package var hostname: String?
  package var digits: String
  /// How long the code is valid, in seconds.
  package var seconds: Int
  /// What the QR code says: the page's address and the digits.
  package var url: String
  /// All addresses of the page, the best first.
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

/// The phones that are paired, and the cards that are valid.
package struct PhonesRecord: Codable, Hashable, Sendable {
  package struct Phone: Codable, Hashable, Sendable {
    package var id: Int
    package var name: String
    package var paired: WallTime
    package var lastSeen: WallTime
    package var until: WallTime
    package var card: Int?
  }

  package struct Card: Codable, Hashable, Sendable {
    package var id: Int
    package var made: WallTime
    package var until: WallTime
  }

  package var phones: [Phone]
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

/// How many ended.
package struct RevokedRecord: Codable, Hashable, Sendable {
  package var phones: Int
  package var cards: Int
}
