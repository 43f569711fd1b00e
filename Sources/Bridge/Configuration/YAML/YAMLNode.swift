/// A value of a YAML file and the place where it begins.
struct YAMLNode: Hashable, Sendable {
  enum Content: Hashable, Sendable {
    /// Without quotes: text, a number, `true`, `null` or nothing at all, as its reader wants it.
    case plain(String)
    /// In quotes, or a block of text: text and nothing else.
    case quoted(String)
    case sequence([YAMLNode])
    /// In the file's order; no key comes twice.
    case mapping([Entry])
    /// Something that is not read, and of which a problem has told.
    case unusable
  }

  struct Entry: Hashable, Sendable {
    var key: String
    var mark: YAMLMark
    var value: YAMLNode
  }

  var content: Content
  var mark: YAMLMark
}

/// A place in a YAML file. Lines and columns (characters, not bytes) are counted from 1.
package struct YAMLMark: Hashable, Sendable {
  package var line: Int
  package var column: Int
}

/// Something that is wrong with a YAML file, or that is YAML but nothing for a configuration.
struct YAMLProblem: Error, Hashable, Sendable {
  var mark: YAMLMark
  var text: String
}
