import Foundation

@testable import WebPage

/// The texts of the page, as its sources have them: `key: ["English", "Deutsch"]` in words.js and in
/// files whose names end in words.js or texts.js.
struct PageTexts {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardizedFileURL

  private var texts: [String: (english: String, german: String)] = [:]

  var count: Int { texts.count }

  init() throws {
    for (name, text) in try Self.files(below: "Sources/WebPage/Page")
    where ["words.js", "texts.js"].contains(where: name.lowercased().hasSuffix) {
      try add(text)
    }
  }

  /// Whether one of these keys has a text in both languages.
  func has(_ keys: [String]) -> Bool {
    keys.contains { key in texts[key].map { !$0.english.isEmpty && !$0.german.isEmpty } == true }
  }

  private mutating func add(_ text: String) throws {
    let tokens = try ScriptReader(Array(text.unicodeScalars)).tokens
    func isText(_ index: Int) -> Bool { [.string, .literal].contains(tokens[index].kind) }
    for index in tokens.indices.dropLast(5)
    where [":", "["] == tokens[index + 1...index + 2].map(\.text)
      && isText(index + 3) && tokens[index + 4].text == "," && isText(index + 5)
    {
      let (key, english, german) = (tokens[index], tokens[index + 3], tokens[index + 5])
      texts[key.kind == .string ? Self.inner(key) : key.text] = (
        Self.inner(english), Self.inner(german)
      )
    }
  }

  private static func inner(_ text: ScriptToken) -> String {
    String(text.text.dropFirst().dropLast())
  }

  // MARK: The sources

  /// The texts of a folder's files, by their paths.
  static func files(below folder: String) throws -> [(name: String, text: String)] {
    let folder = root.appendingPathComponent(folder)
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".js") }
      .map { ($0, try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)) }
  }

  /// The words that `var code` of a type has for its cases.
  static func codes(in file: String) throws -> [String] {
    let text = try String(contentsOf: root.appendingPathComponent(file), encoding: .utf8)
    let body = text.split(separator: "var code: String {", maxSplits: 1)[1].prefix { $0 != "}" }
    return body.matches(of: #/: "([\w-]+)"/#).map { String($0.1) }
  }

  /// The texts that hero.js has for the link's states and faults, by these.
  static func obstacles() throws -> [String: String] {
    let text = try String(
      contentsOf: root.appendingPathComponent("Sources/WebPage/Page/hero.js"),
      encoding: .utf8
    )
    let table = text.split(separator: "const obstacles = {", maxSplits: 1)[1].prefix { $0 != "}" }
    var found: [String: String] = [:]
    var key = ""
    for part in table.matches(of: #/(?:(\w+): )?"([\w ]+)"/#) {
      if let name = part.1 { key = String(name) }
      for code in part.2.split(separator: " ") { found[String(code)] = key }
    }
    return found
  }

  /// The words of the answers that the page's service makes.
  static func failures() throws -> [String] {
    try files(below: "Sources/WebPage").flatMap { _, text in
      text.matches(of: #/failure\(\s*(?:\d+|status),\s*"([\w-]+)"/#).map { String($0.1) }
    }
  }

  /// The words for why a phone isn't the camera that the page's program has itself.
  static func phoneRefusals() throws -> [String] {
    try files(below: "Sources/WebPage/Frames").flatMap { _, text in
      text.matches(of: #/PhoneRefusal\(\s*code: "(\w+)"/#).map { String($0.1) }
    }
  }

  /// The words of the refusals that a folder's sources make.
  static func refusals(below folder: String) throws -> [String] {
    try files(below: folder).filter { $0.text.contains("refused(") }.flatMap { _, text in
      text.matches(of: #/refused\(\s*"([\w-]+)"/#).map { String($0.1) }
    }
  }
}
