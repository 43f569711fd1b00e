import Testing

@testable import Camera

/// Formats beside YUYV, whose pictures are the same.
@Suite struct YUVPictureTests {
  private let decoder = FrameDecoder()
  private static let formats: [PixelFormat] = [.uyvy, .nv12, .yu12, .nm12, .ym12]

  /// A picture in YUYV, and the same in another format.
  private struct Pair {
    var plain: [UInt8] = []
    var other: [UInt8] = []

    /// Samples that differ from place to place; colours that two rows share.
    init(_ format: PixelFormat, _ width: Int, _ height: Int, padding: Int = 0) {
      func luma(_ x: Int, _ y: Int) -> UInt8 { UInt8((x * 7 + y * 13) % 256) }
      func blueness(_ pair: Int, _ y: Int) -> UInt8 { UInt8((pair * 11 + y / 2 * 5 + 40) % 256) }
      func redness(_ pair: Int, _ y: Int) -> UInt8 { UInt8((pair * 3 + y / 2 * 17 + 90) % 256) }
      let (pairs, rows) = ((width + 1) / 2, (height + 1) / 2)
      let gap = [UInt8](repeating: 9, count: padding)
      for y in 0..<height {
        for pair in 0..<pairs {
          let (first, second) = (luma(pair * 2, y), luma(pair * 2 + 1, y))
          let (u, v) = (blueness(pair, y), redness(pair, y))
          plain += [first, u, second, v]
          if format == .uyvy { other += [u, first, v, second] }
        }
        if format == .uyvy { other += gap } else { other += (0..<width).map { luma($0, y) } + gap }
      }
      let half = [UInt8](repeating: 9, count: padding / 2)
      switch format {
      case .nv12, .nm12:
        for row in 0..<rows {
          other += (0..<pairs).flatMap { [blueness($0, row * 2), redness($0, row * 2)] } + gap
        }
      case .yu12, .ym12:
        for row in 0..<rows { other += (0..<pairs).map { blueness($0, row * 2) } + half }
        for row in 0..<rows { other += (0..<pairs).map { redness($0, row * 2) } + half }
      case _: break
      }
    }
  }

  private func small(_ bytes: [UInt8], _ layout: FrameLayout) throws -> ColourPicture {
    var picture = ColourPicture(width: 0, height: 0)
    try withFrame(bytes, layout) { try decoder.readSmall($0, into: &picture) }
    return picture
  }

  private func grey(_ bytes: [UInt8], _ layout: FrameLayout) throws -> GreyPicture {
    var picture = GreyPicture(width: 0, height: 0)
    try withFrame(bytes, layout) { try decoder.readGrey($0, into: &picture) }
    return picture
  }

  /// Divisors 1, 2 and 4, and sides that are odd.
  @Test(arguments: formats, [(64, 16), (65, 17), (640, 20), (643, 21), (1282, 18)])
  func picturesAreThoseOfYUYV(format: PixelFormat, size: (width: Int, height: Int)) throws {
    let pair = Pair(format, size.width, size.height)
    let plain = FrameLayout(.yuyv, size.width, size.height)
    let other = FrameLayout(format, size.width, size.height)
    #expect(other.leastBytes == pair.other.count)
    let picture = try small(pair.other, other)
    #expect(picture.width == other.smallWidth && picture.height == other.smallHeight)
    #expect(try picture.bytes == small(pair.plain, plain).bytes)
    #expect(try grey(pair.other, other).bytes == grey(pair.plain, plain).bytes)
    let still = try withFrame(pair.other, other) { try decoder.still($0) }
    #expect(try still == withFrame(pair.plain, plain) { try decoder.still($0) })
  }

  @Test(arguments: formats)
  func paddingOfRowsIsNoPicture(format: PixelFormat) throws {
    let pair = Pair(format, 64, 16, padding: 32)
    let row = format == .uyvy ? 160 : 96
    let layout = FrameLayout(format, 64, 16, bytesPerRow: row)
    let plain = try small(pair.plain, FrameLayout(.yuyv, 64, 16))
    #expect(try small(pair.other, layout).bytes == plain.bytes)
    // The last row's may be missing; nothing else may.
    let least = Array(pair.other.prefix(layout.leastBytes))
    #expect(try small(least, layout).bytes == plain.bytes)
    #expect {
      try small(least.dropLast(), layout)
    } throws: {
      ($0 as? PictureProblem)?.code == .truncated
    }
  }

  /// Y, U and V of one colour, and it. Source: BT.601 in the video range, computed apart.
  @Test(arguments: formats)
  func coloursAreThoseOfTheStandard(format: PixelFormat) throws {
    for (yuv, colour) in [
      ([81, 90, 240], [0, 0, 254]), ([145, 54, 34], [1, 255, 0]),
      ([180, 60, 140], [54, 208, 210]),
    ] as [([UInt8], Colour)] {
      let luma = [UInt8](repeating: yuv[0], count: 64 * 16)
      let bytes: [UInt8] =
        switch format {
        case .uyvy: (0..<512).flatMap { _ in [yuv[1], yuv[0], yuv[2], yuv[0]] }
        case .nv12, .nm12: luma + (0..<256).flatMap { _ in yuv[1...] }
        case _: luma + Array(repeating: yuv[1], count: 256) + Array(repeating: yuv[2], count: 256)
        }
      let picture = try small(bytes, FrameLayout(format, 64, 16))
      #expect(!differ(picture[63, 15], colour, by: 1), "\(picture[63, 15])")
    }
  }
}
