/// What the lines of a command table say, and what is wrong with them.
struct CommandTableLines {
  private(set) var entries: [Stroke: (command: MachineCommand, line: Int)] = [:]
  private(set) var errors: [CommandTableError] = []
  private var columns: CommandTableColumns
  /// A file with more errors is no table.
  private static let mostErrors = 50

  init(of csv: String, limits: MachineLimits) {
    columns = CommandTableColumns(limits.encoding)
    var headerMayCome = true
    var last = 0
    for (line, text) in csv.numberedLines where errors.count < Self.mostErrors {
      last = line
      guard !text.allSatisfy(\.isWhitespace), text.first != "#" else { continue }
      defer { headerMayCome = false }
      do throws(CommandTableError) {
        if headerMayCome, try takeHeader(text, line) { continue }
        try parse(text, line, limits)
      } catch {
        guard error.isAboutAllLines else {
          errors.append(error)
          continue
        }
        errors = [error]
        return
      }
    }
    let missing = Zone.allCases.filter { entries[Stroke(zone: $0)] == nil }
    // A table with other errors may lack zones only because of them.
    if errors.isEmpty, !missing.isEmpty {
      let reason = CommandTableError.Reason.missing(missing, withStrokes: columns.command > 1)
      errors = [CommandTableError(line: max(last, 1), reason: reason)]
    }
  }

  /// Whether the line has the columns' names.
  private mutating func takeHeader(
    _ text: Substring,
    _ line: Int
  ) throws(CommandTableError) -> Bool {
    let header = text.lowercased()
    guard header.hasPrefix("zone,") else { return false }
    guard let named = CommandTableColumns.all.first(where: { "\($0)" == header }) else {
      throw CommandTableError(line: line, reason: .header(columns.encoding))
    }
    guard named.encoding == columns.encoding else {
      let reason = CommandTableError.Reason.encoding(named.encoding, machine: columns.encoding)
      throw CommandTableError(line: line, reason: reason)
    }
    columns = named
    return true
  }

  private mutating func parse(
    _ text: Substring,
    _ line: Int,
    _ limits: MachineLimits
  ) throws(CommandTableError) {
    let cells = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    func problem(_ reason: CommandTableError.Reason, in cell: Int = 0) -> CommandTableError {
      let column = cells[..<cell].reduce(1) { $0 + $1.count + 1 }
      return CommandTableError(line: line, column: column, reason: reason)
    }
    guard cells.count == columns.names.count else {
      let lacksHeader = columns.command == 1 && cells.contains(where: CommandTableColumns.isWord)
      throw problem(lacksHeader ? .header(columns.encoding) : .columns(cells.count, columns))
    }
    guard let zone = Zone(rowColumn: cells[0]) else { throw problem(.zone(cells[0])) }
    var stroke = Stroke(zone: zone)
    if let index = columns.level, !cells[index].isEmpty {
      stroke.level = SkillLevel(rawValue: cells[index])
      if stroke.level == nil { throw problem(.level(cells[index]), in: index) }
    }
    if let index = columns.spin, !cells[index].isEmpty {
      stroke.spin = Spin(rawValue: cells[index])
      if stroke.spin == nil { throw problem(.spin(cells[index]), in: index) }
    }
    if let earlier = entries[stroke] { throw problem(.doubled(stroke, firstLine: earlier.line)) }
    let command: MachineCommand
    do {
      command = try MachineCommand(text: cells[columns.command...].joined(separator: ","))
    } catch { throw problem(.command(stroke, error), in: columns.command) }
    do { try limits.check(command) } catch {
      throw problem(.limits(stroke, error), in: columns.command)
    }
    entries[stroke] = (command, line)
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
