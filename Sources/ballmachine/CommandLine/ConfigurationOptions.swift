import Configuration
import Host
import Programs

/// Where the configuration is, for all subcommands that use it.
struct ConfigurationOptions {
  /// Nil: the standard file, if there is one.
  var file: String?

  static let options: [Option<ConfigurationOptions>] = [
    .value(
      "config",
      .text("FILE"),
      \.file,
      """
      Read this configuration file, and the drop-ins in the folder beside it (default: \
      $BALLMACHINE_CONFIG, else \(ConfigurationFiles.standardPath) if there is one); options \
      override it
      """
    )
  ]

  /// No file at all: the defaults.
  static let none = ConfigurationOptions(file: "/dev/null")

  /// The files as they are now, overridden by the command line.
  ///
  /// - Parameter override: applies further options of the command line.
  func effective(
    machine: MachineOptions = MachineOptions(),
    court: CourtOptions = CourtOptions(),
    override: (inout BridgeConfiguration) -> Void = { _ in }
  ) throws -> EffectiveConfiguration {
    try EffectiveConfiguration(from: ConfigurationFiles(main: file)) { values in
      machine.override(&values.machine)
      court.override(&values.court)
      override(&values)
    }
  }
}

extension ConfigurationOptions {
  /// The machine that a stop command goes to, even if parts of the files are wrong.
  ///
  /// - Parameter program: the prefix of a warning about the files.
  /// - Throws: ``Failure`` if a disk does not answer: only the files say which machine is meant and
  ///   which command stops it.
  func machineToStop(_ options: MachineOptions, complaining program: String) async throws
    -> MachineSettings
  {
    do {
      let (machine, problem) = try await waiting(atMost: ReadingLimit.duration) { [file] in
        // A hanging disk must not block one of Swift's threads.
        try await WaitingThread.value {
          EffectiveConfiguration.machineToStop(
            from: ConfigurationFiles(main: file),
            override: options.override
          )
        }
      }
      if let problem { Output.complain("\(program): warning: \(problem)") }
      return machine
    } catch is TimeoutError {
      throw Failure(
        .inputOutput,
        "the configuration can't be read: its disk does not answer: use the machine's switch"
      )
    }
  }
}

extension MachineOptions {
  /// Options override the configuration.
  func override(_ settings: inout MachineSettings) {
    settings.bus = bus ?? settings.bus
    settings.adapter = adapter ?? settings.adapter
    // Replaces both: a configured address would win over a given name.
    if address != nil || name != nil {
      settings.address = address
      settings.name = name
    }
    // A handle needs no service.
    if service != nil || characteristic != nil {
      settings.service = service
      settings.characteristic = characteristic
    }
  }
}

extension CourtOptions {
  /// Options override the configuration.
  func override(_ settings: inout CourtSettings) {
    settings.apron = apron ?? settings.apron
    settings.table = tablePath ?? settings.table
  }
}
