import Bridge
import CourtLogic

/// Where the court ends and which command each zone has.
struct CourtOptions {
  var court = Court()
  var tablePath: String?

  static let tableOption: Option<CourtOptions> = .value(
    "table",
    .text("FILE"),
    \.tablePath,
    "Read the zones' commands from this CSV file (zone,command) instead of the built-in table"
  )

  static let options: [Option<CourtOptions>] = [
    .value(
      "apron",
      .apron,
      \.court,
      """
      Let positions this far behind the baseline and beside the sidelines count for the nearest \
      zone (default 0)
      """
    ),
    tableOption,
  ]

  func table() throws -> CommandTable {
    guard let tablePath else { return CommandTableFile.builtIn }
    return try CommandTableFile.load(path: tablePath)
  }
}
