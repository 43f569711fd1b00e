import Host
import Programs
import WebPage

/// `ballmachine phones`: which phones may arm.
struct ShowPhones: Subcommand {
  var revoked: Int?
  var revokesAll = false

  static let usage = Usage<Self>(
    name: "phones",
    summary: "List the phones that may arm, and the cards; revoke them",
    options: [
      .value(
        "revoke",
        .integer("ID", in: 1...Int(Int32.max)),
        \.revoked,
        "End this phone, or this card and the phones that it has paired"
      ),
      .flag("revoke-all", \.revokesAll, "End all phones and cards, and the code that is shown"),
    ],
    details: """
      For operators: the group ballmachine-operator. A phone that is revoked still sees the session \
      and can stop the machine, as any phone.
      """
  )

  func validate() throws(UsageError) {
    guard revoked == nil || !revokesAll else {
      throw UsageError("give --revoke or --revoke-all, not both")
    }
  }

  func run(_ output: Output) async throws {
    let client = PhoneClient(path: ProgramPlaces.web.socket)
    guard revoked != nil || revokesAll else {
      let phones = try await client.phones()
      return try await output.write(RecordReport("phones", phones, lines: phones.lines))
    }
    let record = try await client.revoke(revoked)
    let (phones, cards) = (counted(record.phones, "phone"), counted(record.cards, "card"))
    try await output.confirm(
      RecordReport("revoked", record, text: "revoked: \(phones), \(cards)")
    )
  }
}

extension PhonesRecord {
  fileprivate var lines: [String] {
    let phones = phones.map { phone in
      let card = phone.card.map { ", by card \($0)" } ?? ""
      return "\(padded("\(phone.id)", to: 4)) \(phone.name)\(card)"
        + ", seen \(phone.lastSeen.localDate), until \(phone.until.localDate)"
    }
    let cards = cards.map { card in
      "\(padded("\(card.id)", to: 4)) card, until \(card.until.localDate)"
    }
    return phones.isEmpty && cards.isEmpty
      ? ["no phone is paired; `ballmachine pair-phone' pairs one"]
      : phones + cards
  }
}
