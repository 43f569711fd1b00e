import CYAML
import Glibc

/// The events that libyaml reads from a file, one at a time. Its C types stay in this source file.
struct YAMLEvents: ~Copyable {
  enum Event {
    case scalar(String, isPlain: Bool)
    case alias(String)
    case sequenceStart
    case sequenceEnd
    case mappingStart
    case mappingEnd
    case documentStart
    case documentEnd
    case streamStart
    case streamEnd
  }

  /// What a node has besides its content and its place.
  enum Property: String {
    case anchor
    case tag
  }

  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let bytes: UnsafeBufferPointer<UInt8>
  /// Where the latest event begins.
  private(set) var mark = YAMLMark(line: 1, column: 1)
  /// The properties of the latest event.
  private(set) var properties: [Property] = []

  /// - Parameter bytes: must live as long as the events.
  init(of bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    parser = .allocate(capacity: 1)
    guard yaml_parser_initialize(parser) == 1 else { fatalError("out of memory") }
    // Otherwise a byte order mark would make it UTF-16.
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
  }

  /// The next event. An error is the last result: no event follows it.
  mutating func next() throws(YAMLProblem) -> Event {
    properties = []
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw problem }
    defer { yaml_event_delete(&event) }
    mark = YAMLMark(event.start_mark)
    switch event.type {
    case YAML_STREAM_START_EVENT: return .streamStart
    case YAML_STREAM_END_EVENT: return .streamEnd
    case YAML_DOCUMENT_START_EVENT: return .documentStart
    case YAML_DOCUMENT_END_EVENT: return .documentEnd
    case YAML_ALIAS_EVENT: return .alias(String(cString: event.data.alias.anchor))
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      note(anchor: scalar.anchor, tag: scalar.tag)
      let text = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      return .scalar(
        String(decoding: text, as: UTF8.self),
        isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE
      )
    case YAML_SEQUENCE_START_EVENT:
      note(anchor: event.data.sequence_start.anchor, tag: event.data.sequence_start.tag)
      return .sequenceStart
    case YAML_SEQUENCE_END_EVENT: return .sequenceEnd
    case YAML_MAPPING_START_EVENT:
      note(anchor: event.data.mapping_start.anchor, tag: event.data.mapping_start.tag)
      return .mappingStart
    case YAML_MAPPING_END_EVENT: return .mappingEnd
    default: preconditionFailure("libyaml has no event of type \(event.type.rawValue)")
    }
  }

  private mutating func note(
    anchor: UnsafeMutablePointer<yaml_char_t>?,
    tag: UnsafeMutablePointer<yaml_char_t>?
  ) {
    properties = (anchor == nil ? [] : [.anchor]) + (tag == nil ? [] : [.tag])
  }
}

extension YAMLEvents {
  /// Why libyaml gave up, with what to do about it.
  private var problem: YAMLProblem {
    let state = parser.pointee
    let problem = state.problem.map { String(cString: $0) } ?? "can't be read"
    switch state.error {
    case YAML_MEMORY_ERROR: fatalError("out of memory")
    case YAML_READER_ERROR:
      let mark = mark(ofByte: state.problem_offset)
      let text =
        problem.hasPrefix("control") ? "a control character, or a NUL byte" : "is not UTF-8 text"
      return YAMLProblem(mark: mark, text: text)
    default: break
    }
    let begin = YAMLMark(state.context == nil ? state.problem_mark : state.context_mark)
    let place = YAMLMark(state.problem_mark)
    if byte(at: state.problem_mark) == UInt8(ascii: "\t") {
      return YAMLProblem(mark: place, text: "a tab: YAML is indented with spaces")
    }
    for (words, isAtBegin, text) in Self.remedies where strstr(problem, words) != nil {
      return YAMLProblem(mark: isAtBegin ? begin : place, text: text)
    }
    let context = state.context.map { " " + String(cString: $0) } ?? ""
    return YAMLProblem(mark: place, text: "is not YAML: \(problem)\(context)")
  }

  /// libyaml's message, whether the mistake is at the beginning of its context, and what to report.
  /// Source: libyaml 0.2.5, src/scanner.c and src/parser.c.
  private static let remedies: [(String, Bool, String)] = [
    (
      "mapping values are not allowed", false,
      "a key is not possible here: indent the keys of a section alike, and put text with a colon in"
        + " quotes"
    ),
    ("could not find expected ':'", true, "a line without a colon: write KEY: VALUE"),
    ("did not find expected key", false, "no key: indent the keys of a section alike"),
    ("found unexpected end of stream", true, "a quote that is never closed"),
    ("did not find expected ',' or ']'", true, "a [ that is never closed, or a missing comma"),
    ("did not find expected ',' or '}'", true, "a { that is never closed, or a missing comma"),
    (
      "cannot start any token", false,
      "a value can't begin with this character: put the text in quotes"
    ),
  ]

  private func byte(at mark: yaml_mark_t) -> UInt8? {
    // The mark's index counts characters.
    String(decoding: bytes, as: UTF8.self).unicodeScalars.dropFirst(mark.index).first
      .flatMap { UInt8(exactly: $0.value) }
  }

  private func mark(ofByte offset: Int) -> YAMLMark {
    let before = String(decoding: bytes.prefix(offset), as: UTF8.self).unicodeScalars
    let line = before.split(separator: "\n", omittingEmptySubsequences: false)
    return YAMLMark(line: line.count, column: (line.last?.count ?? 0) + 1)
  }
}

extension YAMLMark {
  fileprivate init(_ mark: yaml_mark_t) {
    self.init(line: mark.line + 1, column: mark.column + 1)
  }
}
