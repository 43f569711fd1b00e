import CourtLogic
import Programs
import SessionLog

/// Where the court ends and which command each zone has.
struct CourtOptions {
  /// In metres; nil: the configuration's, which has none by default.
  var apron: Double?
  var tablePath: String?

  static let tableOption: Option<CourtOptions> = .value(
    "table",
    .text("FILE"),
    \.tablePath,
    "Read the zones' commands from this CSV table"
  )

  static let options: [Option<CourtOptions>] = [
    .value(
      "apron",
      .number("METRES", in: 0...Court.greatestApron),
      \.apron,
      """
      Count positions this far behind the baseline and beside the sidelines for the nearest zone \
      (default 0, in a simulation 3)
      """
    ),
    tableOption,
  ]

  /// The recorded court, table and interval, unless options replace them; `logic` has the options'
  /// values.
  func court(_ logic: LogicManager, replacing recorded: RecordedCourt) -> RecordedCourt {
    let (rows, columns) = (recorded.court.rows?.metres, recorded.court.columns?.metres)
    let court = apron.flatMap { try? Court(apron: $0, rows: rows, columns: columns) }
    return RecordedCourt(
      court: court ?? recorded.court,
      table: tablePath == nil ? recorded.table : logic.table,
      fallback: tablePath == nil ? recorded.fallback : logic.fallback,
      interval: recorded.interval
    )
  }
}
