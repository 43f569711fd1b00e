/// The command for each of the 16 zones.
package struct CommandTable: Hashable, Sendable {
  private let commands: [MachineCommand]

  /// Asks for the command of each zone in turn.
  package init<Failure>(_ command: (Zone) throws(Failure) -> MachineCommand) throws(Failure) {
    var commands: [MachineCommand] = []
    for zone in Zone.allCases { commands.append(try command(zone)) }
    self.commands = commands
  }

  package subscript(zone: Zone) -> MachineCommand { commands[zone.id] }

  /// The commands by the zones' names.
  package var texts: [String: String] {
    Dictionary(uniqueKeysWithValues: Zone.allCases.map { ("\($0)", self[$0].text) })
  }

  /// The zones that have a command.
  package func zones(of command: MachineCommand) -> [Zone] {
    Zone.allCases.filter { self[$0] == command }
  }

  /// Reads a table: a line `row-column,digits`, or `row-column,upper,lower,pitch,yaw,feed`, for
  /// each zone, in any order.
  ///
  /// A first line with the columns' names, blank lines, lines that begin with `#`, CRLF and a byte
  /// order mark are all fine. Everything else is an error that names its line.
  ///
  /// - Parameter limits: have the encoding of the commands.
  package init(csv: String, limits: MachineLimits = .widest) throws(CommandTableError) {
    let lines = Lines(of: csv, limits: limits)
    if let first = lines.errors.first { throw first }
    commands = Zone.allCases.compactMap { lines.entries[$0]?.command }
  }

  /// What is wrong with a table, line by line, as far as the first 50 mistakes; nothing if it can be
  /// read.
  package static func errors(
    csv: String,
    limits: MachineLimits = .widest
  ) -> [CommandTableError] {
    Lines(of: csv, limits: limits).errors
  }

  /// What the lines say, and what is wrong with them.
  private struct Lines {
    var entries: [Zone: (command: MachineCommand, line: Int)] = [:]
    var errors: [CommandTableError] = []
    /// A file with more errors is no table.
    private static let mostErrors = 50

    init(of csv: String, limits: MachineLimits) {
      var headerMayCome = true
      var last = 0
      for (line, text) in csv.numberedLines where errors.count < Self.mostErrors {
        last = line
        guard !text.allSatisfy(\.isWhitespace), text.first != "#" else { continue }
        defer { headerMayCome = false }
        if headerMayCome,
          let encoding = MachineEncoding.allCases.first(where: { text.lowercased() == $0.columns })
        {
          if encoding == limits.encoding { continue }
          let reason = CommandTableError.Reason.encoding(encoding, machine: limits.encoding)
          errors = [CommandTableError(line: line, reason: reason)]
          return
        }
        do throws(CommandTableError.Reason) {
          try take(text, line, limits)
        } catch {
          errors.append(CommandTableError(line: line, reason: error))
        }
      }
      let missing = Zone.allCases.filter { entries[$0] == nil }
      // A table with other errors may lack zones only because of them.
      if errors.isEmpty, !missing.isEmpty {
        errors = [CommandTableError(line: max(last, 1), reason: .missing(missing))]
      }
    }

    private mutating func take(
      _ text: Substring,
      _ line: Int,
      _ limits: MachineLimits
    ) throws(CommandTableError.Reason) {
      let columns = text.split(separator: ",", omittingEmptySubsequences: false)
      guard columns.count == limits.encoding.columnCount else {
        throw .columns(columns.count, limits.encoding)
      }
      guard let zone = Zone(rowColumn: columns[0]) else { throw .zone(String(columns[0])) }
      if let earlier = entries[zone] { throw .doubled(zone, firstLine: earlier.line) }
      let command: MachineCommand
      do { command = try MachineCommand(text: columns.dropFirst().joined(separator: ",")) } catch {
        throw .command(zone, error)
      }
      do { try limits.check(command) } catch { throw .limits(zone, error) }
      entries[zone] = (command, line)
    }
  }
}

/// What is wrong with a command table, and where.
package struct CommandTableError: Error, Hashable, Sendable {
  package enum Reason: Error, Hashable, Sendable {
    case columns(Int, MachineEncoding)
    /// The header is that of another encoding than the machine's.
    case encoding(MachineEncoding, machine: MachineEncoding)
    case zone(String)
    case doubled(Zone, firstLine: Int)
    case command(Zone, MachineCommandError)
    case limits(Zone, MachineLimitError)
    /// The zones that the table, which ends at this line, doesn't give.
    case missing([Zone])
  }

  /// Counted from 1.
  package let line: Int
  package let reason: Reason

  package init(line: Int, reason: Reason) {
    self.line = line
    self.reason = reason
  }

  /// Where the mistake begins in its line, counted from 1.
  package var column: Int {
    switch reason {
    // Behind a zone, which has three characters, and the comma.
    case .command, .limits: 5
    case .columns, .encoding, .zone, .doubled, .missing: 1
    }
  }
}

extension CommandTableError: CustomStringConvertible {
  /// `LINE:COLUMN: TEXT`
  package var description: String { "\(line):\(column): \(text)" }

  package var text: String {
    switch reason {
    case .columns(let count, let encoding):
      "a line has \(encoding == .digits ? "two" : "six") columns, \(encoding.columns), not \(count)"
    case .encoding(let encoding, let machine):
      "the table is for machine.encoding \(encoding.rawValue), and it is \(machine.rawValue) here"
    case .zone(let text):
      "“\(text.prefix(20))” is not a zone: write row-column, each 0 to 3, such as 1-1"
    case .doubled(let zone, let firstLine):
      "zone \(zone) was given before, on line \(firstLine)"
    case .command(let zone, let error):
      "zone \(zone): \(error)"
    case .limits(let zone, let error):
      "zone \(zone): \(error)"
    case .missing(let zones):
      "the table ends without \(zones.count == 1 ? "zone" : "zones") "
        + zones.map(\.description).joined(separator: ", ")
    }
  }
}

extension String {
  /// The lines with their numbers from 1, without line ends (LF or CRLF) and byte order mark.
  fileprivate var numberedLines: [(line: Int, text: Substring)] {
    let scalars = Substring(self).unicodeScalars
    let content = scalars.first == "\u{FEFF}" ? scalars.dropFirst() : scalars
    var lines = content.split(separator: "\n", omittingEmptySubsequences: false)
    // What follows the last line end is a line only if there is something.
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines.enumerated().map { index, line in
      (index + 1, Substring(line.last == "\r" ? line.dropLast() : line))
    }
  }
}
