import CourtMapping
import Testing

@testable import Camera

@Suite struct StreamParserTests {
  private static let golden = GoldenJPEG.bytes
  private static let raw: [UInt8] = Array("FRAME\n".utf8) + Array(1...24)

  /// Parts as cameras and GStreamer's multipartmux send them.
  private static func part(_ picture: [UInt8], length: Int? = nil) -> [UInt8] {
    Array("--frame\r\nContent-Type: image/jpeg\r\n".utf8)
      + Array("content-length: \(length ?? picture.count)\r\n\r\n".utf8) + picture
      + Array("\r\n".utf8)
  }

  private static func y4m(_ chroma: String = " C420jpeg", _ frames: [UInt8]...) -> [UInt8] {
    Array("YUV4MPEG2 W16 H16 F15:1 Ip A1:1\(chroma)\n".utf8) + frames.joined()
  }

  /// What comes out when the stream comes in pieces that end at these places, and what was damaged.
  private func pictures(
    _ stream: [UInt8],
    cutAt cuts: [Int] = []
  ) -> (pictures: [StreamPicture], damaged: Int, problem: String?) {
    var parser = StreamParser()
    var pictures: [StreamPicture] = []
    for (from, to) in zip([0] + cuts, cuts + [stream.count]) {
      parser.add(stream[from..<to])
      while let picture = parser.next() { pictures.append(picture) }
    }
    while let picture = parser.rest() { pictures.append(picture) }
    return (pictures, parser.damaged, parser.problem)
  }

  private func jpegs(_ count: Int) -> [StreamPicture] {
    Array(repeating: StreamPicture(bytes: Self.golden, layout: nil), count: count)
  }

  private func expect(
    _ stream: [UInt8],
    gives expected: [StreamPicture],
    damaged: Int = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let whole = pictures(stream)
    #expect(whole.pictures == expected, sourceLocation: sourceLocation)
    #expect(whole.damaged == damaged, sourceLocation: sourceLocation)
    var cuts = (0...stream.count).map { [$0] }
    cuts.append(Array(0...stream.count))
    for cut in cuts {
      let cutUp = pictures(stream, cutAt: cut)
      guard cutUp.pictures != expected || cutUp.damaged != damaged else { continue }
      Issue.record("cut at \(cut.prefix(3))", sourceLocation: sourceLocation)
    }
  }

  @Test func picturesBehindOneAnotherAreCut() {
    expect(Self.golden + Self.golden, gives: jpegs(2))
    let cut = StreamPicture(bytes: Self.golden.dropLast(9), layout: nil)
    expect(Self.golden + Self.golden.dropLast(9), gives: jpegs(1) + [cut], damaged: 1)
    expect([], gives: [])
  }

  @Test func partsAreAsLongAsTheySay() {
    // A header of ours stands in the picture: only its length tells that it is none.
    let odd = [0xFF, 0xD8] + Self.part([1, 2]) + [0xFF, 0xD9]
    expect(
      Self.part(Self.golden) + Self.part(odd) + Self.part(Self.golden),
      gives: jpegs(1) + [StreamPicture(bytes: odd, layout: nil)] + jpegs(1)
    )
    expect(Array("\r\n".utf8) + Self.part(Self.golden), gives: jpegs(1))
  }

  @Test func aWrongPartCostsOnlyItself() {
    let good = Self.part(Self.golden)
    // Too short, none at all, larger than any, or no picture.
    for length in [Self.golden.count - 4, 0, -5, 1 << 40] {
      let all = pictures(good + Self.part(Self.golden, length: length) + good)
      #expect(all.pictures.first == jpegs(1)[0] && all.pictures.last == jpegs(1)[0], "\(length)")
      #expect(all.pictures.count - 2 + all.damaged == 1, "\(length)")
    }
    expect(good + Self.part(Array("no picture".utf8)) + good, gives: jpegs(2), damaged: 1)
    expect(good + Self.part(Self.golden).dropLast(9), gives: jpegs(1), damaged: 1)
    let longHeader =
      Array("--frame\r\n".utf8) + Array(String(repeating: "a: b\r\n", count: 70).utf8)
    expect(good + longHeader + Array("\r\n".utf8) + good, gives: jpegs(2), damaged: 1)
  }

  @Test func partsWithoutALengthHaveTheirOwnEnds() {
    let part = Array("--frame\r\nContent-Type: image/jpeg\r\n\r\n".utf8) + Self.golden
    expect(part + Array("\r\n".utf8) + part, gives: jpegs(2))
  }

  @Test func rawFramesKeepTheirPlanes() throws {
    let size = try #require(PictureSize(width: 16, height: 16))
    let luma = (0..<256).map { UInt8($0) }
    let (blue, red) = (Array(repeating: UInt8(7), count: 64), Array(repeating: UInt8(9), count: 64))
    let frame = Array("FRAME\n".utf8) + luma + blue + red
    let all = pictures(Self.y4m(" C420jpeg XYSCSS=420JPEG", frame, frame))
    #expect(all.pictures.count == 2 && all.damaged == 0)
    let picture = try #require(all.pictures.first)
    #expect(picture.layout == FrameLayout(.yu12, size))
    #expect(picture.bytes == luma + blue + red)
    expect(
      Self.y4m("", Array("FRAME Ixyz\n".utf8) + frame.dropFirst(6), frame),
      gives: all.pictures
    )
  }

  @Test func aSpoiltRawFrameCostsOnlyItself() throws {
    let frame = Array("FRAME\n".utf8) + [UInt8](repeating: 80, count: 384)
    let good = pictures(Self.y4m("", frame)).pictures
    // The bytes that are missing are taken from the next one, which is lost.
    let spoilt = pictures(Self.y4m("", frame, Array(frame.dropLast(100)), frame, frame))
    #expect(spoilt.pictures.count == 3 && spoilt.damaged == 1)
    #expect(spoilt.pictures.first == good[0] && spoilt.pictures.last == good[0])
    expect(Self.y4m("", frame, Array(frame.dropLast(100))), gives: good, damaged: 1)
    // Another program at the same FIFO begins with a header of its own.
    expect(Self.y4m("", frame) + Self.y4m("", frame), gives: good + good)
  }

  @Test(arguments: [
    ("YUV4MPEG2 W0 H16\nFRAME\n", "no camera has 0 × 16 pixels"),
    ("YUV4MPEG2 W99999 H99999\nFRAME\n", "no camera has 99999 × 99999 pixels"),
    ("YUV4MPEG2 W16 H16 C420p10\nFRAME\n", "its colours are in the form 420p10, not 420"),
    ("YUV4MPEG2 W16 H16 Cmono\nFRAME\n", "its colours are in the form mono, not 420"),
    ("YUV4MPEG2 " + String(repeating: "x", count: 2000), "its header has no end"),
    ("\0\0\0\u{18}ftypmp42\0\0\0\0", "it is MP4 or MOV"),
    ("\0\0\0\u{1}gB\0\u{1e}abcdefg", "it is H.264 or H.265 without a container"),
  ])
  func whatCanNotBeReadIsNamed(_ stream: String, _ reason: String) {
    let all = pictures(Array(stream.utf8))
    #expect(all.pictures.isEmpty && all.problem?.hasPrefix(reason) == true, "\(all)")
  }
}
