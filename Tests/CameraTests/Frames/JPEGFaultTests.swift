import CourtLogic
import CourtMapping
import TestSupport
import Testing

@testable import Camera

/// Frames as Logitech's C270 and C910 send them, and those that look like them.
@Suite struct JPEGFaultTests {
  private static let layout = FrameLayout(.mjpeg, 160, 96)
  private let jpeg: CameraJPEG
  private let clean: ColourPicture

  init() throws {
    jpeg = try CameraJPEG(.gradient(width: 160, height: 96), restarts: 7)
    clean = try Self.small(jpeg.bytes(), FrameDecoder())
  }

  private static func small(_ bytes: [UInt8], _ decoder: FrameDecoder) throws -> ColourPicture {
    var picture = ColourPicture(width: 0, height: 0)
    try withFrame(bytes, layout) { try decoder.readSmall($0, into: &picture) }
    return picture
  }

  private func code(_ bytes: [UInt8]) -> PictureProblem.Code? {
    do {
      _ = try Self.small(bytes, FrameDecoder())
      return nil
    } catch {
      return (error as? PictureProblem)?.code
    }
  }

  /// One to nine bytes of any value but a marker's, as seen with those cameras.
  @Sendable private static func strays(_ index: Int) -> [UInt8] {
    (0..<index % 10).map { UInt8(($0 * 89 + index * 31) % 255) }
  }

  @Test func theTestsEncoderIsRight() {
    let original = ColourPicture.gradient(width: 160, height: 96)
    #expect(clean.worst(against: original) <= 12)
    #expect(jpeg.pieces.count == 18)
  }

  @Test(
    arguments: [
      CameraJPEG.Faults(stray: strays), .init(beginnings: 2), .init(beginnings: 3, stray: strays),
      .init(hasEnd: false), .init(beginnings: 2, stray: strays, hasEnd: false),
      .init(stray: { [0xFF, 0x00, UInt8($0)] }),
      .init(stray: { _ in [UInt8](repeating: 0, count: 700) }),
    ]
  )
  func faultsThatCostNoPixelAreForgiven(faults: CameraJPEG.Faults) throws {
    let decoder = FrameDecoder()
    for count in 1...3 {
      let picture = try Self.small(jpeg.bytes(faults), decoder)
      #expect(picture.bytes == clean.bytes)
      #expect(decoder.forgiven == count)
    }
    var grey = GreyPicture(width: 0, height: 0)
    try withFrame(jpeg.bytes(faults), Self.layout) { try decoder.readGrey($0, into: &grey) }
    // What is well again isn't counted.
    #expect(try Self.small(jpeg.bytes(), decoder).bytes == clean.bytes)
    #expect(try Self.small(jpeg.bytes(), decoder).bytes == clean.bytes)
    #expect(decoder.forgiven == 3)
  }

  @Test func aStillIsWithoutTheFaults() throws {
    let bytes = jpeg.bytes(.init(beginnings: 2, stray: Self.strays, hasEnd: false))
    let still = try withFrame(bytes, Self.layout) { try FrameDecoder().still($0) }
    #expect(still.starts(with: [0xFF, 0xD8, 0xFF, 0xE0]) && still.suffix(2) == [0xFF, 0xD9])
    let decoder = FrameDecoder()
    #expect(try Self.small(still, decoder).worst(against: clean) <= 8)
    #expect(decoder.forgiven == 0)
  }

  /// Without its end mark a frame is whole; without one byte more it isn't.
  @Test func aFrameThatIsCutAnywhereIsAnError() throws {
    for faults in [CameraJPEG.Faults(), .init(stray: { $0 < 17 ? Self.strays($0) : [] })] {
      let whole = jpeg.bytes(faults)
      for count in stride(from: 0, to: whole.count - 2, by: 1) {
        #expect(code(Array(whole.prefix(count))) != nil, "\(count) of \(whole.count) bytes")
        // As a camera that has lost the end, and closes the frame.
        #expect(code(Array(whole.prefix(count)) + [0xFF, 0xD9]) != nil, "\(count)")
      }
      #expect(code(Array(whole.dropLast(2))) == nil && code(Array(whole.dropLast())) == nil)
    }
  }

  @Test func aFrameThatLacksAPieceIsAnError() throws {
    let whole = jpeg.bytes(.init(stray: Self.strays))
    for index in 0..<17 {
      let marker: [UInt8] = [0xFF, 0xD0 + UInt8(index % 8)]
      let piece = jpeg.pieces[index] + Self.strays(index) + marker
      let place = try #require(whole.indices.first { whole[$0...].starts(with: piece) })
      var bytes = whole
      bytes.removeSubrange(place..<place + piece.count)
      #expect(code(bytes) == .corrupt)
      // Its last byte: where a stray one takes its place, a unit may be wrong, but no more.
      bytes = whole
      bytes.remove(at: place + jpeg.pieces[index].count - 1)
      if let picture = try? Self.small(bytes, FrameDecoder()) {
        #expect(picture.wrongPixels(against: clean) <= 16 * 8 && !Self.strays(index).isEmpty)
      }
    }
  }

  @Test func bytesThatNoSuchCameraAddsAreAnError() {
    let many = (0..<17).map { UInt8($0 + 1) }
    #expect(code(jpeg.bytes(.init(stray: { $0 == 5 ? many : [] }))) == .corrupt)
    #expect(code(jpeg.bytes(.init(stray: { $0 == 5 ? [0xFF, 0xD3] : [] }))) == .corrupt)
    #expect(code(jpeg.bytes(.init(stray: { $0 == 5 ? [0xFF, 0xC0] : [] }))) == .corrupt)
  }

  @Test func ofACutFrameAndAWholeOneTheWholeOneCounts() throws {
    let cut = Array(jpeg.bytes().prefix(jpeg.bytes().count / 2))
    let decoder = FrameDecoder()
    let picture = try Self.small(cut + jpeg.bytes(.init(stray: Self.strays)), decoder)
    #expect(picture.bytes == clean.bytes && decoder.forgiven == 1)
    let other = try CameraJPEG(.gradient(width: 160, height: 80), restarts: 7)
    #expect(code(cut + other.bytes()) == .corrupt)
  }

  /// Without restart markers, with tables of its own, and of one colour.
  @Test func framesOfOtherEncodersLackOnlyTheirEnd() throws {
    for bytes in [
      try JPEGCodec.write(.gradient(width: 160, height: 96), quality: 95),
      try CameraJPEG(.gradient(width: 160, height: 96), restarts: 0).bytes(),
    ] {
      let whole = try Self.small(bytes, FrameDecoder())
      let decoder = FrameDecoder()
      #expect(try Self.small(Array(bytes.dropLast(2)), decoder).bytes == whole.bytes)
      #expect(decoder.forgiven == 1)
      #expect(code(Array(bytes.dropLast(3))) == .truncated)
    }
  }

  /// What changed bytes do to frames that are forgiven is no worse than what they do to frames of an
  /// encoder without restart markers, in which most changes can't be noticed.
  @Test func mutatedFramesAreForgivenOnlyWhereTheyAreWhole() async throws {
    let frames = [
      jpeg.bytes(.init(stray: Self.strays)),
      try CameraJPEG(.gradient(width: 160, height: 96), restarts: 0).bytes(),
    ]
    let (clean, seed) = (clean, firstSeed())
    let counts = await inSpareTime {
      frames.map { whole in
        var random = SeededGenerator(seed: seed)
        let decoder = FrameDecoder()
        var counts = (right: 0, wrong: 0, farWrong: 0)
        for _ in 0..<3000 {
          var bytes = whole
          bytes.mutate(with: &random)
          guard let picture = try? Self.small(bytes, decoder) else { continue }
          let wrong = picture.wrongPixels(against: clean)
          if wrong == 0 { counts.right += 1 } else { counts.wrong += 1 }
          // More than a piece between two markers.
          if wrong > 7 * 16 * 8 { counts.farWrong += 1 }
        }
        return counts
      }
    }
    let (forgiven, plain) = (counts[0], counts[1])
    #expect(forgiven.right > 0 && forgiven.wrong * 2 <= plain.wrong * 3, "\(counts)")
    #expect(forgiven.farWrong * 4 <= plain.farWrong, "\(counts)")
  }
}

extension ColourPicture {
  /// How many pixels look different.
  fileprivate func wrongPixels(against other: ColourPicture) -> Int {
    zip(bytes, other.bytes).count { abs(Int($0) - Int($1)) > 30 } / 3
  }
}
