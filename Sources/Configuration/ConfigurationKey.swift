import YAML

/// One key of the configuration, as data: its meaning, allowed values, reading and writing.
package struct ConfigurationKey: Sendable {
  /// When a change is in force.
  package enum Effect: String, Hashable, Sendable {
    /// From the next decision after a reload on.
    case atOnce
    /// Only after the service has been started again.
    case afterRestart
  }

  /// The section's name, and the key's in it.
  package internal(set) var section = ""
  package let name: String
  package internal(set) var effect = Effect.afterRestart
  /// Completes “is not …”: `a number of metres from 0 to 50`.
  package let allowed: String
  /// Of a number, as people write it: `m`, `s`.
  package let unit: String?
  /// Of a number.
  package let range: ClosedRange<Double>?
  /// What it means, in whole sentences.
  package let documentation: String
  /// A value that one might write, as YAML: the default, unless that is none.
  package let example: String

  /// The key's value as YAML.
  package let yaml: @Sendable (BridgeConfiguration) -> String
  /// Copies the key's value from one configuration to another.
  package let copy:
    @Sendable (_ source: BridgeConfiguration, _ target: inout BridgeConfiguration) -> Void
  let read:
    @Sendable (_ node: YAMLNode, _ file: String, _ target: inout BridgeConfiguration)
      throws(YAMLProblem) -> Void

  /// `court.apron`: unique.
  package var path: String { "\(section).\(name)" }
  /// As YAML.
  package var defaultValue: String { yaml(BridgeConfiguration()) }

  /// A key whose default is none, written `null`.
  ///
  /// - Parameter example: a value that one might write, as YAML.
  static func value<Value>(
    _ name: String,
    _ kind: ConfigurationKind<Value>,
    _ property: any WritableKeyPath<BridgeConfiguration, Value?> & Sendable,
    example: String? = nil,
    _ documentation: String
  ) -> ConfigurationKey {
    .value(name, kind.optional, property, example: example, documentation)
  }

  static func value<Value>(
    _ name: String,
    _ kind: ConfigurationKind<Value>,
    _ property: any WritableKeyPath<BridgeConfiguration, Value> & Sendable,
    example: String? = nil,
    _ documentation: String
  ) -> ConfigurationKey {
    ConfigurationKey(
      name: name,
      allowed: kind.allowed,
      unit: kind.unit,
      range: kind.range,
      documentation: documentation,
      example: example ?? kind.yaml(BridgeConfiguration()[keyPath: property]),
      yaml: { kind.yaml($0[keyPath: property]) },
      copy: { $1[keyPath: property] = $0[keyPath: property] },
      read: { (node, file, target) throws(YAMLProblem) in
        target[keyPath: property] = try kind.parse(node, file)
      }
    )
  }

  private init(
    name: String,
    allowed: String,
    unit: String?,
    range: ClosedRange<Double>?,
    documentation: String,
    example: String,
    yaml: @escaping @Sendable (BridgeConfiguration) -> String,
    copy: @escaping @Sendable (BridgeConfiguration, inout BridgeConfiguration) -> Void,
    read:
      @escaping @Sendable (YAMLNode, String, inout BridgeConfiguration)
      throws(YAMLProblem) -> Void
  ) {
    self.name = name
    self.allowed = allowed
    self.unit = unit
    self.range = range
    self.documentation = documentation
    self.example = example
    self.yaml = yaml
    self.copy = copy
    self.read = read
  }
}

/// Keys that belong together, as one mapping of the file.
package struct ConfigurationSection: Sendable {
  package let name: String
  /// One line, without a full stop.
  package let summary: String
  package let keys: [ConfigurationKey]

  /// - Parameter effect: of all its keys.
  init(
    _ name: String,
    _ summary: String,
    effect: ConfigurationKey.Effect,
    keys: [ConfigurationKey]
  ) {
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
