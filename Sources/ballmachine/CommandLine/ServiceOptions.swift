import Programs

/// Which service a subcommand reaches.
struct ServiceOptions: Equatable {
  /// The running simulation, and never a machine's service; otherwise never a simulation.
  var simulate = false

  static let options: [Option<ServiceOptions>] = [
    .flag("simulate", \.simulate, "Reach only the running `ballmachine simulate'")
  ]
}
