import Host

/// Reads the part of YAML that a configuration needs: one document of mappings, lists and scalars.
///
/// Anchors, aliases and merge keys (with which a few lines grow without end), tags and a second
/// document are problems, and so is a key that comes twice, which YAML forbids and libyaml allows.
/// The caller decides what a scalar means: YAML 1.1 and 1.2 disagree on that.
package struct YAMLReader: ~Copyable {
  /// The most problems of one file that are reported: a file with more is of another kind.
  package static let mostProblems = 50
  /// The greatest depth of a value.
  private static let deepest = 8

  private var events: YAMLEvents
  private var problems: [YAMLProblem] = []

  /// The file's value, nil when it has none, and all its problems. A mistake in YAML itself ends
  /// the reading: it is the last problem, and there is no value.
  package static func read(_ bytes: [UInt8]) -> (root: YAMLNode?, problems: [YAMLProblem]) {
    // libyaml takes a byte order mark for a column.
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    guard !bytes.isEmpty else { return (nil, []) }
    return bytes.withUnsafeBufferPointer { bytes in
      var reader = YAMLReader(events: YAMLEvents(of: bytes))
      do throws(YAMLProblem) {
        return (try reader.document(), reader.problems)
      } catch {
        return (nil, reader.problems + [error])
      }
    }
  }

  private init(events: consuming YAMLEvents) {
    self.events = events
  }

  private mutating func document() throws(YAMLProblem) -> YAMLNode? {
    _ = try events.next()  // the stream's start
    guard case .documentStart = try events.next() else { return nil }
    let root = try node(try events.next(), depth: 1)
    _ = try events.next()  // the document's end
    guard case .streamEnd = try events.next() else {
      throw YAMLProblem(mark: events.mark, text: "a second document: write only one in a file")
    }
    return root
  }

  private mutating func node(
    _ event: YAMLEvents.Event,
    depth: Int
  ) throws(YAMLProblem) -> YAMLNode {
    let mark = events.mark
    guard depth <= Self.deepest else {
      throw YAMLProblem(mark: mark, text: "is nested more than \(Self.deepest) levels deep")
    }
    for property in events.properties {
      try complain(mark, "has a YAML \(property.rawValue), which is not supported here")
    }
    switch event {
    case .scalar(let text, let isPlain):
      return YAMLNode(content: isPlain ? .plain(text) : .quoted(text), mark: mark)
    case .alias(let name):
      try complain(mark, "aliases such as *\(name.excerpt) are not supported: write the value here")
      return YAMLNode(content: .unusable, mark: mark)
    case .sequenceStart:
      return YAMLNode(content: .sequence(try items(depth: depth + 1)), mark: mark)
    case .mappingStart:
      return YAMLNode(content: .mapping(try entries(depth: depth + 1)), mark: mark)
    case .sequenceEnd, .mappingEnd, .documentStart, .documentEnd, .streamStart, .streamEnd:
      preconditionFailure("libyaml began no value with \(event)")
    }
  }

  private mutating func items(depth: Int) throws(YAMLProblem) -> [YAMLNode] {
    var items: [YAMLNode] = []
    while true {
      let event = try events.next()
      if case .sequenceEnd = event { return items }
      items.append(try node(event, depth: depth))
    }
  }

  private mutating func entries(depth: Int) throws(YAMLProblem) -> [YAMLNode.Entry] {
    var entries: [YAMLNode.Entry] = []
    var lines: [String: Int] = [:]
    while true {
      let event = try events.next()
      if case .mappingEnd = event { return entries }
      let key = try node(event, depth: depth)
      let value = try node(try events.next(), depth: depth)
      guard let name = try name(of: key) else { continue }
      if let line = lines.updateValue(key.mark.line, forKey: name) {
        try complain(key.mark, "`\(name.excerpt)` is given twice, first in line \(line)")
      } else {
        entries.append(YAMLNode.Entry(key: name, mark: key.mark, value: value))
      }
    }
  }

  private mutating func name(of key: YAMLNode) throws(YAMLProblem) -> String? {
    switch key.content {
    case .plain("<<"):
      try complain(key.mark, "merge keys (<<) are not supported: write the keys here")
    case .plain(""): try complain(key.mark, "a colon without a key before it")
    case .plain(let name), .quoted(let name): return name
    case .sequence, .mapping: try complain(key.mark, "a key is one word, not a list or a mapping")
    case .unusable: break
    }
    return nil
  }

  /// Goes on reading after the problem, unless there have been too many.
  private mutating func complain(_ mark: YAMLMark, _ text: String) throws(YAMLProblem) {
    let problem = YAMLProblem(mark: mark, text: text)
    guard problems.count < Self.mostProblems - 1 else { throw problem }
    problems.append(problem)
  }
}
