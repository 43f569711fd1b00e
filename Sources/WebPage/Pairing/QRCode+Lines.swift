import Host

extension QRCode {
  /// A line of a terminal: of the picture, of what stands beside it, or of both.
  package struct Line: Hashable, Sendable {
    package var picture = ""
    package var text = ""
  }

  private static let gap = 2
  /// With less room beside the picture, the text goes below it.
  private static let narrowestText = 30

  /// The picture in dark ink, with the text in sight: beside it, so that both fit 24 lines, or below it
  /// in a narrow terminal.
  ///
  /// - Parameters:
  ///   - text: each line begins with a label, which is `label` columns wide.
  ///   - width: the terminal's columns.
  package func lines(with text: [String], label: Int, width: Int) -> [Line] {
    let picture = self.text(ink: .dark).split(separator: "\n").map(String.init)
    let room = width - self.width - Self.gap
    guard room >= Self.narrowestText else {
      return picture.map { Line(picture: $0) } + text.map { Line(text: $0) }
    }
    let beside = text.flatMap { line in
      hanging(
        String(line.prefix(label)),
        wrapped(String(line.dropFirst(label)), to: room - label)
          .flatMap { $0.pieces(of: room - label) }
      )
    }
    let gap = String(repeating: " ", count: Self.gap)
    // A line of margin above, as in the picture.
    let texts = [""] + beside.map { gap + $0 }
    let blank = String(repeating: " ", count: self.width)
    return (0..<max(picture.count, texts.count)).map { row in
      let text = texts.indices.contains(row) ? texts[row] : ""
      guard picture.indices.contains(row) else { return Line(text: blank + text) }
      return Line(picture: picture[row], text: text)
    }
  }
}

extension String {
  /// Parts of at most so many characters: an address has no spaces.
  fileprivate func pieces(of length: Int) -> [String] {
    stride(from: 0, to: max(count, 1), by: length).map { String(dropFirst($0).prefix(length)) }
  }
}
