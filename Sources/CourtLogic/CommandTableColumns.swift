/// The columns of a command table: the zone, the level and the spin where it has them, the command.
package struct CommandTableColumns: Hashable, Sendable, CustomStringConvertible {
  let encoding: MachineEncoding
  let names: [String]
  /// Where these columns are, counted from 0.
  let level: Int?
  let spin: Int?
  /// The first one of the command.
  let command: Int

  init(_ encoding: MachineEncoding, hasLevel: Bool = false, hasSpin: Bool = false) {
    self.encoding = encoding
    let strokes = ["zone"] + (hasLevel ? ["level"] : []) + (hasSpin ? ["spin"] : [])
    names = strokes + encoding.columns
    level = strokes.firstIndex(of: "level")
    spin = strokes.firstIndex(of: "spin")
    command = strokes.count
  }

  static let all = MachineEncoding.allCases.flatMap { encoding in
    [(false, false), (true, false), (false, true), (true, true)].map {
      CommandTableColumns(encoding, hasLevel: $0, hasSpin: $1)
    }
  }

  /// Whether a cell of one of these columns may say that.
  static func isWord(_ text: String) -> Bool {
    SkillLevel(rawValue: text) != nil || Spin(rawValue: text) != nil
  }

  /// The table's first line.
  package var description: String { names.joined(separator: ",") }
}
