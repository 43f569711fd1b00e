import Host

/// How a character looks on a terminal.
package enum TextStyle: String {
  case plain = "0"
  case dim = "2"
  case bold = "1"
  case green = "32"
  case yellow = "33"
  case red = "31"
  case cyan = "36"
  case boldGreen = "1;32"
  case boldRed = "1;31"
  case badge = "1;30;42"
  case alarm = "1;37;41"
}

/// A line of characters, each with its style. Every character is one column wide.
package struct StyledText: Equatable {
  package struct Cell: Equatable {
    package var character: Character
    package var style: TextStyle

    package init(character: Character, style: TextStyle) {
      self.character = character
      self.style = style
    }
  }

  package private(set) var cells: [Cell] = []

  package init() {}

  /// Control characters, in a device's name for example, could upset the terminal, and wide ones its
  /// columns: they become `?`.
  package init(_ text: String, _ style: TextStyle = .plain) {
    cells = text.map { Cell(character: $0.isOneColumn ? $0 : "?", style: style) }
  }

  package init(cells: [Cell]) {
    self.cells = cells
  }

  package var width: Int { cells.count }

  package static func + (left: StyledText, right: StyledText) -> StyledText {
    StyledText(cells: left.cells + right.cells)
  }

  /// Cut, or filled with spaces, to `width` columns.
  package func fitted(to width: Int) -> StyledText {
    cut(to: width)
      + StyledText(String(repeating: " ", count: max(0, width - cells.count)))
  }

  /// At most `width` columns; what was cut shows as `…`.
  package func cut(to width: Int) -> StyledText {
    guard cells.count > width else { return self }
    guard width > 0 else { return StyledText() }
    return StyledText(cells: Array(cells.prefix(width - 1)))
      + StyledText("…", cells[width - 1].style)
  }

  /// The line for a terminal, without spaces at its end.
  package func rendered(_ abilities: TerminalAbilities) -> String {
    var text = ""
    var style = TextStyle.plain
    let end = cells.lastIndex { $0.character != " " || $0.style == .badge || $0.style == .alarm }
    for cell in cells.prefix((end ?? -1) + 1) {
      if abilities.colours, cell.style != style {
        // Styles don't add up: each starts with a reset.
        text += cell.style == .plain ? "\u{1B}[0m" : "\u{1B}[0;\(cell.style.rawValue)m"
        style = cell.style
      }
      text += abilities.unicode ? String(cell.character) : ascii(cell.character)
    }
    return style == .plain ? text : text + "\u{1B}[0m"
  }

  private func ascii(_ character: Character) -> String {
    switch character {
    case "┌", "┬", "┐", "├", "┼", "┤", "└", "┴", "┘": "+"
    case "─": "-"
    case "═": "="
    case "│": "|"
    case "░": ":"
    case "●": "@"
    case "█": "#"
    case "·": "."
    case "×": "x"
    case "…": "~"
    default: character.isASCII ? String(character) : "?"
    }
  }
}

/// What the terminal can show.
package struct TerminalAbilities: Equatable, Sendable {
  package var colours: Bool
  package var unicode: Bool

  package init(colours: Bool = true, unicode: Bool = true) {
    self.colours = colours
    self.unicode = unicode
  }

  /// Colours unless `NO_COLOR` is set (https://no-color.org); Unicode if the locale has it.
  ///
  /// - Parameter environment: gives the variables that are set and not empty.
  package init(environment: (String) -> String?) {
    let locale = environment("LC_ALL") ?? environment("LC_CTYPE") ?? environment("LANG") ?? ""
    let encoding = locale.lowercased().filter { $0 != "-" }
    self.init(colours: environment("NO_COLOR") == nil, unicode: encoding.hasSuffix("utf8"))
  }
}
