/// An ES module of the page: what it takes of others and gives them, as far as joining needs it.
///
/// Only plain forms are supported: `import { a, b as c } from "./x.js";`, `export` before a `const`, a
/// function or a class, and `import("./x.js")`. All else with these words is a problem.
struct ScriptModule {
  struct Import {
    var module: String
    /// The other module's names, with those that they have here.
    var names: [(theirs: String, own: String)]
  }

  /// A part of the module's own text.
  enum Piece {
    case text(String)
    /// `import("./x.js")`: the module is loaded when this is reached.
    case load(String)
  }

  let name: String
  private(set) var imports: [Import] = []
  private(set) var exports: [String] = []
  private(set) var words: Set<String> = []
  /// The text without its imports, the word `export` and lines of comments.
  private(set) var pieces: [Piece] = []

  init(_ name: String, _ text: String) throws(ScriptProblem) {
    self.name = name
    let script = Array(text.unicodeScalars)
    do throws(ScriptProblem) {
      let reader = try ScriptReader(script)
      var parser = Parser(script, reader.tokens)
      try parser.parse()
      imports = parser.imports
      exports = parser.exports
      words = Set(reader.tokens.lazy.filter { $0.kind == .word }.map(\.text))
      let cuts = parser.cuts + reader.comments.map { ($0, nil) }
      pieces = Self.pieces(of: script, without: cuts.sorted { $0.0.lowerBound < $1.0.lowerBound })
    } catch {
      var error = error
      error.module = name
      throw error
    }
  }

  private static func pieces(of script: [Unicode.Scalar], without cuts: [Parser.Cut]) -> [Piece] {
    var pieces: [Piece] = []
    var at = 0
    for (range, loaded) in cuts + [(script.count..<script.count, nil)] {
      var text = String.UnicodeScalarView()
      text.append(contentsOf: script[at..<range.lowerBound])
      pieces.append(.text(String(text)))
      if let loaded { pieces.append(.load(loaded)) }
      at = range.upperBound
    }
    return pieces
  }
}

extension ScriptModule {
  /// Goes through a module's tokens.
  fileprivate struct Parser {
    /// What is left out, and the module that is loaded in its place.
    typealias Cut = (Range<Int>, String?)

    private let script: [Unicode.Scalar]
    private let tokens: [ScriptToken]
    private var at = 0
    var imports: [Import] = []
    var exports: [String] = []
    var cuts: [Cut] = []

    init(_ script: [Unicode.Scalar], _ tokens: [ScriptToken]) {
      self.script = script
      self.tokens = tokens
    }

    mutating func parse() throws(ScriptProblem) {
      while at < tokens.count {
        let last = at > 0 ? tokens[at - 1] : nil
        if tokens[at].isWord("import", after: last) {
          try readImport()
        } else if tokens[at].isWord("export", after: last) {
          try readExport()
        } else if tokens[at].isWord("var", after: last) {
          throw problem("“var” is not supported: use “let” or “const”")
        } else {
          at += 1
        }
      }
    }

    private func problem(_ reason: String) -> ScriptProblem {
      let place = at < tokens.count ? tokens[at].range.lowerBound : script.count
      return ScriptProblem(line: 1 + script.prefix(place).count { $0 == "\n" }, reason)
    }

    /// The next token, where it is as it must be.
    private mutating func take(
      _ what: String,
      _ isRight: (ScriptToken) -> Bool
    ) throws(ScriptProblem) -> ScriptToken {
      guard at < tokens.count, isRight(tokens[at]) else {
        throw problem("here must be \(what): no other form is supported")
      }
      defer { at += 1 }
      return tokens[at]
    }

    private mutating func take(_ text: String) throws(ScriptProblem) -> ScriptToken {
      try take("“\(text)”") { $0.text == text && $0.kind != .string }
    }

    private mutating func takeName() throws(ScriptProblem) -> String {
      try take("a name") { token in
        token.kind == .word && token.text.first.map { "$_".contains($0) || $0.isLetter } == true
      }.text
    }

    /// - Returns: whether the next token is this one, which is then taken.
    private mutating func takes(_ text: String) -> Bool {
      guard at < tokens.count, tokens[at].text == text, tokens[at].kind != .string else {
        return false
      }
      at += 1
      return true
    }

    /// `"./x.js"`.
    private mutating func takePath() throws(ScriptProblem) -> String {
      let path = try take("a path such as \"./x.js\"") { token in
        token.kind == .string && token.text.dropFirst().hasPrefix("./")
          && token.text.dropLast().hasSuffix(".js")
      }
      return String(path.text.dropFirst(3).dropLast())
    }

    private mutating func readImport() throws(ScriptProblem) {
      let (begin, depth) = (tokens[at].range.lowerBound, tokens[at].depth)
      at += 1
      if takes("(") {
        let path = try takePath()
        cuts.append((begin..<(try take(")").range.upperBound), path))
        return
      }
      guard depth == 0 else { throw problem("an import must not be inside of anything") }
      _ = try take("{")
      var names: [(theirs: String, own: String)] = []
      while !takes("}") {
        let theirs = try takeName()
        names.append((theirs, takes("as") ? try takeName() : theirs))
        if !takes(",") {
          _ = try take("}")
          break
        }
      }
      _ = try take("from")
      imports.append(Import(module: try takePath(), names: names))
      let end = try take(";").range.upperBound
      cuts.append((begin..<end + (end < script.count && script[end] == "\n" ? 1 : 0), nil))
    }

    private mutating func readExport() throws(ScriptProblem) {
      guard tokens[at].depth == 0 else { throw problem("an export must not be inside of anything") }
      let begin = tokens[at].range.lowerBound
      at += 1
      if at < tokens.count { cuts.append((begin..<tokens[at].range.lowerBound, nil)) }
      if takes("const") {
        try readConstants()
      } else if takes("class") {
        exports.append(try takeName())
      } else {
        _ = takes("async")
        // An exported variable would have to change where it is imported, too.
        _ = try take("“const”, “function”, “async function” or “class”") { $0.text == "function" }
        exports.append(try takeName())
      }
    }

    /// `A = 1, B = [2, 3];`
    private mutating func readConstants() throws(ScriptProblem) {
      repeat {
        exports.append(try takeName())
        _ = try take("=")
        while at < tokens.count, tokens[at].depth > 0 || ![",", ";"].contains(tokens[at].text) {
          let isNext = Self.statements.contains { tokens[at].isWord($0, after: tokens[at - 1]) }
          if tokens[at].depth == 0, isNext { throw problem("the statement before has no “;”") }
          // What is exported takes no part of other modules later.
          if tokens[at].isWord("import", after: tokens[at - 1]) {
            try readImport()
          } else {
            at += 1
          }
        }
      } while takes(",")
      _ = try take(";")
    }

    private static let statements: Set = [
      "export", "const", "let", "var", "if", "for", "while", "return", "switch", "try", "throw",
    ]
  }
}
