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
  /// The name of a section, for messages.
  let typicalSection: String
  /// In the order of the documentation.
  package let sections: [YAMLSection<Root>]
  package let keys: [YAMLKey<Root>]

  package init(of noun: String, typicalSection: String, _ sections: [YAMLSection<Root>]) {
    self.noun = noun
    self.typicalSection = typicalSection
    self.sections = sections
    keys = sections.flatMap(\.keys)
  }

  /// The key with a path such as `court.apron`.
  package func key(_ path: String) -> YAMLKey<Root>? { keys.first { $0.path == path } }
}
