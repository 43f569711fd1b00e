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

  /// Reads a table: a line `row-column,digits` for each zone, in any order.
  ///
  /// A first line `zone,command`, blank lines, lines that begin with `#`, CRLF and a byte order
  /// mark are all fine. Everything else is an error that names its line.
  package init(csv: String, limits: MachineLimits = .widest) throws(CommandTableError) {
    var entries: [Zone: (command: MachineCommand, line: Int)] = [:]
    var headerMayCome = true
    var last = 0
    for (line, text) in csv.numberedLines {
      last = line
      guard !text.allSatisfy(\.isWhitespace), text.first != "#" else { continue }
      defer { headerMayCome = false }
      if headerMayCome, text.lowercased() == "zone,command" { continue }

      let columns = text.split(separator: ",", omittingEmptySubsequences: false)
      guard columns.count == 2 else {
        throw CommandTableError(line: line, reason: .columns(columns.count))
      }
      guard let zone = Zone(rowColumn: columns[0]) else {
        throw CommandTableError(line: line, reason: .zone(String(columns[0])))
      }
      if let earlier = entries[zone] {
        throw CommandTableError(line: line, reason: .doubled(zone, firstLine: earlier.line))
      }
      let command: MachineCommand
      do { command = try MachineCommand(digits: String(columns[1])) } catch {
        throw CommandTableError(line: line, reason: .command(zone, error))
      }
      do { try limits.check(command) } catch {
        throw CommandTableError(line: line, reason: .limits(zone, error))
      }
      entries[zone] = (command, line)
    }
    let missing = Zone.allCases.filter { entries[$0] == nil }
    guard missing.isEmpty else {
      throw CommandTableError(line: max(last, 1), reason: .missing(missing))
    }
    commands = Zone.allCases.compactMap { entries[$0]?.command }
  }
}

/// What is wrong with a command table, and where.
package struct CommandTableError: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    case columns(Int)
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
}

extension CommandTableError: CustomStringConvertible {
  package var description: String {
    let text =
      switch reason {
      case .columns(let count):
        "a line has two columns, zone,command, not \(count)"
      case .zone(let text):
        "“\(text.prefix(20))” is no zone: write row-column, each 0 to 3, such as 1-1"
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
    return "line \(line): \(text)"
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
