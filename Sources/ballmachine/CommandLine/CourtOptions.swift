import CourtLogic
import SessionLog

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
      Count positions this far behind the baseline and beside the sidelines for the nearest zone \
      (default 0, in a simulation 3)
      """
    ),
    tableOption,
  ]

  /// The recorded court, table and interval, unless options replace them; `logic` has the options'
  /// values.
  func logic(_ logic: LogicManager, replacing recorded: RecordedCourt?) -> LogicManager {
    guard let recorded else { return logic }
    return LogicManager(
      court: court == nil ? recorded.court : logic.court,
      table: tablePath == nil ? recorded.table : logic.table,
      fallback: tablePath == nil ? recorded.fallback : logic.fallback,
      interval: recorded.interval
    )
  }
}
