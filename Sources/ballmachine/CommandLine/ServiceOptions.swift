/// Which service a subcommand reaches.
struct ServiceOptions: Equatable {
  /// The running simulation, and never a machine's service; otherwise never a simulation.
  var simulate = false

  static let options: [Option<ServiceOptions>] = [
    .flag("simulate", \.simulate, "Reach the running `ballmachine simulate', and nothing else")
  ]
}
