import Host
package import YAML

/// Why there is no configuration: all that is wrong, file by file.
package struct ConfigurationError: Error, Hashable, Sendable, Lined {
  package let problems: [YAMLProblem]
  /// The problems in the command table that the configuration names, or in the table's demands on
  /// the machine.
  package let tableProblems: [YAMLProblem]
  /// Whether missing permissions are the only problems.
  package let isRefusal: Bool
  /// The machine as far as it could be read: only for the stop command, which no mistake in a file
  /// may prevent.
  package let machine: MachineSettings

  /// A line each.
  package var lines: [String] {
    let head = problems.count > 1 ? ["\(problems.count) problems in the configuration:"] : []
    return head + problems.map(\.description)
  }
}
