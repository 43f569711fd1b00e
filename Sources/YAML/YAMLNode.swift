/// A value of a YAML file and the place where it begins.
package struct YAMLNode: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    /// Without quotes: text, a number, `true`, `null` or nothing at all; the reader decides.
    case plain(String)
    /// In quotes, or a block of text: always text.
    case quoted(String)
    case sequence([YAMLNode])
    /// In the file's order; no key comes twice.
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
}

/// A place in a YAML file. Lines and columns (characters, not bytes) are counted from 1.
package struct YAMLMark: Hashable, Sendable {
  package var line: Int
  package var column: Int
}

/// A mistake in a YAML file, or YAML that a configuration can't use.
package struct YAMLProblem: Error, Hashable, Sendable {
  package var mark: YAMLMark
  package var text: String

  package init(mark: YAMLMark, text: String) {
    self.mark = mark
    self.text = text
  }
}
