import CourtLogic
import Host
import TestSupport
import Testing

struct LineSplitterTests {
  private static let longest = String(repeating: "a", count: LineSplitter.longestLine)

  @Test(
    arguments: [
      ("", []),
      ("a", [(1, .unterminated("a"))]),
      ("a\nb\n", [(1, .line("a")), (2, .line("b"))]),
      ("a\r\nb\r\n", [(1, .line("a")), (2, .line("b"))]),
      ("a\r\nb\r", [(1, .line("a")), (2, .unterminated("b"))]),
      ("\n\r\n\n", [(1, .line("")), (2, .line("")), (3, .line(""))]),
      ("a\rb\n", [(1, .line("a\rb"))]),
      ("\u{FEFF}a\n\u{FEFF}b\n", [(1, .line("a")), (2, .line("\u{FEFF}b"))]),
      ("\u{FEFF}\r\n", [(1, .line(""))]),
      ("\0\n", [(1, .line("\0"))]),
      (longest + "\nb\n", [(1, .line(longest)), (2, .line("b"))]),
      (longest + "\r\nb\n", [(1, .line(longest)), (2, .line("b"))]),
      (longest, [(1, .unterminated(longest))]),
      (longest + "a\nb\n", [(1, .tooLong), (2, .line("b"))]),
      (longest + "\ra\nb\n", [(1, .tooLong), (2, .line("b"))]),
      (longest + "\r\r\nb\n", [(1, .tooLong), (2, .line("b"))]),
      (longest + longest + longest, [(1, .tooLong)]),
      (
        "a\n" + longest + "aa\r\n\nb",
        [(1, .line("a")), (2, .tooLong), (3, .line("")), (4, .unterminated("b"))]
      ),
    ] as [(String, [(Int, LineSplitter.Content)])]
  )
  func linesAreCutAndNumbered(text: String, expected: [(Int, LineSplitter.Content)]) {
    for chunk in [1, 2, 3, 4096, 100_000] {
      let lines = split(Array(text.utf8)) { chunk }
      #expect(lines.map(\.0) == expected.map(\.0), "in pieces of \(chunk)")
      #expect(lines.map(\.1) == expected.map(\.1), "in pieces of \(chunk)")
    }
  }

  @Test func aLineOf10MegabytesIsSkippedInBoundedMemory() {
    var splitter = LineSplitter()
    var seen: [(Int, LineSplitter.Content)] = []
    let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 65_536)
    for _ in 0..<160 {
      piece.withUnsafeBytes { splitter.append($0) { seen.append(($0, $1)) } }
      #expect(splitter.heldCount <= LineSplitter.longestLine + 1)
    }
    Array("\nnext\n".utf8).withUnsafeBytes { splitter.append($0) { seen.append(($0, $1)) } }
    #expect(seen.map(\.0) == [1, 2])
    #expect(seen.map(\.1) == [.tooLong, .line("next")])
  }

  @Test(arguments: seeds()) func theCutsOfTheStreamDoNotMatter(seed: UInt64) {
    print("LineSplitter: seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0...20, using: &generator) {
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: bytes += [0xEF, 0xBB, 0xBF]
        case 1:
          let count = LineSplitter.longestLine + Int.random(in: -2...2, using: &generator)
          bytes += [UInt8](repeating: 0x61, count: count)
        case 2, 3: bytes += [0x0D, 0x0A]
        case 4: bytes += [0x0D]
        case 5, 6, 7: bytes += [0x0A]
        default:
          for _ in 0..<Int.random(in: 0...30, using: &generator) {
            bytes.append(UInt8.random(in: 0...255, using: &generator))
          }
        }
      }
      let whole = split(bytes) { bytes.count + 1 }
      let pieces = split(bytes) {
        Int.random(in: 1...[3, 50, 5_000].randomElement(using: &generator)!, using: &generator)
      }
      #expect(whole.map(\.0) == pieces.map(\.0), "seed \(seed)")
      #expect(whole.map(\.1) == pieces.map(\.1), "seed \(seed)")
      #expect(whole.map(\.0) == Array(1..<whole.count + 1), "seed \(seed)")
    }
  }

  private func split(_ bytes: [UInt8], by size: () -> Int) -> [(Int, LineSplitter.Content)] {
    var splitter = LineSplitter()
    var lines: [(Int, LineSplitter.Content)] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(size())
      piece.withUnsafeBytes { splitter.append($0) { lines.append(($0, $1)) } }
      rest = rest.dropFirst(piece.count)
    }
    splitter.finish { lines.append(($0, $1)) }
    return lines
  }
}

extension LineSplitter.Content {
  fileprivate static func line(_ text: String) -> Self { .line(Array(text.utf8)) }
  fileprivate static func unterminated(_ text: String) -> Self { .unterminated(Array(text.utf8)) }
}
