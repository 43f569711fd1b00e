import Bridge
import Configuration
import ControlProtocol
import CourtLogic
import Host
import Options
import Programs
import YAML

/// `ballmachine check-table`: whether a command table is valid, and fits this machine.
struct CheckTable: Subcommand {
  var configuration = ConfigurationOptions()
  var court = CourtOptions()

  static let usage = Usage<Self>(
    name: "check-table",
    summary: "Check a command table",
    options: ConfigurationOptions.options.within(\.configuration),
    arguments: [.optional(.text("FILE"), \.court.tablePath)],
    details: """
      FILE is CSV with the columns zone,command, or zone,upper,lower,pitch,yaw,feed where \
      machine.encoding is framed: a line for each of the 16 zones. Behind zone there may be the \
      columns level (\(words(SkillLevel.self))), spin (\(words(Spin.self))) or both, and more \
      lines for a zone; one line of each zone leaves them empty. Without FILE it is the \
      configured table, else the built-in one. Commands outside the configured limits of the \
      machine are errors.

      It reports all problems, a line each, as FILE:LINE:COLUMN: TEXT, and then ends with 65; with \
      66 if there is no FILE.
      """
  )

  private static func words<Word: RawRepresentable<String> & CaseIterable>(
    _ type: Word.Type
  ) -> String {
    type.allCases.map(\.rawValue).joined(separator: ", ")
  }

  func run(_ output: Output) async throws {
    do {
      let configuration = try configuration.effective(court: court)
      try await output.write(TableReport(configuration))
    } catch let error as CommandTableFileError {
      guard case .content(let problems) = error.reason else { throw error }
      let placed = problems.map { problem in
        let mark = YAMLMark(line: problem.line, column: problem.column)
        return YAMLProblem(at: YAMLPlace(file: error.path, mark: mark), problem.text)
      }
      throw try await output.report(placed, endingWith: .badData)
    }
  }
}

/// A valid table, and the two commands that are in no table.
struct TableReport: LinedReport {
  /// Nil: the built-in one.
  var file: String?
  var table: CommandTable
  var record: TableRecord

  init(_ configuration: EffectiveConfiguration) {
    file = configuration.values.court.table
    table = configuration.table
    record = TableRecord(
      table,
      fallback: configuration.fallback,
      stop: configuration.values.machine.stopCommand
    )
  }

  /// The range of each field, so that a wrong digit shows, and the entries at levels, with spins.
  var lines: [String] {
    let encoding = table[.fallback].encoding
    let spans = encoding.fields.map { field in
      let values = table.entries.compactMap { $0.command[field] }
      return "\(padded(field.name, to: 12)) \(values.min() ?? 0) to \(values.max() ?? 0)"
        + encoding.unit(of: field)
    }
    return ["\(file ?? "the built-in table"): valid"] + spans + strokes
  }

  /// How many entries there are at each level, and with each spin.
  private var strokes: [String] {
    let strokes = table.entries.map(\.stroke)
    let levels = SkillLevel.allCases.map { level in
      (level.rawValue, strokes.count { $0.level == level })
    }
    let spins = Spin.allCases.map { spin in (spin.rawValue, strokes.count { $0.spin == spin }) }
    return [("level", levels), ("spin", spins)].compactMap { name, counts in
      let counts = counts.filter { $0.1 > 0 }.map { "\($0.1) × \($0.0)" }
      return counts.isEmpty ? nil : "\(padded(name, to: 12)) \(counts.joined(separator: ", "))"
    }
  }
}

extension TableReport: Encodable {
  private enum Key: CodingKey {
    case file
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(file, forKey: .file)
    try encoder.encode(record, as: "table")
  }
}
