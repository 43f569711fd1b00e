import Calibrations
package import CourtLogic
package import CourtMapping
import Safety
package import YAML

/// The configuration that a process works with: the defaults, over them the files, over them the
/// command line, checked as a whole.
package struct EffectiveConfiguration: Hashable, Sendable {
  package internal(set) var values: BridgeConfiguration
  package internal(set) var table: CommandTable
  /// The camera's calibration. Nil: picture points are refused.
  package internal(set) var calibration: Calibration?
  /// The files that were read, in their order.
  package let files: [String]
  /// The files that have nothing but blanks.
  package let blankFiles: [String]
  /// The path of the file that the drop-ins are laid over; it may be missing.
  let mainFile: String
  /// Where each key's value comes from, by the key's path. A key that isn't here has its default.
  package let origins: [String: ConfigurationOrigin]

  /// Reads the files, and the command table that they or the command line name.
  ///
  /// - Parameter override: what the command line says. A mistake in a file is an error even if this
  ///   overrides the key.
  /// - Throws: ``ConfigurationError`` with all problems; ``CommandTableFileError`` for a table
  ///   that the command line names.
  package init(
    from source: ConfigurationFiles,
    override: (inout BridgeConfiguration) -> Void = { _ in }
  ) throws {
    let loader = source.load()
    mainFile = source.main
    values = loader.values
    files = loader.files
    blankFiles = loader.blankFiles
    override(&values)
    var origins = loader.origins.mapValues(ConfigurationOrigin.file)
    for key in BridgeConfiguration.schema.keys where key.yaml(values) != key.yaml(loader.values) {
      origins[key.path] = .commandLine
    }
    self.origins = origins

    var problems = loader.problems + Self.brokenRules(loader, values, origins)
    var tableProblems: [YAMLProblem] = []
    switch Self.table(of: values, origins) {
    case .success(let table): self.table = table
    case .failure(let error) where origins["court.table"] == .commandLine && problems.isEmpty:
      throw error
    case .failure where values.court.table == nil && values.machine.encoding == .framed:
      // A rule says that such a machine needs a table.
      table = CommandTableFile.builtIn
    case .failure(let error):
      table = CommandTableFile.builtIn
      let relevantKeys = values.court.table == nil ? ConfigurationRule.limits : ["court.table"]
      if loader.wrongKeys.isDisjoint(with: relevantKeys) {
        let origin = relevantKeys.lazy.compactMap { origins[$0] }.first
        tableProblems = error.lines.map { YAMLProblem(at: origin?.place, "court.table: \($0)") }
        problems += tableProblems
      }
    }
    switch Self.calibration(of: values) {
    case .success(let calibration): self.calibration = calibration
    case .failure(let error):
      calibration = nil
      if loader.wrongKeys.isDisjoint(with: ["court.calibration"]) {
        let place = origins["court.calibration"]?.place
        problems += error.problems.map { YAMLProblem(at: place, "court.calibration: \($0)") }
      }
    }
    if problems.isEmpty, let problem = stopProblem { problems.append(problem) }
    guard problems.isEmpty else {
      throw ConfigurationError(
        problems: problems,
        tableProblems: tableProblems,
        isRefusal: loader.isRefusal && loader.problems == problems,
        machine: values.machine
      )
    }
  }

  /// The machine that a stop command goes to, as far as the files can be read, and what is wrong in
  /// them. Files that they name, such as a calibration, aren't opened: the stop doesn't need them.
  package static func machineToStop(
    from source: ConfigurationFiles,
    override: (inout MachineSettings) -> Void
  ) -> (machine: MachineSettings, problem: ConfigurationError?) {
    let loader = source.load()
    var values = loader.values
    override(&values.machine)
    let origins = loader.origins.mapValues(ConfigurationOrigin.file)
    let problems = loader.problems + brokenRules(loader, values, origins)
    guard !problems.isEmpty else { return (values.machine, nil) }
    let problem = ConfigurationError(
      problems: problems,
      tableProblems: [],
      isRefusal: loader.isRefusal && loader.problems == problems,
      machine: values.machine
    )
    return (values.machine, problem)
  }

  private static func brokenRules(
    _ loader: YAMLLoader<BridgeConfiguration>,
    _ values: BridgeConfiguration,
    _ origins: [String: ConfigurationOrigin]
  ) -> [YAMLProblem] {
    ConfigurationRule.all.filter { loader.wrongKeys.isDisjoint(with: $0.keys) }
      .compactMap { $0.problem(of: values, origins) }
  }

  /// A warning for each file that has nothing but blanks: its owner hardly meant the defaults.
  package var blankWarnings: [String] {
    // This one stands for no file.
    blankFiles.filter { $0 != "/dev/null" }
      .map { "\($0) has nothing but blanks: the defaults are in force for all that it had" }
  }

  /// What the machine takes: of its encoding, within its limits.
  package var limits: MachineLimits { values.machineLimits }

  /// What is sent for a player out of court.
  package var fallback: MachineCommand { table.command(for: values.court.fallback) }

  /// From one decision to the next.
  package var interval: Duration { max(values.logic.interval, values.safety.leastInterval) }

  /// What decisions are taken by.
  package var decisions: LogicManager.Settings {
    LogicManager.Settings(
      court: values.court.court,
      table: table,
      fallback: values.court.fallback,
      interval: interval
    )
  }

  /// New logic that turns positions into commands.
  package var logic: LogicManager { LogicManager(decisions) }

  /// A command can't both stop the machine and throw balls. All zeros throw none.
  var stopProblem: YAMLProblem? {
    let stop = values.machine.stopCommand
    guard !stop.isStop else { return nil }
    let zones = table.strokes(of: stop).map { "zone \($0)" }
    guard let conflict = (zones + (fallback == stop ? ["court.fallback"] : [])).first else {
      return nil
    }
    return YAMLProblem(
      at: origins["machine.stop-command"]?.place,
      "machine.stop-command: \(stop) is also the command of \(conflict):"
        + " stopping would throw a ball"
    )
  }

  private static func table(
    of values: BridgeConfiguration,
    _ origins: [String: ConfigurationOrigin]
  ) -> Result<CommandTable, CommandTableFileError> {
    Result { () throws(CommandTableFileError) in
      guard let path = values.court.table else {
        return try CommandTableFile.builtIn(within: values.machineLimits)
      }
      return try CommandTableFile.load(path: path, limits: values.machineLimits)
    }
  }
}

extension EffectiveConfiguration {
  private static func calibration(
    of values: BridgeConfiguration
  ) -> Result<Calibration?, CalibrationFileError> {
    Result { () throws(CalibrationFileError) in
      guard let path = values.court.calibration else { return nil }
      let file = try CalibrationFile(path: path)
      try file.requireConfirmation(at: path)
      return file.calibration
    }
  }
}

/// Where a value comes from, if it isn't the default.
package enum ConfigurationOrigin: Hashable, Sendable {
  case file(YAMLPlace)
  case commandLine

  package var place: YAMLPlace? {
    if case .file(let place) = self { place } else { nil }
  }
}

extension ConfigurationOrigin: CustomStringConvertible {
  package var description: String {
    switch self {
    case .file(let place): "\(place)"
    case .commandLine: "the command line"
    }
  }
}
