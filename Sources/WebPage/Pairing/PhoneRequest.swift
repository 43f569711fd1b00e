package import Host

/// What an operator asks of the page's service, as a line of JSON.
enum PhoneRequest: Hashable, Sendable {
  /// A code for one phone.
  case pair
  case card(days: Int)
  case phones
  /// A phone, a card with its phones, or, without a number, all.
  case revoke(Int?)
}

extension PhoneRequest: Codable {
  private enum Key: CodingKey { case method, params }
  private enum Parameter: CodingKey { case days, id, all }

  init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    func parameters() throws -> KeyedDecodingContainer<Parameter> {
      try object.nestedContainer(keyedBy: Parameter.self, forKey: .params)
    }
    switch try object.decode(String.self, forKey: .method) {
    case "pair": self = .pair
    case "phones": self = .phones
    case "card":
      let days = try parameters().decode(Int.self, forKey: .days)
      guard PairedPhones.cardDays.contains(days) else {
        throw PairingFailure("days is not between 1 and \(PairedPhones.cardDays.upperBound)")
      }
      self = .card(days: days)
    case "revoke":
      let id = try parameters().decodeIfPresent(Int.self, forKey: .id)
      let all = try parameters().decodeIfPresent(Bool.self, forKey: .all)
      // Never all of them by a slip.
      guard (id != nil) != (all == true) else {
        throw PairingFailure("revoke needs an id, or all: true")
      }
      self = .revoke(id)
    case let method: throw PairingFailure("there is no method \(method.excerpt)")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    switch self {
    case .pair: try object.encode("pair", forKey: .method)
    case .phones: try object.encode("phones", forKey: .method)
    case .card(let days):
      try object.encode("card", forKey: .method)
      try object.encode(["days": days], forKey: .params)
    case .revoke(let id):
      try object.encode("revoke", forKey: .method)
      if let id {
        try object.encode(["id": id], forKey: .params)
      } else {
        try object.encode(["all": true], forKey: .params)
      }
    }
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
