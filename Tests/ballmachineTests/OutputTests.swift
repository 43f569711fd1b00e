import Glibc
import Host
import JSON
import Programs
import Testing
import YAML

@testable import ballmachine

struct OutputTests {
  @Test(arguments: [
    (4.123456, 3, 4.123), (-0.0001, 3, 0), (0.0005, 3, 0.001), (2, 0, 2),
    (12.3456789, 6, 12.345679),
  ])
  func numbersAreRoundedForReaders(_ number: Double, _ places: Int, _ rounded: Double) {
    #expect(number.rounded(places: places) == rounded)
    #expect(number.rounded(places: places).sign == (rounded < 0 ? .minus : .plus))
  }

  @Test func jsonIsOneLineWithSortedKeysAndPlainSlashes() throws {
    struct Sample: Encodable {
      var z = 1
      var a = "/x\ny"
    }
    #expect(try Output.json(Sample()) == #"{"a":"/x\ny","z":1}"#)
  }

  /// What is escaped stays the same text to a program.
  @Test func jsonHidesNothingAndTurnsNoText() throws {
    let hostile = "a\u{202e}\u{200b}\u{9b}\u{7f}\u{2028}\u{e0041}\u{1b}é 中🎾"
    let json = try Output.json(["x": hostile])
    #expect(json == #"{"x":"a\u202e\u200b\u009b\u007f\u2028\udb40\udc41\u001bé 中🎾"}"#)
    #expect(try JSONValue(text: Array(json.utf8)) == .object(["x": .string(hostile)]))
  }

  /// A stranger's device may be called anything.
  @Test func whatSpeaksToATerminalIsNotSaid() {
    let hostile = "a\u{1b}[2J\u{7}b\tc\u{9b}1m\r\nd\u{202e}e ü ─"
    #expect(Output.clean([hostile, "f"]) == "a?[2J?b?c?1m?d?e ü ─\nf")
  }

  @Test(arguments: [
    ("", 5, [""]), ("a b c", 5, ["a b c"]), ("aaa bbb", 5, ["aaa", "bbb"]),
    ("a bbbbbbbb c", 5, ["a", "bbbbbbbb", "c"]), ("aa bb cc", 5, ["aa bb", "cc"]),
  ])
  func longTextIsBrokenAtSpaces(_ text: String, _ width: Int, _ lines: [String]) {
    #expect(wrapped(text, to: width) == lines)
  }

  @Test(arguments: [
    ("srve", "serve"), ("serv", "serve"), ("simulat", "simulate"), ("sned", "send"),
    ("sim", "simulate"), ("SERVE", nil), ("play", "replay"), ("stop", nil), ("", nil), ("s", nil),
  ])
  func aSlipIsRecognised(_ word: String, _ meant: String?) {
    #expect(nearMiss(word, among: ["serve", "simulate", "send", "scan", "replay"]) == meant)
  }
}
