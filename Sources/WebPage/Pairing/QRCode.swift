import CQRencode

/// A text as a QR code.
package struct QRCode: Hashable, Sendable {
  /// Source of the margin: ISO/IEC 18004, 5.3.8: four modules of light on each side.
  private static let margin = 4

  /// Which modules are dark, by rows, without the margin.
  private let rows: [[Bool]]

  /// - Returns: nil for a text that is too long, or empty.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard
      let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M),
      let data = code.pointee.data
    else { return nil }
    defer { QRcode_free(code) }
    let width = Int(code.pointee.width)
    rows = (0..<width).map { row in (0..<width).map { data[row * width + $0] & 1 == 1 } }
  }

  /// How many modules it has on a side, with the margin.
  package var width: Int { rows.count + 2 * Self.margin }

  private func isDark(_ row: Int, _ column: Int) -> Bool {
    let (row, column) = (row - Self.margin, column - Self.margin)
    return rows.indices.contains(row) && rows.indices.contains(column) && rows[row][column]
  }

  /// For a terminal: a character for two modules, one above the other.
  ///
  /// - Parameter ink: whether characters draw the dark modules, on a light ground, or the light ones.
  package func text(ink: Ink) -> String {
    stride(from: 0, to: width, by: 2).map { row in
      String(
        (0..<width).map { column in
          let isInked = ink == .dark
          let (upper, lower) = (isDark(row, column), isDark(row + 1, column))
          // Below an odd number of rows is light, too.
          switch (upper == isInked, lower == isInked) {
          case (true, true): return "█"
          case (true, false): return "▀"
          case (false, true): return "▄"
          case (false, false): return " "
          }
        }
      )
    }.joined(separator: "\n")
  }

  package enum Ink: Sendable { case dark, light }

  /// For a picture: the path of its dark modules in SVG, a unit a module, with the margin.
  package var path: String {
    var path = ""
    for row in 0..<width {
      var column = 0
      while column < width {
        let start = column
        while column < width, isDark(row, column) { column += 1 }
        if column > start { path += "M\(start) \(row)h\(column - start)v1h-\(column - start)z" }
        column += 1
      }
    }
    return path
  }
}
