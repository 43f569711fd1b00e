import Bridge
import CourtLogic

/// Where the court ends and which command each zone has.
struct CourtOptions {
  /// Nil: the configuration's, which has no apron by default.
  var court: Court?
  var tablePath: String?

  static let tableOption: Option<CourtOptions> = .value(
    "table",
    .text("FILE"),
    \.tablePath,
    "Read the zones' commands from this CSV file (zone,command)"
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
}
