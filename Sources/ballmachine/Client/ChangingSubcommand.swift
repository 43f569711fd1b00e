import ControlProtocol
import Programs

/// A subcommand that sends one request to the service that changes safety or what is trained, and
/// prints the state after it.
protocol ChangingSubcommand: Subcommand {
  var request: ControlRequest { get }
  var service: ServiceOptions { get set }
}

extension ChangingSubcommand {
  /// - Parameter details: what it does, for the help.
  static func requesting(
    _ name: String,
    _ summary: String,
    options: [Option<Self>] = [],
    arguments: [Argument<Self>] = [],
    details: String
  ) -> Usage<Self> {
    Usage(
      name: name,
      summary: summary,
      options: options + ServiceOptions.options.within(\.service),
      arguments: arguments,
      details: details + "\n\nIt needs the group `ballmachine-operator', and ends with 75 when the"
        + " service refuses, with 69 when no service runs."
    )
  }

  func run(_ output: Output) async throws { try await change(output) }

  func change(_ output: Output) async throws {
    switch request {
    case .arm, .resume: try output.requirePlace()
    default: break
    }
    let service = try await ServiceConnection.open(service)
    try await output.confirm(await service.change(request))
  }
}
