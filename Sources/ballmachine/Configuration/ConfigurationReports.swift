import Configuration
import Host
import Programs
import YAML

/// A valid configuration.
struct ConfigurationRecord: Encodable, Sendable {
  /// A key's value.
  struct Value: Encodable, Sendable {
    /// The value as YAML.
    var value: String
    /// Where it stands, as `FILE:LINE:COLUMN`; nil for a default.
    var origin: String?
  }

  /// The configuration's files; none: the defaults.
  var files: [String]
  /// The value of each key, by the key's path.
  var values: [String: Value]

  init(_ configuration: EffectiveConfiguration) {
    files = configuration.files
    let values = BridgeConfiguration.schema.keys.map { key in
      let origin = configuration.origins[key.path].map { "\($0)" }
      return (key.path, Value(value: key.yaml(configuration.values), origin: origin))
    }
    self.values = Dictionary(uniqueKeysWithValues: values)
  }
}

extension EffectiveConfiguration {
  /// - Parameter isPrinted: whether the text has every value.
  func report(isPrinted: Bool) -> RecordReport<ConfigurationRecord> {
    let count = counted(origins.count, "key")
    let summary =
      files.isEmpty
      ? "there is no \(ConfigurationFiles.standardPath): every key has its default"
      : "\(files.joined(separator: ", ")): valid, \(count) set"
    let lines = isPrinted ? TextReport(String(file.dropLast())).lines : [summary]
    return RecordReport("configuration", ConfigurationRecord(self), lines: lines)
  }
}

extension YAMLProblem {
  /// One problem in a configuration, or in a table.
  var report: RecordReport<Self> { RecordReport("problem", self, text: description) }
}

/// One key of the schema, for manual pages and editors.
struct ConfigurationKeyReport<Root: YAMLDocument>: LinedReport {
  var key: YAMLKey<Root>
  /// Whether a running service reads the file again.
  var isReloaded = true

  var lines: [String] {
    let effect = key.effect == .atOnce ? ", in force after a reload" : ", needs a restart"
    let lines = wrapped("\(key.documentation) Allowed: \(key.allowed).", to: 76)
    let head = "\(key.path), default \(key.defaultValue)\(isReloaded ? effect : "")"
    return [head] + lines.map { "  \($0)" }
  }

  func encode(to encoder: any Encoder) throws { try encoder.encode(key, as: "key") }
}

extension Output {
  /// Reports the problems of a file, a line each.
  ///
  /// - Returns: the failure to end with.
  func report(_ problems: [YAMLProblem], endingWith code: ExitCode) async throws -> Failure {
    for problem in problems { try await write(problem.report) }
    return Failure(code, counted(problems.count, "problem"))
  }
}

extension BridgeConfiguration {
  static var exampleReport: RecordReport<[String: String]> {
    RecordReport(
      "example",
      ["text": exampleFile],
      lines: TextReport(String(exampleFile.dropLast())).lines
    )
  }
}
