import CourtLogic
import TestSupport
import Testing

@testable import YAML

struct YAMLReaderTests {
  private func problems(_ text: String) -> [String] { problems(Array(text.utf8)) }

  private func problems(_ bytes: [UInt8]) -> [String] {
    YAMLReader.read(bytes).problems.map(\.description)
  }

  @Test func valuesKeepTheirPlaceAndTheirQuotes() throws {
    let text = """
      # é counts as one column
      a:
        "é": no   # text or not: who asks must know
        c: ['1', 2]
      """
    let node = try #require(YAMLReader.read(Array(text.utf8)).root)
    func mark(_ line: Int, _ column: Int) -> YAMLMark { YAMLMark(line: line, column: column) }
    let list = [
      YAMLNode(content: .quoted("1"), mark: mark(4, 7)),
      YAMLNode(content: .plain("2"), mark: mark(4, 12)),
    ]
    let section = YAMLNode(
      content: .mapping([
        .init(key: "é", mark: mark(3, 3), value: .init(content: .plain("no"), mark: mark(3, 8))),
        .init(key: "c", mark: mark(4, 3), value: .init(content: .sequence(list), mark: mark(4, 6))),
      ]),
      mark: mark(3, 3)
    )
    #expect(
      node
        == YAMLNode(
          content: .mapping([.init(key: "a", mark: mark(2, 1), value: section)]),
          mark: mark(2, 1)
        )
    )
  }

  @Test(arguments: ["", "\n\n", "# only a comment\n", "\u{FEFF}", "---\n...\n", "\u{FEFF}# x\n"])
  func aFileMayBeEmpty(_ text: String) {
    let (root, problems) = YAMLReader.read(Array(text.utf8))
    #expect(problems.isEmpty)
    #expect(root == nil || root?.content == .plain(""))
  }

  @Test(arguments: ["\u{FEFF}a: 1\r\n", "---\na: 1\n", "%YAML 1.2\n---\na: 1\n...\n", "{a: 1}"])
  func allFormsOfOneDocumentAreRead(_ text: String) {
    let (root, problems) = YAMLReader.read(Array(text.utf8))
    #expect(problems.isEmpty)
    guard case .mapping(let entries) = root?.content else {
      Issue.record("\(String(describing: root))")
      return
    }
    #expect(entries.map(\.key) == ["a"] && entries.map(\.value.content) == [.plain("1")])
  }

  @Test(arguments: [
    ("a: &x 1\nb: *x", ["1:4: has a YAML anchor", "2:4: aliases such as *x are not supported"]),
    ("a: !!str 1", ["1:4: has a YAML tag"]),
    ("<<: {a: 1}", ["1:1: merge keys (<<) are not supported"]),
    ("a: 1\nb: 2\na: 3", ["3:1: `a` is given twice, first in line 1"]),
    ("a:\n  b: 1\n  \"b\": 2", ["3:3: `b` is given twice, first in line 2"]),
    ("a: 1\n---\nb: 2", ["2:1: a second document"]),
    ("? [x]\n: 1", ["1:3: a key is one word"]),
    ("?\n: 1", ["1:2: a colon without a key"]),
  ])
  func whatAConfigurationDoesNotNeedIsRefused(_ text: String, _ wanted: [String]) {
    let told = problems(text)
    #expect(told.count == wanted.count)
    for (told, wanted) in zip(told, wanted) { #expect(told.hasPrefix(wanted)) }
  }

  @Test(arguments: [
    ("a:\n\tb: 1", "2:1: a tab: YAML is indented with spaces"),
    ("a: b: 1", "1:5: a key is not possible here"),
    ("a:\n  b: 1\n c: 2", "3:2: no key: indent the keys of a section alike"),
    ("a: 1\nb\nc: 3", "2:1: a line without a colon: write KEY: VALUE"),
    ("a: \"b\n", "1:4: a quote that is never closed"),
    ("a: [1, 2\n", "1:4: a [ that is never closed, or a missing comma"),
    ("a: {b: 2\n", "1:4: a { that is never closed, or a missing comma"),
    ("a: @b", "1:4: a value can't begin with this character: put the text in quotes"),
    ("a: 1\u{0}", "1:5: a control character, or a NUL byte"),
    ("é: 1\nb: \u{7}x", "2:4: a control character, or a NUL byte"),
  ])
  func aMistakeIsToldInWordsWithItsPlace(_ text: String, _ wanted: String) {
    let told = problems(text)
    #expect(told.count == 1 && told[0].hasPrefix(wanted), "\(told)")
  }

  @Test(arguments: [
    ([0x61, 0x3A, 0x20, 0xFF], "1:4: is not UTF-8 text"),
    ([0x0A, 0xC3, 0xA9, 0xC3, 0x28], "2:3: is not UTF-8 text"),
    ([0xFF, 0xFE, 0x61, 0x00], "1:1: is not UTF-8 text"),
    ([0x61, 0x3A, 0x20, 0xED, 0xA0, 0x80], "1:4: is not UTF-8 text"),
  ])
  func otherBytesThanUTF8AreFoundAtTheirPlace(_ bytes: [UInt8], _ wanted: String) {
    #expect(problems(bytes) == [wanted])
  }

  /// Each alias would stand for ten of the one before it, a billion in the end.
  @Test func aliasesDoNotGrow() {
    var bomb = "a0: &a0 x\n"
    for level in 1...9 {
      let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
      bomb += "a\(level): &a\(level) [\(aliases)]\n"
    }
    let (root, told) = YAMLReader.read(Array(bomb.utf8))
    #expect(root == nil && told.count == YAMLReader.mostProblems)
  }

  @Test(arguments: ["[", "{a: ", "- ", "? ", "a:\n"])
  func deepNestingEndsEarly(_ opening: String) {
    let deep =
      opening == "a:\n"
      ? (0..<1000).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
      : String(repeating: opening, count: 10_000)
    let told = problems(deep)
    #expect(told.count == 1 && told[0].hasSuffix("is nested more than 8 levels deep"), "\(told)")
  }

  /// Bytes of a YAML file, shaken: whatever they are, there is an answer and every problem has a
  /// place in the file.
  @Test(arguments: seeds(found: [78_222, 429_949]))
  func noBytesUpsetTheReader(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let pieces =
      [
        "a", ": ", "\n", "  ", "- ", "[", "]", "{", "}", "\"", "'", "&x ", "*x", "!t ", "|\n",
        ">-\n",
        "#", "\t", "---\n", "...\n", "? ", ",", "%", "@", "é", "\u{0}", "<<: ", "null", "\r\n",
      ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xF0, 0x9F]]
    for _ in 0..<3_000 {
      let count = Int.random(in: 0..<30, using: &generator)
      let bytes = (0..<count).flatMap { _ in pieces.randomElement(using: &generator)! }
      let (root, problems) = YAMLReader.read(bytes)
      #expect(problems.count <= YAMLReader.mostProblems)
      for problem in problems {
        let mark = try #require(problem.mark)
        #expect(mark.line >= 1 && mark.line <= bytes.count + 1)
        #expect(mark.column >= 1 && mark.column <= bytes.count + 1)
        #expect(!problem.text.isEmpty)
      }
      // Without a value, every letter is in a comment.
      if problems.isEmpty, root == nil {
        let hasText = bytes.split(separator: UInt8(ascii: "\n")).contains { line in
          line.prefix { $0 != UInt8(ascii: "#") }.contains(UInt8(ascii: "a"))
        }
        #expect(!hasText, "seed \(seed): \(bytes)")
      }
    }
  }
}
