/// One of the 16 fields of the player's half: four rows from the net to the baseline, four
/// columns from left to right.
///
/// Tables and people write it `row-column`: `1-1` is row 1, column 1, whose id is 5.
package struct Zone: Hashable, Sendable {
  /// Rows, and columns, of the grid.
  package static let side = 4

  private let number: UInt8

  /// `row * 4 + column`, 0…15.
  package var id: Int { Int(number) }

  /// 0 at the net, 3 at the baseline.
  package var row: Int { id / Self.side }

  /// 0 at the left as the player's camera sees it, 3 at the right.
  package var column: Int { id % Self.side }

  /// - Returns: nil unless `id` is 0…15.
  package init?(id: Int) {
    guard (0..<Self.side * Self.side).contains(id) else { return nil }
    number = UInt8(id)
  }

  /// - Returns: nil unless both are 0…3.
  package init?(row: Int, column: Int) {
    guard (0..<Self.side).contains(row), (0..<Self.side).contains(column) else { return nil }
    number = UInt8(row * Self.side + column)
  }

  /// Reads the form of tables, `1-1`.
  package init?(rowColumn text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count == 3, bytes[1] == UInt8(ascii: "-") else { return nil }
    let zero = Int(UInt8(ascii: "0"))
    self.init(row: Int(bytes[0]) - zero, column: Int(bytes[2]) - zero)
  }

  /// Reads the forms of options: an id, `5`, or row and column, `1-1`.
  package init?(_ text: some StringProtocol) {
    if let zone = Zone(rowColumn: text) {
      self = zone
      return
    }
    // `Int` alone would also take "+5" and "05".
    guard let id = Int(text), String(id) == text else { return nil }
    self.init(id: id)
  }
}

extension Zone: Comparable {
  package static func < (left: Zone, right: Zone) -> Bool { left.number < right.number }
}

extension Zone: CaseIterable {
  package static let allCases: [Zone] = (0..<side * side).compactMap(Zone.init(id:))
}

extension Zone: CustomStringConvertible {
  /// `row-column`, as in tables.
  package var description: String { "\(row)-\(column)" }
}
