import ControlProtocol

/// `ballmachine status`: the service's state.
struct Status: Subcommand {
  var output = OutputOptions()

  static let usage = Usage<Self>(
    name: "status",
    summary: "Tell how the service is: may balls fly, is the machine connected, and why",
    options: OutputOptions.options.within(\.output),
    details: """
      Two things decide whether balls fly: the arming, which people do, and the link to the \
      machine. Each comes with its reason. SIM means that the machine is a mock, REAL that balls \
      are real.

      It needs the group `ballmachine', and ends with 69 when no service runs.
      """
  )

  func run(_ output: Output) async throws {
    let service = try await ServiceConnection.open()
    try await output.write(StatusReport(try await service.client.call("status")))
  }
}
