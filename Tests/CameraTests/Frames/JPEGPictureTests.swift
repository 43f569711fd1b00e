import Testing

@testable import Camera

@Suite struct JPEGPictureTests {
  private let decoder = FrameDecoder()
  private static let golden = FrameLayout(.mjpeg, GoldenJPEG.width, GoldenJPEG.height)

  private func small(_ bytes: [UInt8], _ layout: FrameLayout) throws -> ColourPicture {
    var picture = ColourPicture(width: 0, height: 0)
    try withFrame(bytes, layout) { try decoder.readSmall($0, into: &picture) }
    return picture
  }

  private func code(_ bytes: [UInt8], _ layout: FrameLayout) -> PictureProblem.Code? {
    do {
      _ = try small(bytes, layout)
      return nil
    } catch {
      return (error as? PictureProblem)?.code
    }
  }

  @Test func theGoldenPictureHasItsColoursInTheirPlaces() throws {
    let picture = try small(GoldenJPEG.bytes, Self.golden)
    #expect(picture.width == 32 && picture.height == 16)
    for (index, colour) in GoldenJPEG.colours.enumerated() {
      let seen = picture[index % 4 * 8 + 4, index / 4 * 8 + 4]
      #expect(!differ(seen, colour, by: 2), "square \(index): \(seen), not \(colour)")
    }
  }

  @Test func greyIsTheBrightnessAtFullSize() throws {
    var grey = GreyPicture(width: 0, height: 0)
    try withFrame(GoldenJPEG.bytes, Self.golden) { try decoder.readGrey($0, into: &grey) }
    #expect(grey.width == 32 && grey.height == 16)
    // Source: the standard's Y of the golden colours.
    for (index, luma) in [76, 150, 29, 255, 0, 128, 197, 66].enumerated() {
      let seen = Int(grey.bytes[(index / 4 * 8 + 4) * 32 + index % 4 * 8 + 4])
      #expect(abs(seen - luma) <= 1)
    }
  }

  @Test(arguments: [(320, 180, 1), (640, 360, 2), (1280, 720, 4), (2560, 1440, 8), (646, 362, 2)])
  func pictureIsShrunkToItsAverages(width: Int, height: Int, divisor: Int) throws {
    let layout = FrameLayout(.mjpeg, width, height)
    #expect(layout.divisor == divisor)
    let whole = ColourPicture.gradient(width: width, height: height)
    let picture = try small(JPEGCodec.write(whole, quality: 98), layout)
    #expect(picture.width == layout.smallWidth && picture.height == layout.smallHeight)
    #expect(picture.worst(against: whole.shrunk(divisor)) <= 8)
  }

  /// Nothing that is cut off may pass for a picture: libjpeg fills in what is missing. The end mark alone
  /// is no part of the picture.
  @Test(arguments: [false, true])
  func aFrameThatIsCutAnywhereIsAnError(isGolden: Bool) throws {
    let layout = isGolden ? Self.golden : FrameLayout(.mjpeg, 64, 48)
    let whole =
      isGolden
      ? GoldenJPEG.bytes : try JPEGCodec.write(.gradient(width: 64, height: 48), quality: 60)
    #expect(code(whole, layout) == nil)
    for count in whole.count - 2..<whole.count {
      #expect(code(Array(whole.prefix(count)), layout) == nil)
    }
    for count in 0..<whole.count - 2 {
      let code = code(Array(whole.prefix(count)), layout)
      #expect(code == (count < 2 ? .corrupt : .truncated), "\(count) of \(whole.count) bytes")
    }
  }

  @Test func bytesMissingInTheMiddleAreAnError() throws {
    let whole = try JPEGCodec.write(.gradient(width: 320, height: 180), quality: 90)
    let cut = Array(whole.prefix(whole.count / 2)) + whole.suffix(20)
    #expect(code(cut, FrameLayout(.mjpeg, 320, 180)) == .corrupt)
  }

  @Test func paddingOfCamerasIsNoError() throws {
    let whole = GoldenJPEG.bytes
    #expect(code(whole.dropLast(2) + [0, 0, 0] + whole.suffix(2), Self.golden) == nil)
    #expect(code(whole + [UInt8](repeating: 0, count: 100), Self.golden) == nil)
  }

  @Test func aFrameOfAnotherSizeIsAnError() {
    #expect(code(GoldenJPEG.bytes, FrameLayout(.mjpeg, 32, 24)) == .otherSize)
  }

  @Test func nothingIsReservedForAHostileSize() throws {
    var bytes = GoldenJPEG.bytes
    let frame = try #require(bytes.firstIndex(of: 0xC0))
    for index in frame + 4..<frame + 8 { bytes[index] = 0xFF }
    var picture = ColourPicture(width: 0, height: 0)
    #expect(throws: PictureProblem(.badSize, "it claims to be 65535 × 65535")) {
      try withFrame(bytes, Self.golden) { try decoder.readSmall($0, into: &picture) }
    }
    #expect(picture.bytes.isEmpty)
  }

  @Test func aPictureIsUsedAgain() throws {
    var picture = ColourPicture(width: 32, height: 16)
    let place = picture.bytes.withUnsafeBytes { $0.baseAddress }
    try withFrame(GoldenJPEG.bytes, Self.golden) { try decoder.readSmall($0, into: &picture) }
    #expect(picture.bytes.withUnsafeBytes { $0.baseAddress } == place)
  }

  @Test func aStillIsTheCamerasOwnIfOthersCanReadIt() throws {
    let whole = try JPEGCodec.write(.gradient(width: 640, height: 360))
    let layout = FrameLayout(.mjpeg, 640, 360)
    #expect(try withFrame(whole, layout) { try decoder.still($0) } == whole)
    // Without Huffman tables it is written again.
    let still = try withFrame(GoldenJPEG.bytes, Self.golden) { try decoder.still($0) }
    #expect(try still.withUnsafeBytes { try JPEGHeader($0) }.hasHuffmanTables)
    let picture = try small(still, Self.golden)
    #expect(!differ(picture[4, 4], GoldenJPEG.colours[0], by: 20))
    #expect(throws: PictureProblem.self) {
      try withFrame(whole.dropLast(300), layout) { try decoder.still($0) }
    }
  }
}
