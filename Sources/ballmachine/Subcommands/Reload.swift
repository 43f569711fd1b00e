import ControlProtocol
import Programs
import Reports

/// `ballmachine reload`: makes the service read its configuration again.
struct Reload: Subcommand {
  var empty = false
  var service = ServiceOptions()

  static let usage = Usage<Self>(
    name: "reload",
    summary: "Make the service read its configuration again",
    options: [
      .flag("empty", \.empty, "Take a file that has nothing but blanks, or is gone")
    ] + ServiceOptions.options.within(\.service),
    details: """
      It lists the keys that are now in force, and those that need a restart. A wrong \
      configuration changes nothing: the service refuses it, and says what is wrong. `systemctl \
      reload ballmachine' does the same, but does not wait for the result.

      A file that had keys and now has nothing but blanks is refused, and so is a main file that is \
      gone: an editor may be about to write it, and without it every default would be in force. \
      With --empty it is taken. A drop-in may be removed.

      It needs the group `ballmachine-operator', and ends with 75 when the service refuses, with 69 \
      when no service runs.
      """
  )

  func run(_ output: Output) async throws {
    let service = try await ServiceConnection.open(service)
    let record = try await service.ask(.reload(empty: empty), for: ReloadRecord.self)
    try await output.confirm(record.report)
  }
}
