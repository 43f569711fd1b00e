import CourtLogic
import RunLog
import TestSupport
import Testing

@testable import SessionSummary

/// The quick reader says what JSON says, or nothing. What it saves, `tools/bench/sessions` measures.
struct QuickPositionsTests {
  private static let sources = [
    SourceID(connection: "client 1"), SourceID(connection: "client 1", id: "a\"b\\,\"t\":1"),
    SourceID(connection: "ü,\"t\":", id: ""),
  ]

  @Test(arguments: seeds())
  func allButTheFirstLineOfASourceAreReadQuickly(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var log = LogText()
    for step in 0..<3000 {
      log.position(
        .random(in: -50...50, using: &random),
        Double(Int.random(in: -50...50, using: &random)),
        at: Double(step) / 30,
        from: Self.sources.randomElement(using: &random)!
      )
    }
    var quick = QuickPositions()
    var slow = 0
    for line in log.lines.map({ Array($0.dropLast()) }) {
      let record = try LogLine(line)
      let expected = try QuickPositions.Position(record)
      if let position = quick.position(line) {
        #expect(position.source == expected.source && position.t == expected.t)
        #expect(abs(position.x - expected.x) < 1e-9 && abs(position.y - expected.y) < 1e-9)
      } else {
        slow += 1
        #expect(record.isPlainPosition)
        quick.learn(line, of: expected.source)
      }
    }
    // Numbers with an exponent, and those with too many digits, are JSON's.
    #expect(slow < 3000 / 20, "\(slow)")
  }

  @Test(arguments: [
    #"{"connection":"a","event":"position","t":1.5,"x":1,"y":2,"z":3}"#,
    #"{"connection":"a","event":"position","t":1.5,"x":1,"y":2"#,
    #"{"connection":"a","event":"position","t":1.5,"x":1,"y":2}}"#,
    #"{"connection":"a","event":"position","t":1.5,"x":1e3,"y":2}"#,
    #"{"connection":"a","event":"position","t":1.5,"x":,"y":2}"#,
    #"{"connection":"a","event":"position","t":1.5,"x":1.,"y":2}"#,
    #"{"connection":"a","event":"position","t":-,"x":1,"y":2}"#,
    #"{"connection":"a","event":"position","t":1.5,"x":1234567890123456789,"y":2}"#,
    #"{"connection":"a","event":"position","t":1.5,"y":1,"x":2}"#,
    #"{"connection":"b","event":"position","t":1.5,"x":1,"y":2}"#,
    #"{"connection":"a","event":"position","t":"#, "",
  ])
  func allElseIsLeftToJSON(_ text: String) {
    var quick = QuickPositions()
    let line = Array(#"{"connection":"a","event":"position","t":0.5,"x":1,"y":2.25}"#.utf8)
    let unknown = quick.position(line)
    quick.learn(line, of: SourceID(connection: "a"))
    let known = quick.position(line)
    let other = quick.position(Array(text.utf8))
    #expect(unknown == nil && other == nil)
    #expect(known.map { [$0.t, $0.x, $0.y] } == [0.5, 1, 2.25])
  }
}
