extension String {
  /// The texts before, between and behind the occurrences of a part, which isn't empty.
  ///
  /// Swift's own search for a text in a text comes with its regular expressions, which no program here links.
  func pieces(around part: String) -> [String] {
    let part = Array(part.utf8)
    var pieces: [[UInt8]] = []
    var piece: [UInt8] = []
    var rest = Array(utf8)[...]
    while let byte = rest.first {
      if rest.starts(with: part) {
        pieces.append(piece)
        piece = []
        rest = rest.dropFirst(part.count)
      } else {
        piece.append(byte)
        rest = rest.dropFirst()
      }
    }
    return (pieces + [piece]).map { String(decoding: $0, as: UTF8.self) }
  }

  func has(_ part: String) -> Bool { pieces(around: part).count > 1 }
}
