import Programs

/// Which service a subcommand reaches.
struct ServiceOptions: Equatable {
  /// The running simulation, and never a machine's service; otherwise never a simulation.
  var simulate = false

  static let options: [Option<ServiceOptions>] = [
    .flag("simulate", \.simulate, simulateHelp)
  ]

  /// Also of subcommands that look at what simulations have left.
  static let simulateHelp = "Reach only this user's simulation, by `ballmachine simulate'"
}
