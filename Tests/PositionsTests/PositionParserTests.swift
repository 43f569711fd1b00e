import CourtLogic
import Foundation
import JSON
import Positions
import Testing

struct PositionParserTests {
  private func parse(
    _ line: [UInt8],
    _ times: PositionTimes = .recorded()
  ) throws(PositionLineError) -> PositionReport? {
    var parser = PositionParser(times)
    return try parser.parse(line)
  }

  @Test(
    arguments: [
      (#"{"x": 4.1, "y": 9.8}"#, 4.1, 9.8, nil, nil, nil),
      (#"{"y":9.8,"x":4,"extra":{"a":[1,null,"b"]},"z":"w"}"#, 4, 9.8, nil, nil, nil),
      (#" {"x": 4.1, "y": -9.8e0, "confidence": 0.75} "#, 4.1, -9.8, 0.75, nil, nil),
      (#"{"x": 1, "y": 2, "id": "near", "t": 12.5}"#, 1, 2, nil, "near", .milliseconds(12_500)),
      (
        #"{"x": 1, "y": 2, "id": 7, "t": "2026-11-21 11:01:55"}"#, 1, 2, nil, "7",
        .seconds(1_795_258_915)
      ),
      (#"{"x": 1, "y": 2, "id": null, "t": null, "confidence": null}"#, 1, 2, nil, nil, nil),
      ("12.5,4.1,9.8", 4.1, 9.8, nil, nil, .milliseconds(12_500)),
      (" 12.5 ,\t4.1, 9.8 ", 4.1, 9.8, nil, nil, .milliseconds(12_500)),
      ("2026-11-21 11:01:55,4.1,9.8", 4.1, 9.8, nil, nil, .seconds(1_795_258_915)),
      ("0,-0.0,1e-3", 0, 0.001, nil, nil, .zero),
    ] as [(String, Double, Double, Double?, String?, Duration?)]
  )
  func positionsAreRead(
    line: String,
    x: Double,
    y: Double,
    confidence: Double?,
    id: String?,
    time: Duration?
  ) throws {
    let report = try #require(try parse(Array(line.utf8)))
    #expect(report.position == (try PlayerPosition(x: x, y: y, confidence: confidence)))
    #expect(report.id == id)
    #expect(report.time == time)
  }

  @Test func theLongestIDIsFine() throws {
    let id = String(repeating: "a", count: PositionParser.longestID)
    let line = #"{"x": 1, "y": 2, "id": "\#(id)"}"#
    #expect(try parse(Array(line.utf8))?.id == id)
  }

  @Test(arguments: ["", "   ", "\t", "timestamp,x,y", "Timestamp,X,Y", " timestamp,x,y "])
  func blankLinesAndHeadersSayNothing(line: String) throws {
    #expect(try parse(Array(line.utf8)) == nil)
  }

  @Test(
    arguments: [
      ("hello", .unknownFormat),
      ("1,2", .unknownFormat),
      ("1,2,3,4", .columns(4)),
      ("1,1,912,484,97,109,0.9,-1,-1,-1", .columns(10)),
      ("1,2,3,a", .unknownFormat),
      ("Frame,Visibility,X,Y", .ofTheBall), (",a_0,b_0", .unknownColumns(",a_0,b_0")),
      ("a,b,c,d", .unknownColumns("a,b,c,d")),
      ("[1, 2]", .array),
      (#""x""#, .unknownFormat),
      ("null", .unknownFormat),
      ("{", .notJSON),
      ("{}", .missing(key: "x")),
      (#"{"x": 1}"#, .missing(key: "y")),
      (#"{"X": 1, "y": 1}"#, .missing(key: "x")),
      (#"{"x": 1, "y": 2} {"x": 1, "y": 2}"#, .notJSON),
      (#"{"x": 1, "y": 2"#, .notJSON),
      (#"{x: 1, y: 2}"#, .notJSON),
      (#"{"x": NaN, "y": 2}"#, .notJSON),
      (#"{"x": 1, "y": Infinity}"#, .notJSON),
      (#"{"x": 1, "y": -Infinity}"#, .notJSON),
      (#"{"x": 1e999, "y": 2}"#, .json(.numberOutOfRange)),
      (#"{"x": 9223372036854775808, "y": 2}"#, .json(.numberOutOfRange)),
      (#"{"x": 1, "y": 2,}"#, .notJSON),
      (#"{"x": 1, "y": 2, "z": [1,]}"#, .notJSON),
      (#"{"x": 1, "y": 2, "x": 3}"#, .json(.doubledKey)),
      (#"{"x": 1, "y": 2, "z": {"a": 1, "\u0061": 2}}"#, .json(.doubledKey)),
      (#"{"x": 1, "y": 2, "z": "\u0000"}"#, .json(.nul)),
      (#"{"x": "1", "y": 2}"#, .wrongType(key: "x", expected: "a number")),
      (#"{"x": 1, "y": null}"#, .wrongType(key: "y", expected: "a number")),
      (#"{"x": 1, "y": [2]}"#, .wrongType(key: "y", expected: "a number")),
      (#"{"x": true, "y": 2}"#, .wrongType(key: "x", expected: "a number")),
      (
        #"{"x": 1, "y": 2, "confidence": "high"}"#,
        .wrongType(key: "confidence", expected: "a number")
      ),
      (#"{"x": 1, "y": 2, "id": {}}"#, .wrongType(key: "id", expected: "a string or a number")),
      (#"{"x": 1, "y": 2, "id": true}"#, .wrongType(key: "id", expected: "a string or a number")),
      (#"{"x": 1, "y": 2, "t": false}"#, .wrongType(key: "t", expected: "a string or a number")),
      (#"{"x": 1, "y": 2, "t": "soon"}"#, .notATimestamp("soon")),
      (#"{"x": 1, "y": 2, "t": 1e300}"#, .notATimestamp("1e+300")),
      (#"{"x": 1, "y": 2, "id": "\#(String(repeating: "a", count: 65))"}"#, .longID),
      (#"{"x": 1e4, "y": 2}"#, .position(.tooFar(.x, metres: 10_000))),
      (#"{"x": 1, "y": 2, "confidence": 0.3}"#, .position(.lowConfidence(0.3))),
      (#"{"x": 1, "y": 2, "confidence": 2}"#, .position(.confidenceOutOfRange(2))),
      ("soon,1,2", .notATimestamp("soon")),
      (",1,2", .notATimestamp("")),
      ("0,,2", .notANumber(column: "x", text: "")),
      ("0,1,two", .notANumber(column: "y", text: "two")),
      ("0,nan,2", .notANumber(column: "x", text: "nan")),
      ("0,1,inf", .notANumber(column: "y", text: "inf")),
      ("0,0x1p1,2", .notANumber(column: "x", text: "0x1p1")),
      ("0,１,2", .notANumber(column: "x", text: "１")),
      ("0,1e999,2", .position(.notFinite(.x))),
      ("0,1,10000", .position(.tooFar(.y, metres: 10_000))),
    ] as [(String, PositionLineError)]
  )
  func aBadLineSaysWhy(line: String, error: PositionLineError) {
    #expect(throws: error) { try parse(Array(line.utf8)) }
  }

  @Test(arguments: [
    [0xFF, 0xFE], Array(#"{"x":1,"y":2,"z":""#.utf8) + [0xC3] + Array(#""}"#.utf8),
  ])
  func textThatIsNotUTF8IsRefused(line: [UInt8]) {
    #expect(throws: PositionLineError.notUTF8) { try parse(line) }
  }

  @Test(arguments: [33, 1_900]) func deepNestingIsRefused(depth: Int) {
    let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let line = #"{"x":1,"y":2,"z":\#(nested)}"#
    #expect(throws: PositionLineError.json(.tooMuch)) { try parse(Array(line.utf8)) }
  }

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian])
  func nothingButUTF8IsRead(encoding: String.Encoding) throws {
    let line = try #require(#"{"x":1,"y":2}"#.data(using: encoding))
    #expect(throws: PositionLineError.self) { try parse(Array(line)) }
  }

  @Test(
    arguments: [
      #"{"x": 4.1, "y": 9.8, "t": 1795258915000}"#, #"{"x": 4.1, "y": 9.8, "t": -1e300}"#,
      "1795258915000,4.1,9.8",
    ]
  )
  func aTimeInMillisecondsIsForTracksToRefuse(line: String) throws {
    let report = try #require(try parse(Array(line.utf8), .ofArrival))
    #expect(report.position == (try PlayerPosition(x: 4.1, y: 9.8)))
    #expect(report.time == nil)
    #expect(throws: PositionLineError.self) { try parse(Array(line.utf8)) }
  }

  @Test(arguments: [#"{"x": 1, "y": 2, "t": "soon"}"#, "soon,1,2", ",1,2"])
  func whatIsNoTimeAtAllIsRefusedLiveToo(line: String) {
    #expect(throws: PositionLineError.self) {
      try parse(Array(line.utf8), .ofArrival)
    }
  }

  @Test(
    arguments: [
      (.tooLong, "line 7: longer than 4096 bytes: skipped to its end"),
      (.cut, "line 7: the stream ended in the middle of this line, or its line feed is missing"),
      (.missing(key: "y"), "line 7: “y” is missing"),
      (.wrongType(key: "x", expected: "a number"), "line 7: “x” is not a number"),
      (.notANumber(column: "y", text: "tw\u{1B}o"), #"line 7: y “tw\u{1B}o” is not a number"#),
      (
        .notATimestamp(String(repeating: "z", count: 100)),
        "line 7: timestamp “\(String(repeating: "z", count: 40))…”"
          + " is neither seconds nor yyyy-MM-dd HH:mm:ss"
      ),
      (.position(.lowConfidence(0.3)), "line 7: confidence is 0.3: less than 0.5"),
    ] as [(PositionLineError, String)]
  )
  func theTextNamesTheLine(reason: PositionLineError, text: String) {
    #expect("\(BadLine(line: 7, reason: reason))" == text)
  }
}
