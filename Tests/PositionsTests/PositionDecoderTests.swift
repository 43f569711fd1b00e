import CourtLogic
import TestSupport
import Testing

@testable import Positions

struct PositionDecoderTests {
  @Test(
    arguments: [
      (#"{"x": 1, "y": 2}"#, nil),
      ("0,1,2", nil),
      ("timestamp,x,y", nil),
      (#"{"x": 1, "y": 2"#, .cut),
      (#"{"x": 1, "#, .cut),
      ("0,1,", .cut),
      ("0,1", .cut),
      ("2026-11-2", .cut),
      (#"{"x": 1}"#, .missing(key: "y")),
      ("0,1,99", .position(.tooFar(.y, metres: 99))),
    ] as [(String, PositionLineError?)]
  )
  func aFilesLastLineWithoutEndCountsIfItIsWhole(text: String, reason: PositionLineError?) {
    #expect(
      bad(in: text, mayBeCut: false)
        == (reason.map { [BadLine(line: 2, text: text, reason: $0)] } ?? [])
    )
  }

  @Test(
    arguments: [
      ("1,4.1,9", true), ("0,1,2", true), (#"{"x": 1, "y": 2}"#, true), ("2026-11-2", true),
      ("", false), ("\r", false), ("  ", false), ("timestamp,x,y", false),
    ]
  )
  func aFeedersLastLineWithoutEndIsNoPosition(text: String, isCut: Bool) {
    #expect(
      bad(in: text, mayBeCut: true) == (isCut ? [BadLine(line: 2, text: text, reason: .cut)] : [])
    )
  }

  /// What is wrong with a line that has no end.
  private func bad(in text: String, mayBeCut: Bool) -> [BadLine] {
    var lines: [PositionLine] = []
    var decoder = PositionDecoder(.ofArrival)
    Array(("\n" + text).utf8).withUnsafeBytes { decoder.decode($0) { lines.append($0) } }
    #expect(lines.isEmpty)
    decoder.finish(mayBeCut: mayBeCut) { lines.append($0) }
    return lines.compactMap { if case .bad(let bad) = $0 { bad } else { nil } }
  }

  /// Valid lines, mangled: whatever they become, each line after them is still read and numbered.
  @Test(arguments: seeds()) func mangledLinesHarmNobodyElse(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var decoder = PositionDecoder(.recorded())
    var seen: [String: Int] = [:]
    let valid = [
      #"{"x": 4.1, "y": 9.8, "confidence": 0.9, "id": "near", "t": 12.5}"#, #"{"x":4,"y":9}"#,
      "12.5,4.1,9.8", "2026-11-21 11:01:55,4.1,9.8", "timestamp,x,y",
    ].map { Array($0.utf8) }
    let pieces = [
      "NaN", "1e999", "-", "\"", "{", "}", "[", "null", ",", ":", "\r", "\0", "٣", "\u{FEFF}",
      "\\u",
      "1e-999", "99999999999999999999", "\u{1F3BE}",
    ].map { Array($0.utf8) }

    for index in 0..<3_000 {
      var line = valid.randomElement(using: &generator)!
      for _ in 0..<Int.random(in: 0...3, using: &generator) where !line.isEmpty {
        let place = Int.random(in: 0..<line.count, using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: line[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: line.remove(at: place)
        case 2: line.insert(contentsOf: pieces.randomElement(using: &generator)!, at: place)
        case 3: line.removeLast(line.count - place)
        default:
          line.insert(
            contentsOf: line[place...],
            at: Int.random(in: 0..<line.count, using: &generator)
          )
        }
      }
      line.removeAll { $0 == UInt8(ascii: "\n") }
      var lines: [PositionLine] = []
      (line + Array("\n0,1,\(index % 10)\n".utf8)).withUnsafeBytes {
        decoder.decode($0) { lines.append($0) }
      }
      lines.removeAll { if case .hint = $0 { true } else { false } }
      let good = PositionReport(
        position: try PlayerPosition(x: 1, y: Double(index % 10)),
        time: .zero
      )
      #expect(lines.last == .report(good, line: index * 2 + 2), "seed \(seed)")
      #expect(lines.count <= 2, "seed \(seed)")
      if lines.count == 2 {
        switch lines[0] {
        case .report(_, let number):
          #expect(number == index * 2 + 1, "seed \(seed)")
          seen["report", default: 0] += 1
        case .bad(let bad):
          #expect(bad.line == index * 2 + 1, "seed \(seed)")
          #expect(!bad.description.isEmpty)
          seen["\(bad.reason)".prefix { $0.isLetter }.description, default: 0] += 1
        case .hint: break
        case .wantsReplies: Issue.record("a line of positions asks for replies")
        }
      }
    }
    print("PositionDecoder: seed \(seed), \(seen.sorted { $0.key < $1.key })")
  }
}
