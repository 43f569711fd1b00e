import Host
import Testing

/// What people may see of a text from outside.
@Suite struct ForPeopleTests {
  /// Characters that control a terminal, begin a line, turn the text around them, or can't be seen.
  static let hostile: [Unicode.Scalar] =
    (0...0x1F).map { Unicode.Scalar($0)! } + (0x7F...0x9F).map { Unicode.Scalar($0)! } + [
      "\u{AD}", "\u{61C}", "\u{180E}", "\u{200B}", "\u{200C}", "\u{200D}", "\u{200E}", "\u{200F}",
      "\u{2028}", "\u{2029}", "\u{202A}", "\u{202B}", "\u{202C}", "\u{202D}", "\u{202E}",
      "\u{2060}",
      "\u{2066}", "\u{2067}", "\u{2068}", "\u{2069}", "\u{FEFF}", "\u{E0041}",
    ]

  @Test(arguments: hostile)
  func itIsNotShown(_ scalar: Unicode.Scalar) {
    #expect("a\(scalar)".printable.unicodeScalars.contains(scalar) == false)
    #expect("a\(scalar)b".excerpt.unicodeScalars.contains(scalar) == false)
    #expect(Character(scalar).isPrintable == false)
  }

  @Test(arguments: ["Court 7", "Größe", "網球機", "עברית", "é", "e\u{301}", "─│█", "🎾", "~`'\"\\"])
  func whatPeopleWriteIsShown(_ text: String) {
    #expect(text.printable == text)
    #expect(text.excerpt == text)
  }

  @Test func aLineFeedBeginsNoLine() {
    #expect("Ball\n  stop".printable == "Ball?  stop")
    #expect("Ball\r\n  stop".printable == "Ball?  stop")
  }

  @Test func whatIsLongIsCut() {
    #expect("abcd".printable(upTo: 4) == "abcd")
    #expect("abcde".printable(upTo: 4) == "abcd…")
    #expect(String(repeating: "x", count: 10_000).printable(upTo: 60).count == 61)
    let tower = "a" + String(repeating: "\u{301}", count: 100)
    #expect(tower.printable == "?")
  }

  private struct Two: Error, Lined {
    var lines: [String]
  }

  /// Lines of our own stay lines; what they quote makes none.
  @Test func anErrorsLinesAreItsOwn() {
    let error = Two(lines: ["a\nb", "c"])
    #expect(linesForPeople(error, about: "x") == ["x: a?b", "c"])
    #expect(
      linesForPeople(SystemError("open /a\nb", code: 2)) == [
        "can't open /a?b: No such file or directory"
      ]
    )
  }
}
