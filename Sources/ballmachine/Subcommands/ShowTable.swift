import Programs

/// `ballmachine table`: the commands that the service sends.
struct ShowTable: Subcommand {
  var service = ServiceOptions()

  static let usage = Usage<Self>(
    name: "table",
    summary: "Show the commands that the service sends",
    options: ServiceOptions.options.within(\.service),
    details: """
      It needs the group `ballmachine', and ends with 69 when no service \
      runs. `check-table' checks a file without a service.
      """
  )

  func run(_ output: Output) async throws {
    let service = try await ServiceConnection.open(service)
    try await output.write(try await service.table().report)
  }
}
