import Foundation
import Glibc
import JSON
import Testing

struct JSONTextTests {
  @Test(
    arguments: [
      ("null", .null), ("true", .boolean(true)), (" false ", .boolean(false)),
      ("-7", .integer(-7)), ("9223372036854775807", .integer(.max)), ("7.0", .number(7)),
      (#""ä\u00e4\ud83c\udfbe""#, .string("ää🎾")), ("[]", .array([])),
      (
        #"{"a":[1,{"b":null}],"c":"d"}"#,
        .object(["a": .array([.integer(1), .object(["b": .null])]), "c": .string("d")])
      ),
    ] as [(String, JSONValue)]
  )
  func everyKindOfValueIsRead(text: String, value: JSONValue) throws {
    #expect(try JSONValue(text: Array(text.utf8)) == value)
  }

  @Test(
    arguments: [
      ("", .notJSON), ("{", .notJSON), ("[1,]", .notJSON), (#"{"a":1,}"#, .notJSON),
      ("{} {}", .notJSON), ("01", .notJSON), ("NaN", .notJSON), ("'a'", .notJSON),
      ("\u{FEFF}{}", .notJSON), ("[1]\0", .notJSON), (#"{"a":1,"a":1}"#, .doubledKey),
      (#"[{"é":1,"e\u0301":2}]"#, .doubledKey), ("9223372036854775808", .numberOutOfRange),
      ("-9223372036854775809", .numberOutOfRange), ("1e999", .numberOutOfRange),
      (#""\u0000""#, .nul), (#"{"\u0000":1}"#, .nul),
    ] as [(String, JSONTextError)]
  )
  func whatIsNotReadSaysWhy(text: String, error: JSONTextError) {
    #expect(throws: error) { try JSONValue(text: Array(text.utf8)) }
  }

  @Test(arguments: [[0xFF], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] as [[UInt8]])
  func bytesThatAreNoUTF8AreRefused(text: [UInt8]) {
    #expect(throws: JSONTextError.notUTF8) { try JSONValue(text: text) }
  }

  @Test(
    arguments: [
      String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16, .utf32LittleEndian,
      .utf32BigEndian,
    ]
  )
  func noOtherEncodingIsRead(encoding: String.Encoding) throws {
    let text = try #require(#"{"a":[1]}"#.data(using: encoding))
    #expect(throws: JSONTextError.self) { try JSONValue(text: Array(text)) }
  }

  @Test func depthAndNumberOfValuesAreLimited() throws {
    #expect(try JSONValue(text: Array("[[1,2]]".utf8), deepest: 2, most: 4)["a"] == nil)
    #expect(throws: JSONTextError.tooMuch) { try JSONValue(text: Array("[[]]".utf8), deepest: 1) }
    #expect(throws: JSONTextError.tooMuch) {
      try JSONValue(text: Array(#"{"a":{}}"#.utf8), deepest: 1)
    }
    #expect(throws: JSONTextError.tooMuch) { try JSONValue(text: Array("[[1,2]]".utf8), most: 3) }
    for depth in [33, 2_000, 1_000_000] {
      let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      #expect(throws: JSONTextError.tooMuch) { try JSONValue(text: Array(nested.utf8)) }
    }
  }

  /// Eight times as deep, and as wide, and so eight times as long: linear costs eight times as much,
  /// n² 64 times.
  @Test(arguments: [("[", "]"), (#"{"a":"#, "}")]) func costGrowsWithLengthAlone(
    opening: String,
    closing: String
  ) {
    func deep(_ depth: Int) -> [UInt8] {
      let value =
        String(repeating: opening, count: depth) + "1" + String(repeating: closing, count: depth)
      return Array("[\(Array(repeating: value, count: 32).joined(separator: ","))]".utf8)
    }
    func wide(_ width: Int) -> [UInt8] {
      let members = (0..<width).map { opening == "[" ? "[\($0)]" : #"{"a\#($0)":1}"# }
      return Array("[\(members.joined(separator: ","))]".utf8)
    }
    for (short, long) in [(deep(200), deep(1_600)), (wide(1_000), wide(8_000))] {
      #expect(cost(of: long) < cost(of: short) * 32)
    }
  }

  @Test func costGrowsWithTheMembersOfAnObject() {
    func object(_ count: Int) -> [UInt8] {
      Array("{\((0..<count).map { #""a\#($0)":1"# }.joined(separator: ","))}".utf8)
    }
    #expect(cost(of: object(8_000)) < cost(of: object(1_000)) * 32)
  }

  /// The thread's own processor time, which other work on the box doesn't add to; the least of several.
  private func cost(of text: [UInt8]) -> Duration {
    (0..<9).map { _ in
      let start = Self.processorTime
      _ = try? JSONValue(text: text)
      return Self.processorTime - start
    }.min() ?? .zero
  }

  private static var processorTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
