package import YAML

/// A place in a configuration's file.
package struct ConfigurationPlace: Hashable, Sendable, CustomStringConvertible {
  package let file: String
  package let mark: YAMLMark

  package var description: String { "\(file):\(mark.line):\(mark.column)" }
}

/// A mistake in a configuration: where, what, and what would be right.
package struct ConfigurationProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// Nil when the problem comes from the command line.
  package let file: String?
  /// Nil for a problem of the whole file.
  package let mark: YAMLMark?
  package let text: String
  /// Whether the problem is in the command table that the configuration names, or in the table's
  /// demands on the machine.
  package let isOfTable: Bool

  init(file: String?, mark: YAMLMark?, text: String, isOfTable: Bool = false) {
    self.file = file
    self.mark = mark
    self.text = text
    self.isOfTable = isOfTable
  }

  init(at place: ConfigurationPlace?, _ text: String, isOfTable: Bool = false) {
    self.init(file: place?.file, mark: place?.mark, text: text, isOfTable: isOfTable)
  }

  package var description: String {
    guard let file else { return text }
    guard let mark else { return "\(file): \(text)" }
    return "\(ConfigurationPlace(file: file, mark: mark)): \(text)"
  }
}

/// Why there is no configuration: all that is wrong, file by file.
package struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  package let problems: [ConfigurationProblem]
  /// Whether missing permissions are the only problems.
  package let isRefusal: Bool
  /// The machine as far as it could be read: only for the stop command, which no mistake in a file
  /// may prevent.
  package let machine: MachineSettings

  init(_ problems: [ConfigurationProblem], isRefusal: Bool, machine: MachineSettings) {
    self.problems = problems
    self.isRefusal = isRefusal
    self.machine = machine
  }

  /// A line each.
  package var description: String {
    let head = problems.count > 1 ? ["\(problems.count) problems in the configuration:"] : []
    return (head + problems.map(\.description)).joined(separator: "\n")
  }
}
