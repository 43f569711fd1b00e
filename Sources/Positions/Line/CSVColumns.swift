import Host

/// The meaning of a CSV file's columns.
struct CSVColumns: Hashable, Sendable {
  /// The unit of a column of times, by its name.
  enum Time: Hashable, Sendable {
    case seconds, milliseconds, frames

    init(_ name: some StringProtocol) {
      switch name {
      case "frame": self = .frames
      case "ms": self = .milliseconds
      default: self = .seconds
      }
    }
  }

  /// Of a file without a header.
  static let usual = CSVColumns([.time: 0, .x: 1, .y: 2], count: 3, time: .seconds)

  private let places: [PositionKey: Int]
  private let count: Int
  /// What its times count.
  let time: Time

  private init(_ places: [PositionKey: Int], count: Int, time: Time) {
    self.places = places
    self.count = count
    self.time = time
  }

  /// - Returns: nil for a line that is no header.
  /// - Throws: for a header that names no place.
  init?(header: Substring, times: PositionTimes) throws(PositionLineError) {
    // Most lines begin with a digit.
    guard header.utf8.first?.isDigit == false else { return nil }
    let names = header.lowercased().split(separator: ",", omittingEmptySubsequences: false)
      .map { String($0.unquoted) }
    guard names.count >= 3, !names.contains(where: { Double(decimal: $0) != nil && $0 != "" })
    else { return nil }
    var places: [PositionKey: Int] = [:]
    for key in PositionKey.places + [.confidence, .id, .time] {
      let name = key.names(times).first { names.contains($0) }
      if let name { places[key] = names.firstIndex(of: name) }
    }
    // Source: TrackNet's and TrackNetV3's prediction files.
    guard Set(names) != ["frame", "visibility", "x", "y"] else { throw .ofTheBall }
    let isPlace = places[.x] != nil && places[.y] != nil
    let isPoint = places[.u] != nil && places[.v] != nil
    guard isPlace || isPoint else {
      // Cells that are no names: a damaged row, not a header.
      guard names.allSatisfy({ $0.isEmpty || $0.first?.isLetter == true || $0.first == "_" }),
        names.contains(where: { !$0.isEmpty })
      else { return nil }
      throw .unknownColumns(String(header))
    }
    if isPlace { (places[.u], places[.v]) = (nil, nil) }
    self.init(
      places,
      count: names.count,
      time: places[.time].map { Time(names[$0]) } ?? .seconds
    )
  }

  var hasPicturePoints: Bool { places[.u] != nil }

  /// A row's cells by what they say.
  struct Row {
    fileprivate let cells: [Substring]
    fileprivate let places: [PositionKey: Int]

    /// Nil for a column that isn't there, or is empty; only the usual three can't be.
    subscript(_ key: PositionKey) -> Substring? {
      guard let place = places[key] else { return nil }
      return cells[place].isEmpty && key != .time ? nil : cells[place]
    }

    func number(_ key: PositionKey) throws(PositionLineError) -> Double? {
      self[key] == nil ? nil : try coordinate(key)
    }

    func coordinate(_ key: PositionKey) throws(PositionLineError) -> Double {
      let text = self[key] ?? ""
      guard let number = Double(decimal: text) else {
        throw .notANumber(column: key.names[0], text: String(text))
      }
      return number
    }
  }

  func row(_ text: Substring) throws(PositionLineError) -> Row {
    let cells = text.split(separator: ",", omittingEmptySubsequences: false).map(\.unquoted)
    guard cells.count == count else {
      let isTable = cells.count > count && cells.allSatisfy { Double(decimal: $0) != nil }
      throw isTable ? .columns(cells.count) : .unknownFormat
    }
    return Row(cells: cells, places: places)
  }
}

extension CSVColumns {
  /// How to choose columns of a file whose header names no place.
  static func advice(_ header: String) -> String {
    let names = header.split(separator: ",", omittingEmptySubsequences: false).prefix(12)
    let columns = names.enumerated().map { "\($0 + 1) \(String($1.trimmed).excerpt)" }.joined(
      separator: ", "
    )
    return "it has \(columns). Choose time, x and y by their numbers, as with 1, 2 and 3:"
      + " awk -F, 'NR > 1 {print $1 \",\" $2 \",\" $3}' FILE"
  }
}

extension StringProtocol where SubSequence == Substring {
  /// A cell without blanks and quotes around it. No number, id or time has a quote in it.
  fileprivate var unquoted: Substring {
    let cell = trimmed
    guard cell.count >= 2, cell.first == "\"", cell.last == "\"" else { return cell }
    return cell.dropFirst().dropLast()
  }
}
