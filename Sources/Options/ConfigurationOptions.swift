package import Configuration
package import Drills
package import Programs

/// Where the configuration is, for all subcommands that use it.
package struct ConfigurationOptions {
  /// Nil: the standard file, if there is one.
  package var file: String?

  package static let options: [Option<ConfigurationOptions>] = [
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
  package static let none = ConfigurationOptions(file: "/dev/null")

  package init(file: String? = nil) { self.file = file }

  /// The files as they are now, overridden by the command line.
  ///
  /// - Parameter override: applies further options of the command line.
  package func effective(
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
  /// The drills beside the configuration.
  package var drills: DrillLibrary { DrillLibrary(beside: ConfigurationFiles(main: file).main) }
}

extension MachineOptions {
  /// Options override the configuration.
  package func override(_ settings: inout MachineSettings) {
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
  package func override(_ settings: inout CourtSettings) {
    settings.apron = apron ?? settings.apron
    settings.table = tablePath ?? settings.table
  }
}
