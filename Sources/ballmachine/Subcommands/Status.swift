import ControlProtocol
import Programs
import Reports

/// `ballmachine status`: the service's state.
struct Status: Subcommand {
  var service = ServiceOptions()

  static let usage = Usage<Self>(
    name: "status",
    summary: "Show whether balls may fly, and whether the machine is there",
    options: ServiceOptions.options.within(\.service),
    details: """
      Balls fly only while the service is armed and the machine is connected. Both states are \
      shown with their reasons. SIM means that the machine is a mock, REAL that balls are real.

      It needs the group `ballmachine', and ends with 69 when no service runs.
      """
  )

  func run(_ output: Output) async throws {
    let service = try await ServiceConnection.open(service)
    try await output.write(StatusReport(try await service.client.call(.status)))
  }
}
