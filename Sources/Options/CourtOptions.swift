package import CourtLogic
package import Programs

/// Where the court ends and which command each zone has.
package struct CourtOptions {
  /// The apron, in metres; nil: the configuration's, which has none by default.
  package var apron: Double?
  package var tablePath: String?

  package init() {}

  package static let tableOption: Option<CourtOptions> = .value(
    "table",
    .text("FILE"),
    \.tablePath,
    "Read the zones' commands from this CSV table"
  )

  package static let options: [Option<CourtOptions>] = [
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
  package func court(
    _ logic: LogicManager,
    replacing recorded: LogicManager.Settings
  ) -> LogicManager.Settings {
    var settings = recorded
    let (rows, columns) = (recorded.court.rows?.metres, recorded.court.columns?.metres)
    let court = apron.flatMap { try? Court(apron: $0, rows: rows, columns: columns) }
    if let court { settings.court = court }
    if tablePath != nil { (settings.table, settings.fallback) = (logic.table, logic.fallback) }
    return settings
  }
}
