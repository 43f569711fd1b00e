/// A value of a YAML file and the place where it begins.
package struct YAMLNode: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    /// Without quotes: text, a number, `true`, `null` or nothing at all; the reader decides.
    case plain(String)
    /// Text in quotes, or a block of text: always text.
    case quoted(String)
    case sequence([YAMLNode])
    /// Entries in the file's order; no key comes twice.
    case mapping([Entry])
    /// A value that is not read, and for which there is a problem.
    case unusable
  }

  package struct Entry: Hashable, Sendable {
    package var key: String
    package var mark: YAMLMark
    package var value: YAMLNode
  }

  package var content: Content
  package var mark: YAMLMark

  package init(content: Content, mark: YAMLMark) {
    self.content = content
    self.mark = mark
  }
}

/// A place in the text of a YAML file. Lines and columns (characters, not bytes) are counted from 1.
package struct YAMLMark: Hashable, Sendable, CustomStringConvertible {
  /// The number of a line, from 1.
  package var line: Int
  /// The place in the line, from 1.
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package var description: String { "\(line):\(column)" }
}

/// A place in one of several YAML files.
package struct YAMLPlace: Hashable, Sendable, CustomStringConvertible {
  package let file: String
  package let mark: YAMLMark

  package init(file: String, mark: YAMLMark) {
    self.file = file
    self.mark = mark
  }

  package var description: String { "\(file):\(mark)" }
}

/// A mistake in a configuration or a table: where, what, and what would be right.
package struct YAMLProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file's path; nil when the problem is in no file, or when the file is not known yet.
  package let file: String?
  /// Nil for a problem of the whole file.
  package let mark: YAMLMark?
  /// What is wrong, and what would be right.
  package let text: String

  package var description: String {
    let place = [file, mark?.description].compactMap(\.self).joined(separator: ":")
    return place.isEmpty ? text : "\(place): \(text)"
  }
}

extension YAMLProblem {
  /// A problem in a file that the caller knows, or in none.
  package init(mark: YAMLMark? = nil, text: String) {
    self.init(file: nil, mark: mark, text: text)
  }

  package init(at place: YAMLPlace?, _ text: String) {
    self.init(file: place?.file, mark: place?.mark, text: text)
  }

  /// A problem of the whole file.
  package init(in file: String, _ text: String) {
    self.init(file: file, mark: nil, text: text)
  }
}

extension YAMLProblem: Encodable {
  private enum Key: CodingKey {
    case file, line, column, text
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encodeIfPresent(file, forKey: .file)
    try object.encodeIfPresent(mark?.line, forKey: .line)
    try object.encodeIfPresent(mark?.column, forKey: .column)
    try object.encode(text, forKey: .text)
  }
}
