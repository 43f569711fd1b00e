import Bridge
import Threads

/// Where the configuration is, for all subcommands that go by it.
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
      $BALLMACHINE_CONFIG, else \(ConfigurationFiles.standardPath) if there is one); options beat it
      """
    )
  ]

  /// No file at all: the defaults.
  static let none = ConfigurationOptions(file: "/dev/null")

  /// The files as they are now, with the command line over them.
  ///
  /// - Parameter override: what else the command line says.
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
  /// The machine that a stop command goes to, whatever else is wrong in the files.
  ///
  /// - Parameter program: what a complaint about them begins with.
  /// - Throws: ``Failure`` where a disk does not answer: without the files it is not known which machine
  ///   is meant, and what stops it.
  func machineToStop(_ options: MachineOptions, complaining program: String) async throws
    -> MachineSettings
  {
    do {
      return try await waiting(atMost: ReadingLimit.duration) { [self] in
        // No thread of Swift's may hang.
        try await WaitingThread.value { Result { try effective(machine: options) } }.get()
      }.values.machine
    } catch is PatienceEnded {
      throw Failure(
        .inputOutput,
        "the configuration can't be read: its disk does not answer: use the machine's switch"
      )
    } catch let error as ConfigurationError {
      Output.complain("\(program): warning: \(error)")
      return error.machine
    }
  }
}

extension MachineOptions {
  /// Puts what was given in place of what the configuration says.
  func override(_ settings: inout MachineSettings) {
    settings.bus = bus ?? settings.bus
    settings.adapter = adapter ?? settings.adapter
    // Whoever names a machine means that one: an address beside the name would still decide.
    if address != nil || name != nil {
      settings.address = address
      settings.name = name
    }
    if service != nil {
      settings.service = service
      settings.characteristic = characteristic
    }
  }
}

extension CourtOptions {
  /// Puts what was given in place of what the configuration says.
  func override(_ settings: inout CourtSettings) {
    settings.court = court ?? settings.court
    settings.table = tablePath ?? settings.table
  }
}
