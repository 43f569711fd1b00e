/// What a YAML file fills. A new one has the defaults.
package protocol YAMLDocument: Sendable {
  static var schema: YAMLSchema<Self> { get }
  init()
}

/// All keys that a file may have. Reading, checking, the example file and the documentation come
/// from here.
package struct YAMLSchema<Root: YAMLDocument>: Sendable {
  /// What the file is: `a configuration`.
  let noun: String
  /// The name of a section, or of a key of the section without a name, for messages.
  let typicalKey: String
  /// The sections in the order of the documentation.
  package let sections: [YAMLSection<Root>]
  package let keys: [YAMLKey<Root>]

  package init(of noun: String, typicalKey: String, _ sections: [YAMLSection<Root>]) {
    self.noun = noun
    self.typicalKey = typicalKey
    self.sections = sections
    keys = sections.flatMap(\.keys)
  }

  /// The key with a path such as `court.apron`.
  package func key(_ path: String) -> YAMLKey<Root>? { keys.first { $0.path == path } }

  /// Whether there is such a section, or one in it.
  func hasSection(_ path: String) -> Bool {
    sections.contains { $0.name == path || $0.name.hasPrefix(path + ".") }
  }

  /// What a file begins with, for messages.
  var beginning: String {
    sections.contains { $0.name.isEmpty }
      ? "a key such as \(typicalKey):" : "a section such as \(typicalKey):"
  }
}
