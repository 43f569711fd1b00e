import ControlProtocol
import Programs

/// `ballmachine reload`: makes the service read its configuration again.
struct Reload: Subcommand {
  var service = ServiceOptions()

  static let usage = Usage<Self>(
    name: "reload",
    summary: "Make the service read its configuration again",
    options: ServiceOptions.options.within(\.service),
    details: """
      It lists the keys that are now in force, and those that need a restart. A wrong \
      configuration changes nothing: the service refuses it, and says what is wrong. `systemctl \
      reload ballmachine' does the same, but does not wait for the result.

      It needs the group `ballmachine-operator', and ends with 75 when the service refuses, with 69 \
      when no service runs.
      """
  )

  func run(_ output: Output) async throws {
    let service = try await ServiceConnection.open(service)
    try await output.confirm(try await service.ask(.reload, for: ReloadRecord.self).report)
  }
}
