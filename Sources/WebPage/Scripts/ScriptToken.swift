/// A word, a sign or a literal of a script, as far as joining modules has to tell them apart.
struct ScriptToken {
  enum Kind {
    /// A name, a keyword or a number.
    case word
    /// One character of what is neither a word nor a literal.
    case sign
    case string
    /// A regular expression, or a part of a template between its expressions.
    case literal
  }

  var kind: Kind
  /// As it stands in the script; a string has its quotation marks.
  var text: String
  /// Where it is, in Unicode scalars.
  var range: Range<Int>
  /// How many brackets are open around it. A bracket itself is outside.
  var depth: Int

  /// A name or a keyword, and no member's: `.import` is none.
  func isWord(_ word: String, after last: ScriptToken?) -> Bool {
    kind == .word && text == word && last?.text != "."
  }
}

/// Reads a script's tokens.
struct ScriptReader {
  private let script: [Unicode.Scalar]
  private var at = 0
  /// The brackets that are open; `$` for a template's expression.
  private var open: [Unicode.Scalar] = []
  private(set) var tokens: [ScriptToken] = []
  /// Where comments are that have lines of their own, with the ends of the lines.
  private(set) var comments: [Range<Int>] = []

  init(_ script: [Unicode.Scalar]) throws(ScriptProblem) {
    self.script = script
    while at < script.count { try readOne() }
    guard open.isEmpty else { throw problem("a bracket or a template has no end") }
  }

  private func problem(_ reason: String) -> ScriptProblem {
    ScriptProblem(line: 1 + script.prefix(at).count { $0 == "\n" }, reason)
  }

  private func scalar(_ index: Int) -> Unicode.Scalar? {
    index < script.count ? script[index] : nil
  }

  private mutating func add(_ kind: ScriptToken.Kind, to end: Int, depth: Int? = nil) {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: script[at..<end])
    let depth = depth ?? open.count
    tokens.append(ScriptToken(kind: kind, text: String(text), range: at..<end, depth: depth))
    at = end
  }

  private mutating func readOne() throws(ScriptProblem) {
    let first = script[at]
    switch first {
    case " ", "\t", "\r", "\n": at += 1
    case "/" where scalar(at + 1) == "/": skipLine()
    case "/" where scalar(at + 1) == "*": try skipBlock()
    case "/" where try beginsExpression(): add(.literal, to: try endOfExpression())
    case "\"", "'": add(.string, to: try end(of: first, from: at + 1))
    case "`":
      open.append("$")
      try readTemplate()
    case "(", "[", "{":
      add(.sign, to: at + 1)
      open.append(first)
    case ")", "]", "}":
      guard let last = open.popLast() else { throw problem("a bracket was never opened") }
      if first == "}", last == "$" {
        open.append("$")
        try readTemplate()
      } else {
        guard [("(", ")"), ("[", "]"), ("{", "}")].contains(where: { $0 == (last, first) }) else {
          throw problem("brackets are crossed")
        }
        add(.sign, to: at + 1)
      }
    case let scalar where scalar.isOfWord:
      add(.word, to: script[at...].firstIndex { !$0.isOfWord } ?? script.count)
    default: add(.sign, to: at + 1)
    }
  }

  private mutating func skipLine() {
    let end = script[at...].firstIndex(of: "\n") ?? script.count
    let begin = script[..<at].lastIndex(of: "\n").map { $0 + 1 } ?? 0
    if script[begin..<at].allSatisfy({ $0 == " " }) {
      comments.append(begin..<min(end + 1, script.count))
    }
    at = end
  }

  private mutating func skipBlock() throws(ScriptProblem) {
    at += 2
    while !(scalar(at) == "*" && scalar(at + 1) == "/") {
      guard at < script.count else { throw problem("a comment has no end") }
      at += 1
    }
    at += 2
  }

  /// Whether a slash begins a regular expression: where a value can't have just ended.
  private func beginsExpression() throws(ScriptProblem) -> Bool {
    guard let last = tokens.last else { return true }
    switch last.kind {
    case .word: return Self.operators.contains(last.text)
    case .string, .literal: return false
    case .sign:
      if last.text == "}" { throw problem("a slash after a brace is not supported") }
      return ![")", "]"].contains(last.text)
    }
  }

  private static let operators: Set = [
    "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do",
    "instanceof", "yield", "await",
  ]

  private func endOfExpression() throws(ScriptProblem) -> Int {
    var isClass = false
    var index = at + 1
    while let scalar = scalar(index), scalar != "\n" {
      switch scalar {
      case "\\": index += 1
      case "[": isClass = true
      case "]": isClass = false
      case "/" where !isClass: return index + 1
      default: break
      }
      index += 1
    }
    throw problem("a regular expression has no end")
  }

  /// Where a string ends.
  private func end(of quote: Unicode.Scalar, from begin: Int) throws(ScriptProblem) -> Int {
    var index = begin
    while let scalar = scalar(index), scalar != "\n" {
      if scalar == quote { return index + 1 }
      index += scalar == "\\" ? 2 : 1
    }
    throw problem("a string has no end")
  }

  /// From a backtick or the end of an expression to the next expression or the last backtick.
  private mutating func readTemplate() throws(ScriptProblem) {
    var index = at + 1
    while let scalar = scalar(index) {
      switch scalar {
      case "`":
        open.removeLast()
        add(.literal, to: index + 1)
        return
      case "$" where self.scalar(index + 1) == "{":
        // The expression's tokens are inside; the next one is no value's continuation.
        add(.literal, to: index + 1, depth: open.count - 1)
        add(.sign, to: index + 2, depth: open.count - 1)
        return
      default: index += scalar == "\\" ? 2 : 1
      }
    }
    throw problem("a template has no end")
  }
}

/// Why a script can't be joined.
package struct ScriptProblem: Error, Hashable, Sendable, CustomStringConvertible {
  package var module = ""
  package var line: Int
  package var reason: String

  init(line: Int, _ reason: String) {
    self.line = line
    self.reason = reason
  }

  package var description: String { "\(module):\(line): \(reason)" }
}

extension Unicode.Scalar {
  fileprivate var isOfWord: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "$", "#": true
    default: !isASCII
    }
  }
}
