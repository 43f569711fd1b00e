import Configuration
import Host
import Programs
import YAML

/// A valid configuration: its files, and the values in force.
struct ConfigurationReport: LinedReport {
  var configuration: EffectiveConfiguration
  /// Whether the text has every value.
  var isPrinted = false

  var lines: [String] {
    guard !isPrinted else { return TextReport(String(configuration.file.dropLast())).lines }
    let files = configuration.files
    let count = counted(configuration.origins.count, "key")
    return [
      files.isEmpty
        ? "there is no \(ConfigurationFiles.standardPath): every key has its default"
        : "\(files.joined(separator: ", ")): valid, \(count) set"
    ]
  }
}

extension ConfigurationReport: Encodable {
  private enum Key: CodingKey {
    case event, files, values
  }

  private struct Value: Encodable {
    /// The value as YAML.
    var value: String
    /// `FILE:LINE:COLUMN`; nil for a default.
    var origin: String?
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode("configuration", forKey: .event)
    try object.encode(configuration.files, forKey: .files)
    let values = BridgeConfiguration.schema.keys.map { key in
      let origin = configuration.origins[key.path].map { "\($0)" }
      return (key.path, Value(value: key.yaml(configuration.values), origin: origin))
    }
    try object.encode(Dictionary(uniqueKeysWithValues: values), forKey: .values)
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
