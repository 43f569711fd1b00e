/// When a change of a running program's file is in force.
package enum YAMLEffect: String, Hashable, Sendable {
  /// The change counts as soon as the program has read the file again.
  case atOnce
  /// Only after the program has been started again.
  case afterRestart
}

/// One key of a file, as data: its meaning, allowed values, reading and writing.
package struct YAMLKey<Root: YAMLDocument>: Sendable {
  /// The section's name, and the key's in it.
  package fileprivate(set) var section = ""
  package let name: String
  package fileprivate(set) var effect = YAMLEffect.afterRestart
  /// Completes “is not …”: `a number of metres from 0 to 50`.
  package let allowed: String
  /// The unit of a number, as people write it: `m`, `s`; nil for other kinds.
  let unit: String?
  /// The range of a number; nil for other kinds.
  let range: ClosedRange<Double>?
  /// What it means, in whole sentences.
  package let documentation: String
  /// A value that one might write, as YAML: the default, unless that is none.
  package let example: String

  /// The key's value as YAML.
  package let yaml: @Sendable (Root) -> String
  /// Copies the key's value.
  package let copy: @Sendable (_ source: Root, _ target: inout Root) -> Void
  let read:
    @Sendable (_ node: YAMLNode, _ file: String, _ target: inout Root) throws(YAMLProblem) -> Void

  /// `court.apron`: unique.
  package var path: String { section.isEmpty ? name : "\(section).\(name)" }
  /// The default value, as YAML.
  package var defaultValue: String { yaml(Root()) }

  /// A key whose default is none, written `null`.
  ///
  /// - Parameter example: a value that one might write, as YAML.
  package static func value<Value>(
    _ name: String,
    _ kind: YAMLKind<Value>,
    _ property: any WritableKeyPath<Root, Value?> & Sendable,
    example: String? = nil,
    _ documentation: String
  ) -> YAMLKey {
    .value(name, kind.optional, property, example: example, documentation)
  }

  package static func value<Value>(
    _ name: String,
    _ kind: YAMLKind<Value>,
    _ property: any WritableKeyPath<Root, Value> & Sendable,
    example: String? = nil,
    _ documentation: String
  ) -> YAMLKey {
    YAMLKey(
      name: name,
      allowed: kind.allowed,
      unit: kind.unit,
      range: kind.range,
      documentation: documentation,
      example: example ?? kind.yaml(Root()[keyPath: property]),
      yaml: { kind.yaml($0[keyPath: property]) },
      copy: { $1[keyPath: property] = $0[keyPath: property] },
      read: { (node, file, target) throws(YAMLProblem) in
        target[keyPath: property] = try kind.parse(node, file)
      }
    )
  }
}

/// The key as manual pages and editors need it.
extension YAMLKey: Encodable {
  private enum Key: String, CodingKey {
    case key, allowed, unit, least, greatest, effect, documentation, example
    case standard = "default"
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(path, forKey: .key)
    try object.encode(allowed, forKey: .allowed)
    try object.encodeIfPresent(unit, forKey: .unit)
    try object.encodeIfPresent(range?.lowerBound, forKey: .least)
    try object.encodeIfPresent(range?.upperBound, forKey: .greatest)
    try object.encode(defaultValue, forKey: .standard)
    try object.encode(effect.rawValue, forKey: .effect)
    try object.encode(documentation, forKey: .documentation)
    try object.encode(example, forKey: .example)
  }
}

/// Keys that belong together, as one mapping of the file.
package struct YAMLSection<Root: YAMLDocument>: Sendable {
  /// Empty: its keys stand in no section. With a dot: it stands in another section.
  package let name: String
  /// One line, without a full stop.
  package let summary: String
  package let keys: [YAMLKey<Root>]

  /// - Parameter effect: of all its keys.
  package init(_ name: String, _ summary: String, effect: YAMLEffect, keys: [YAMLKey<Root>]) {
    self.name = name
    self.summary = summary
    self.keys = keys.map { key in
      var key = key
      key.section = name
      key.effect = effect
      return key
    }
  }
}
