import CourtMapping

/// Where brightness and colours are in a frame's bytes. Two pixels of a row share a colour, in some
/// formats those of two rows.
struct YUVLayout: Hashable, Sendable {
  /// The samples of one kind.
  struct Channel: Hashable, Sendable {
    var first: Int
    /// From one sample to the next in its row.
    var step: Int
    /// From one row of samples to the next.
    var bytesPerRow: Int
  }

  let luma: Channel
  let blueness: Channel
  let redness: Channel
  /// How many rows of pixels share a row of colours.
  let rowsOfColour: Int
  /// Where each piece of a frame begins, whether or not they come in memory of their own.
  let planes: [Int]
  /// How many bytes a frame has at least: the last row may lack its padding.
  let leastBytes: Int

  /// - Parameters:
  ///   - bytesPerRow: of the first piece; 0: rows without padding.
  ///   - colourBytesPerRow: of the others, where they come in memory of their own; 0: as the first
  ///     piece's say.
  /// - Returns: nil for a format of another kind, or if rows are too short.
  init?(
    _ format: PixelFormat,
    _ size: PictureSize,
    bytesPerRow: Int = 0,
    colourBytesPerRow: Int = 0
  ) {
    // An odd row or column ends with a whole pair.
    let (pairs, pairsOfRows) = ((size.width + 1) / 2, (size.height + 1) / 2)
    switch format {
    case .yuyv, .uyvy:
      let row = bytesPerRow == 0 ? pairs * 4 : bytesPerRow
      guard row >= pairs * 4 else { return nil }
      let at = format == .yuyv ? (luma: 0, colour: 1) : (luma: 1, colour: 0)
      luma = Channel(first: at.luma, step: 2, bytesPerRow: row)
      blueness = Channel(first: at.colour, step: 4, bytesPerRow: row)
      redness = Channel(first: at.colour + 2, step: 4, bytesPerRow: row)
      rowsOfColour = 1
      planes = [0]
      leastBytes = row * (size.height - 1) + pairs * 4
    case .nv12, .nm12:
      let row = bytesPerRow == 0 ? size.width : bytesPerRow
      let colours = colourBytesPerRow == 0 ? max(row, pairs * 2) : colourBytesPerRow
      guard row >= size.width, colours >= pairs * 2 else { return nil }
      let start = row * size.height
      luma = Channel(first: 0, step: 1, bytesPerRow: row)
      blueness = Channel(first: start, step: 2, bytesPerRow: colours)
      redness = Channel(first: start + 1, step: 2, bytesPerRow: colours)
      rowsOfColour = 2
      planes = [0, start]
      leastBytes = start + colours * (pairsOfRows - 1) + pairs * 2
    case .yu12, .ym12:
      let row = bytesPerRow == 0 ? size.width : bytesPerRow
      let colours = colourBytesPerRow == 0 ? (row + 1) / 2 : colourBytesPerRow
      guard row >= size.width, colours >= pairs else { return nil }
      let start = row * size.height
      let second = start + colours * pairsOfRows
      luma = Channel(first: 0, step: 1, bytesPerRow: row)
      blueness = Channel(first: start, step: 1, bytesPerRow: colours)
      redness = Channel(first: second, step: 1, bytesPerRow: colours)
      rowsOfColour = 2
      planes = [0, start, second]
      leastBytes = second + colours * (pairsOfRows - 1) + pairs
    case _:
      return nil
    }
  }
}
