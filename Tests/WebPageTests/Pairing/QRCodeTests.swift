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
