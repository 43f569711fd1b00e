import Glibc
import Host
import Programs
import Terminal
import WebPage

/// `ballmachine pair-phone`: lets a phone arm.
struct PairPhone: Subcommand {
  var card: String?
  var days: Int?

  static let usage = Usage<Self>(
    name: "pair-phone",
    summary: "Let a phone arm: show a code and a QR code for it",
    options: [
      .value("card", .text("FILE"), \.card, "Write a card to print instead, as SVG; - prints it"),
      .value(
        "days",
        .integer("NUMBER", in: PairedPhones.cardDays),
        \.days,
        "How long the card is valid (default: \(defaultDays))"
      ),
    ],
    details: """
      For operators: the group ballmachine-operator. A phone that scans the QR code, or opens the \
      page and types the code, is paired for 12 h. The code is for one phone: it is valid for five \
      minutes, and a new one replaces it. Five wrong tries lock the address that they come from, until \
      there is a new code; fifty of all addresses end the code.

      A card is for a box without a screen. Each phone that scans it is paired for 12 h, until the \
      card's days are over or `ballmachine phones --revoke' ends it. Only you can read FILE.
      """
  )

  private static let defaultDays = 30

  func validate(isJSON: Bool) throws(UsageError) {
    guard days == nil || card != nil else { throw UsageError("--days goes with --card") }
    guard !isJSON || card != "-" else {
      throw UsageError("give only one of --json and --card -")
    }
  }

  func run(_ output: Output) async throws {
    let client = PhoneClient(path: ProgramPlaces.web.socket)
    if let card {
      try await make(card, client, output)
    } else {
      let code = try await client.pair()
      try await output.write(code)
    }
  }

  private func make(_ file: String, _ client: PhoneClient, _ output: Output) async throws {
    let record = try await client.card(days: days ?? Self.defaultDays)
    do {
      guard let svg = PrintedCard.svg(record) else {
        throw Failure(.badData, "the page's address is too long for a QR code")
      }
      guard file != "-" else {
        try await output.write(bytes: Array(svg.utf8))
        if let warning = record.warning { Output.complain("warning  \(warning)") }
        return
      }
      // The card's QR code is the secret.
      do throws(SystemError) {
        try ReplacedFile.write(Array(svg.utf8), to: file, mode: 0o600)
      } catch {
        throw Failure(ExitCode(writing: error), error)
      }
    } catch {
      // No card may be valid that no person has.
      _ = try? await client.revoke(record.id)
      throw error
    }
    try await output.confirm(CardReport(record: record, file: file))
  }
}

extension Output {
  /// A code, with a QR code where a phone can use it: black on white where a terminal takes colours, as
  /// not every phone reads it inverted.
  fileprivate func write(_ code: CodeRecord) async throws {
    let text = RecordReport("pairing", code, lines: code.lines)
    let environment = LiveTerminal.variable
    guard code.warning == nil, style == .text, TerminalAbilities(environment: environment).unicode,
      let picture = QRCode(code.url)
    else { return try await write(text) }
    if isatty(descriptor) == 1, let kind = environment("TERM"), kind != "dumb" {
      let lines = picture.lines(
        with: code.lines,
        label: CodeRecord.labelWidth,
        width: LiveTerminal.size.width
      )
      try await write(blackOnWhite: lines.map { ($0.picture, $0.text) })
    } else {
      try await write(text)
      // Terminals are dark more often than light.
      try await write(TextReport(picture.text(ink: .light)))
    }
  }
}

extension CodeRecord {
  fileprivate static let labelWidth = 9

  fileprivate var lines: [String] {
    let code = "\(digits.prefix(4)) \(digits.suffix(4))"
    let lines = [
      hostname.map { "box      \($0)" },
      "code     \(code), for one phone, \(seconds / 60) minutes",
    ].compactMap(\.self)
    return lines + hanging("page     ", addresses)
      + [warning.map { "warning  \($0)" }].compactMap(\.self)
  }
}

/// A card that was made.
private struct CardReport: LinedReport {
  var record: CardRecord
  var file: String

  var lines: [String] {
    let name = record.hostname.map { " of \($0)" } ?? ""
    let card = "\(file): card \(record.id)\(name) for \(record.addresses.first ?? "no address")"
    return ["\(card), valid until \(record.until.localDate)", record.warning].compactMap(\.self)
  }

  /// Encodes the card without the secret, which is in the file.
  func encode(to encoder: any Encoder) throws {
    try encoder.encode(Content(record, file), as: "card")
  }

  /// A card to print, which `pair-phone` has written.
  private struct Content: Encodable {
    /// The card's number.
    var id: Int
    /// The box's name, without its domain; nil: of an older service.
    var hostname: String?
    /// When it ends.
    var until: WallTime
    /// The URLs of the page, the most promising one first.
    var addresses: [String]
    /// The path of the card's file.
    var file: String
    /// Why no phone reaches the page.
    var warning: String?

    init(_ record: CardRecord, _ file: String) {
      id = record.id
      hostname = record.hostname
      until = record.until
      addresses = record.addresses
      self.file = file
      warning = record.warning
    }
  }
}
