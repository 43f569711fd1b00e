import Terminal
import Testing

struct KeyDecoderTests {
  static let keys: [(bytes: String, keys: [TerminalKey])] = [
    ("q", [.character("q")]), ("/é中", [.character("/"), .character("é"), .character("中")]),
    ("\r", [.enter]), ("\n", [.enter]), ("\u{7f}\u{8}", [.backspace, .backspace]),
    ("\u{1b}[A\u{1b}[B", [.up, .down]), ("\u{1b}OA\u{1b}OB", [.up, .down]),
    ("\u{1b}[5~\u{1b}[6~", [.pageUp, .pageDown]),
    (
      "\u{1b}[H\u{1b}[F\u{1b}[1~\u{1b}[4~\u{1b}[7~\u{1b}[8~",
      [.home, .end, .home, .end, .home, .end]
    ),
    ("\u{1b}[1;5A", [.up]),
    // The key Escape, and another one.
    ("\u{1b}q", [.escape, .character("q")]),
    // No key here: Delete, F5, Tab, Ctrl-L.
    ("\u{1b}[3~\u{1b}[15~\t\u{c}x", [.character("x")]),
  ]

  @Test(arguments: keys)
  func keysAreFoundHoweverTheBytesCome(_ bytes: String, keys: [TerminalKey]) {
    var whole = KeyDecoder()
    var found = whole.receive(bytes.utf8)
    #expect(found == keys)
    #expect(!whole.isWaiting)
    var pieces = KeyDecoder()
    found = bytes.utf8.flatMap { pieces.receive([$0]) }
    #expect(found == keys)
  }

  @Test func anEscapeAloneIsTheKey() {
    var decoder = KeyDecoder()
    var found = decoder.receive([0x1b])
    #expect(found.isEmpty)
    #expect(decoder.isWaiting)
    found = decoder.finish()
    #expect(found == [.escape])
    #expect(!decoder.isWaiting)
    // The beginning of a key that never ended is none.
    found = decoder.receive([0x1b, 0x5b])
    #expect(found.isEmpty)
    found = decoder.finish()
    #expect(found.isEmpty)
  }

  /// A key that stops must not be lost behind what no terminal sends.
  @Test(arguments: [[0xff], [0xc3], [0xe4, 0xb8], [0x80], [0xed, 0xa0, 0x80]] as [[UInt8]])
  func whatIsNoTextLosesNoKey(_ bytes: [UInt8]) {
    var decoder = KeyDecoder()
    let found = decoder.receive(bytes + [UInt8(ascii: "s")])
    #expect(found == [.character("s")])
  }
}
