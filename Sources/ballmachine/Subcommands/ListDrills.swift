import ControlProtocol
import Options
import Programs
import Service

/// `ballmachine drills`: the drills of this box.
struct ListDrills: Subcommand {
  var configuration = ConfigurationOptions()

  static let usage = Usage<Self>(
    name: "drills",
    summary: "List the drills, with their length and balls",
    options: ConfigurationOptions.options.within(\.configuration),
    details: """
      They are the built-in ones and the files of the folder drills beside the configuration, \
      NAME.yaml each; a file replaces a built-in drill of its name. One that the machine, with its \
      command table, can't throw is listed with the reason. `check-drill' checks a file, \
      `explain --drill NAME' shows its balls, `drill NAME' loads it.
      """
  )

  func run(_ output: Output) async throws {
    let drills = try configuration.drills.records(in: try configuration.effective())
    try await output.write(DrillsRecord(drills: drills).report)
  }
}
