import Host
import Testing

@testable import WebPage

struct QRCodeTests {
  @Test func theTerminalsPictureIsGolden() throws {
    let code = try #require(QRCode("http://10.0.0.1:8080/#pair=12345678"))
    #expect(code.width == 33 + 4)
    let lines = code.text(ink: .dark).split(separator: "\n").map { $0 + "|" }
    #expect(lines.joined(separator: "\n") == Self.golden)
  }

  /// The same picture, with what is dark drawn or left out.
  @Test func lightInkIsTheSameInverted() throws {
    let code = try #require(QRCode("http://10.0.0.1:8080/#pair=12345678"))
    let inverted = Dictionary(uniqueKeysWithValues: zip("█▀▄ \n", " ▄▀█\n"))
    let lines = code.text(ink: .light).map { inverted[$0] ?? "?" }
    #expect(String(lines) == code.text(ink: .dark))
  }

  @Test func aQuietZoneOfFourIsAround() throws {
    let code = try #require(QRCode("x"))
    let lines = code.text(ink: .dark).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == (code.width + 1) / 2 && lines.allSatisfy { $0.count == code.width })
    for line in lines[..<2] + lines[(lines.count - 2)...] {
      #expect(line.allSatisfy { $0 == " " })
    }
    for line in lines { #expect(line.hasPrefix("    ") && line.hasSuffix("    ")) }
  }

  private static let texts = [
    "box      court1", "code     1234 5678, for one phone, 5 minutes",
    "page     http://10.0.0.1:8080/", "         http://court1.local:8080/",
  ]

  /// A terminal of 80 by 24 shows all of it, and the next prompt.
  @Test(arguments: [80, 120]) func theTextIsBesideThePicture(width: Int) throws {
    let code = try #require(QRCode("http://10.0.0.1:8080/#pair=12345678"))
    let lines = code.lines(with: Self.texts, label: 9, width: width)
    #expect(lines.map(\.picture) == code.text(ink: .dark).split(separator: "\n").map(String.init))
    #expect(lines.count <= 23 && lines.allSatisfy { $0.picture.count + $0.text.count <= width })
    let text = lines.map { $0.text.drop { $0 == " " } }.filter { !$0.isEmpty }
    #expect(text.contains { $0.hasPrefix("code     1234 5678") })
    #expect(
      text.contains("page     http://10.0.0.1:8080/") && text.last == "http://court1.local:8080/"
    )
  }

  @Test func anAddressThatIsTooLongGoesOnBelow() throws {
    let code = try #require(QRCode("http://10.0.0.1:8080/#pair=12345678"))
    let address = "https://a-court-with-a-long-name.of-a-club.example:8080/"
    let lines = code.lines(with: ["page     " + address], label: 9, width: 80)
    #expect(lines.allSatisfy { $0.picture.count + $0.text.count <= 80 })
    let text = lines.map { $0.text.dropFirst(2 + 9) }.joined()
    #expect(text == address)
  }

  @Test func moreTextThanPictureGoesOnBesideNothing() throws {
    let code = try #require(QRCode("x"))
    let texts = (0..<20).map { "page     http://10.0.0.\($0)/" }
    let lines = code.lines(with: texts, label: 9, width: 80)
    #expect(lines.filter { !$0.text.isEmpty }.count == 20)
    #expect(lines.last == .init(text: String(repeating: " ", count: code.width + 2) + texts[19]))
  }

  @Test func inANarrowTerminalTheTextIsBelow() throws {
    let code = try #require(QRCode("http://10.0.0.1:8080/#pair=12345678"))
    let lines = code.lines(with: Self.texts, label: 9, width: 60)
    #expect(lines.suffix(4).map(\.text) == Self.texts)
    #expect(lines.dropLast(4).allSatisfy { $0.text.isEmpty })
  }

  @Test func textsThatDontFitHaveNone() {
    #expect(QRCode("") == nil)
    #expect(QRCode(String(repeating: "x", count: 3000)) == nil)
  }

  /// The runs of the path are the modules that the terminal's picture shows.
  @Test func thePathHasTheSameModules() throws {
    let code = try #require(QRCode("http://10.0.0.1:8080/#pair=12345678"))
    let dark = code.text(ink: .dark).reduce(0) {
      $0 + ($1 == "█" ? 2 : $1 == "▀" || $1 == "▄" ? 1 : 0)
    }
    let runs = code.path.split(separator: "M").compactMap { run in
      run.split(separator: "h").dropFirst().first?.split(separator: "v").first.flatMap { Int($0) }
    }
    #expect(runs.reduce(0, +) == dark)
  }

  @Test func aCardIsPrintableAndEscaped() throws {
    let record = CardRecord(
      id: 7,
      hostname: "court<1",
      secret: "s",
      until: WallTime(secondsSince1970: 1_800_000_000),
      url: "http://a<b&\"c:8080/#pair=s",
      addresses: ["http://a<b&\"c:8080/"],
      warning: nil
    )
    let svg = try #require(PrintedCard.svg(record))
    #expect(svg.contains("http://a&lt;b&amp;&quot;c:8080/") && svg.contains("Card 7, valid until "))
    #expect(svg.contains(">court&lt;1</text>") && !svg.contains("a<b"))
  }

  /// With the right margin's end.
  private static let golden = """
                                         |
                                         |
        █▀▀▀▀▀█  ▀ ▄█ ▀ ▄▄ ▀▄ █▀▀▀▀▀█    |
        █ ███ █  ▄▀▀█▄▀▀ ▀██  █ ███ █    |
        █ ▀▀▀ █ ▄█▀▀   ▄  ▀▄▀ █ ▀▀▀ █    |
        ▀▀▀▀▀▀▀ ▀ ▀▄█▄▀▄█▄█▄█ ▀▀▀▀▀▀▀    |
        ▀▄▄█ █▀ ▀█ ▄█▄▀▀   ▀ ▀▄█ ▄  ▄    |
        █▄▀▀ █▀ ▄▄ ▄▄█▀ █ ███▄ ▄▄███     |
        █▄█▀ █▀▀ ▀██ ▄█ ▄█▄▄ ▄▀▄ ▀▄▀▀    |
        ▀▀██▄▄▀█ ▄█  ▀▀ █▄▀▄ █▄█▀▄▀█▀    |
         ▄ ▄▄▄▀▄▄█  ██▄ ▀██ ▄ ▄▀ ▀ ▀▄    |
        ▀ ▄██ ▀▀▀▄ ▀█ █▄ ▄▄ ▀ █ ▄▀ ██    |
        ▀  ▀▀▀▀ ▄█▄█  ▄  ▄█ █▀▀▀█ █▄▄    |
        █▀▀▀▀▀█ ▄▄▀█▄ ▄▄▄ █▄█ ▀ █▄▄▀▄    |
        █ ███ █ ▄███▀▄  ▄██ ▀████▀ ▄▀    |
        █ ▀▀▀ █  ██ ▄██  ▄▀ ██▄█▀█ ▄▀    |
        ▀▀▀▀▀▀▀ ▀ ▀ ▀▀  ▀▀▀▀▀ ▀ ▀  ▀     |
                                         |
                                         |
    """
}
