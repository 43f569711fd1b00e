import CourtMapping

/// Takes from a camera's JPEG what doesn't belong to it, where nothing of the picture is missing.
///
/// Logitech's C270 and C910, for two, put stray bytes before restart markers and begin twice, and
/// others leave out the end mark. The library warns of that as of missing pixels.
/// Source: https://github.com/Motion-Project/motion/issues/65
enum JPEGMending {
  /// Those cameras have one to nine.
  private static let mostStray = 16

  /// - Parameters:
  ///   - bytes: from the picture's beginning on.
  ///   - size: what its header says.
  /// - Returns: a JPEG without faults; nil if a part of the picture is missing, or can't be right.
  static func mended(_ bytes: UnsafeRawBufferPointer, _ size: PictureSize) -> [UInt8]? {
    guard let scan = JPEGScan(bytes) else { return nil }
    guard let pieces = scan.pieces(of: bytes, mostStray: mostStray) else {
      // The picture may have been cut, and be followed by a whole one.
      return lastBegin(of: bytes).flatMap { begin in
        let last = UnsafeRawBufferPointer(rebasing: bytes[begin...])
        return (try? JPEGHeader(last))?.size == size ? mended(last, size) : nil
      }
    }
    var whole = Array(bytes[..<scan.start])
    whole.reserveCapacity(bytes.count + 2)
    for (index, piece) in pieces.enumerated() {
      if index > 0 { whole += [0xFF, 0xD0 + UInt8((index - 1) % 8)] }
      whole += bytes[piece]
    }
    return whole + [0xFF, 0xD9]
  }

  private static func lastBegin(of bytes: UnsafeRawBufferPointer) -> Int? {
    bytes.indices.dropFirst().dropLast().last { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD8 }
  }
}

extension JPEGCodec {
  /// Reads a picture that may have faults which cost no pixel.
  ///
  /// - Parameters:
  ///   - divisor: 1, 2, 4 or 8.
  ///   - expectsFaults: whether such faults are looked for before the library finds them.
  ///   - pixels: room for the shrunk picture; worth nothing after an error.
  /// - Returns: whether it had such faults.
  func readWhole(
    _ bytes: UnsafeRawBufferPointer,
    _ header: JPEGHeader,
    divisor: Int,
    _ colours: Colours,
    expectsFaults: Bool = false,
    into pixels: inout [UInt8]
  ) throws(PictureProblem) -> Bool {
    let beginsTwice = header.start > 0
    let bytes = UnsafeRawBufferPointer(rebasing: bytes[header.start...])
    var problem: PictureProblem?
    if !expectsFaults {
      do throws(PictureProblem) {
        try read(bytes, header, divisor: divisor, colours, into: &pixels)
        return beginsTwice
      } catch {
        problem = error
      }
    }
    guard let mended = JPEGMending.mended(bytes, header.size) else {
      if let problem { throw problem }
      try read(bytes, header, divisor: divisor, colours, into: &pixels)
      return beginsTwice
    }
    try mended.withUnsafeBytes { mended in
      Result { () throws(PictureProblem) in
        try read(mended, header, divisor: divisor, colours, into: &pixels)
      }
    }.get()
    return beginsTwice || !bytes.starts(with: mended)
  }
}
