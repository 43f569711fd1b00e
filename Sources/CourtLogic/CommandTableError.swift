/// What is wrong with a command table, and where.
package struct CommandTableError: Error, Hashable, Sendable {
  package enum Reason: Error, Hashable, Sendable {
    case columns(Int, CommandTableColumns)
    /// The first line isn't the columns' names, and has to be.
    case header(MachineEncoding)
    /// The header is that of another encoding than the machine's.
    case encoding(MachineEncoding, machine: MachineEncoding)
    case zone(String)
    case level(String)
    case spin(String)
    case doubled(Stroke, firstLine: Int)
    case command(Stroke, MachineCommandError)
    case limits(Stroke, MachineLimitError)
    /// The zones that have no plain entry in the table, which ends at this line.
    ///
    /// - Parameter withStrokes: whether there may be other entries.
    case missing([Zone], withStrokes: Bool = false)
  }

  /// Counted from 1.
  package let line: Int
  /// Where the mistake begins in its line, counted from 1.
  package var column = 1
  package let reason: Reason

  /// Whether each line would have this mistake again.
  var isAboutAllLines: Bool {
    switch reason {
    case .encoding, .header: true
    default: false
    }
  }
}

extension CommandTableError: CustomStringConvertible {
  /// `LINE:COLUMN: TEXT`
  package var description: String { "\(line):\(column): \(text)" }

  package var text: String {
    switch reason {
    case .columns(let count, let columns):
      "a line has \(Self.words[columns.names.count]) columns, \(columns), not \(count)"
    case .header(let encoding):
      "the first line is \(CommandTableColumns(encoding)), and with levels and spins, or one of them,"
        + " \(CommandTableColumns(encoding, hasLevel: true, hasSpin: true))"
    case .encoding(let encoding, let machine):
      "the table is for machine.encoding \(encoding.rawValue), and it is \(machine.rawValue) here"
    case .zone(let text):
      "“\(text.prefix(20))” is not a zone: write row-column, each 0 to 3, such as 1-1"
    case .level(let text): Self.unknown(text, SkillLevel.allCases.map(\.rawValue), "a level")
    case .spin(let text): Self.unknown(text, Spin.allCases.map(\.rawValue), "a spin")
    case .doubled(let stroke, let firstLine):
      "zone \(stroke) was given before, on line \(firstLine)"
    case .command(let stroke, let error): "zone \(stroke): \(error)"
    case .limits(let stroke, let error): "zone \(stroke): \(error)"
    case .missing(let zones, let withStrokes):
      "the table ends without "
        + (withStrokes ? "a line that has neither level nor spin for " : "")
        + (zones.count == 1 ? "zone " : "zones ")
        + zones.map(\.description).joined(separator: ", ")
    }
  }

  /// Numbers of columns.
  private static let words = [
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight",
  ]

  private static func unknown(_ text: String, _ words: [String], _ what: String) -> String {
    "“\(text.prefix(20))” is not \(what): write \(words.joined(separator: ", ")), or nothing"
  }
}
