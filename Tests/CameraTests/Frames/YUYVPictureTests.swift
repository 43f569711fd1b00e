import Testing

@testable import Camera

@Suite struct YUYVPictureTests {
  private let decoder = FrameDecoder()

  /// A frame of one colour, or of two by turns.
  private func frame(_ width: Int, _ height: Int, _ pairs: [[UInt8]], padding: Int = 0) -> [UInt8] {
    (0..<height).flatMap { _ in
      (0..<(width + 1) / 2).flatMap { pairs[$0 % pairs.count] }
        + Array(repeating: 9, count: padding)
    }
  }

  private func small(_ bytes: [UInt8], _ layout: FrameLayout) throws -> ColourPicture {
    var picture = ColourPicture(width: 0, height: 0)
    try withFrame(bytes, layout) { try decoder.readSmall($0, into: &picture) }
    return picture
  }

  /// Y, U and V, and the colour. Source: BT.601 in the video range, computed apart.
  @Test(
    arguments: [
      ([81, 90, 240], [0, 0, 254]), ([145, 54, 34], [1, 255, 0]), ([41, 240, 110], [255, 0, 0]),
      ([235, 128, 128], [255, 255, 255]), ([16, 128, 128], [0, 0, 0]),
      ([126, 128, 128], [128, 128, 128]),
      ([255, 128, 128], [255, 255, 255]), ([0, 128, 128], [0, 0, 0]),
      ([180, 60, 140], [54, 208, 210]),
    ] as [([UInt8], Colour)]
  )
  func coloursAreThoseOfTheStandard(yuv: [UInt8], colour: Colour) throws {
    let bytes = frame(64, 16, [[yuv[0], yuv[1], yuv[0], yuv[2]]])
    let picture = try small(bytes, FrameLayout(.yuyv, 64, 16))
    #expect(!differ(picture[0, 0], colour, by: 1), "\(picture[0, 0])")
    #expect(picture.bytes.count == 64 * 16 * 3)
    #expect(
      Set(stride(from: 0, to: picture.bytes.count, by: 3).map { picture.bytes[$0] }).count == 1
    )
  }

  @Test func squaresAreAveraged() throws {
    // A dark and a bright pair by turns: squares of four pixels have both.
    let pairs: [[UInt8]] = [[16, 128, 16, 128], [235, 128, 235, 128]]
    let two = try small(frame(640, 16, pairs), FrameLayout(.yuyv, 640, 16))
    #expect(two.width == 320 && two.height == 8)
    #expect(two[0, 0] == [0, 0, 0] && two[1, 0] == [255, 255, 255])
    let four = try small(frame(1280, 16, pairs), FrameLayout(.yuyv, 1280, 16))
    #expect(four.width == 320 && four.height == 4)
    #expect(four.bytes.allSatisfy { (126...129).contains($0) })
  }

  @Test func leftOverColumnsAndRowsAreKept() throws {
    let layout = FrameLayout(.yuyv, 642, 19)
    let picture = try small(frame(642, 19, [[235, 128, 235, 128]]), layout)
    #expect(picture.width == 321 && picture.height == 10)
    #expect(picture.bytes.allSatisfy { $0 == 255 })
  }

  @Test func anOddRowEndsWithAWholePair() throws {
    let layout = FrameLayout(.yuyv, 65, 16)
    let bytes = frame(65, 16, [[235, 128, 235, 128]])
    #expect(layout.leastBytes == bytes.count)
    #expect(try small(bytes, layout).bytes.allSatisfy { $0 == 255 })
  }

  @Test func paddingOfRowsIsNoPicture() throws {
    let layout = FrameLayout(.yuyv, 64, 16, bytesPerRow: 64 * 2 + 32)
    let bytes = frame(64, 16, [[235, 128, 235, 128]], padding: 32)
    #expect(try small(bytes, layout).bytes.allSatisfy { $0 == 255 })
    // The last row's may be missing.
    #expect(try small(bytes.dropLast(32), layout).bytes.allSatisfy { $0 == 255 })
  }

  @Test func aShortFrameIsAnError() {
    let layout = FrameLayout(.yuyv, 64, 16)
    #expect {
      try small(frame(64, 16, [[235, 128, 235, 128]]).dropLast(), layout)
    } throws: {
      ($0 as? PictureProblem)?.code == .truncated
    }
  }

  @Test func greyIsTheBrightness() throws {
    var grey = GreyPicture(width: 0, height: 0)
    let layout = FrameLayout(.yuyv, 64, 16, bytesPerRow: 140)
    try withFrame(frame(64, 16, [[16, 1, 235, 2], [126, 3, 255, 4]], padding: 12), layout) {
      try decoder.readGrey($0, into: &grey)
    }
    #expect(grey.width == 64 && grey.height == 16)
    for row in 0..<16 { #expect(grey.bytes[row * 64..<row * 64 + 4] == [0, 255, 128, 255]) }
  }

  @Test func aStillHasTheColours() throws {
    let layout = FrameLayout(.yuyv, 640, 360)
    let bytes = frame(640, 360, [[81, 90, 81, 240]])
    let still = try withFrame(bytes, layout) { try decoder.still($0) }
    let picture = try small(still, FrameLayout(.mjpeg, 640, 360))
    #expect(!differ(picture[100, 100], [0, 0, 254], by: 3))
  }
}
