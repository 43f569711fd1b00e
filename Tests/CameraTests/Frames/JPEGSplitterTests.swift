import Testing

@testable import Camera

@Suite struct JPEGSplitterTests {
  private static let golden = GoldenJPEG.bytes
  /// With a small picture in its header, ends and all.
  private static let withSmall: [UInt8] =
    golden.prefix(2) + [0xFF, 0xE1, 0, UInt8(golden.count + 2)] + golden + golden.dropFirst(2)

  /// What comes out when the stream comes in pieces that end at these places.
  private func pictures(_ stream: [UInt8], cutAt cuts: [Int] = []) -> [[UInt8]] {
    var splitter = JPEGSplitter()
    var pictures: [[UInt8]] = []
    for (from, to) in zip([0] + cuts, cuts + [stream.count]) {
      splitter.add(stream[from..<to])
      while let picture = splitter.next() { pictures.append(Array(picture)) }
    }
    return pictures + (splitter.rest().map { [Array($0)] } ?? [])
  }

  @Test func cutAtEveryByteItStaysTheSame() {
    let three = [Self.golden, Self.withSmall, Self.golden]
    let stream = Array(three.joined())
    #expect(pictures(stream) == three)
    for cut in 0...stream.count { #expect(pictures(stream, cutAt: [cut]) == three, "at \(cut)") }
    #expect(pictures(stream, cutAt: Array(0...stream.count)) == three)
  }

  @Test func whatIsBetweenPicturesIsSkipped() {
    let stream: [UInt8] =
      [1, 0xFF, 0xFF, 2, 0xFF, 0xD9] + Self.golden + [0, 0, 0xFF] + Self.golden + [0xFF]
    let two = [Self.golden, Self.golden]
    for cut in 0...stream.count { #expect(pictures(stream, cutAt: [cut]) == two, "at \(cut)") }
    #expect(pictures([]).isEmpty && pictures([0xFF]).isEmpty && pictures([0xFF, 0xD7]).isEmpty)
  }

  @Test func aPictureWithoutAnEndEndsWhereTheNextBegins() {
    let cut = Array(Self.golden.dropLast(5))
    #expect(pictures(cut + Self.golden) == [cut, Self.golden])
    #expect(pictures(Self.golden + cut) == [Self.golden, cut])
  }

  /// As Logitech's C910 and others send them.
  @Test func picturesWithFaultsOfCamerasAreCutWhereTheyEnd() {
    let doubled = [0xFF, 0xD8] + Self.withSmall
    let endless = Array(Self.golden.dropLast(2))
    let trailing = endless + [1, 2, 0xFF, 0, 3]
    let stream = doubled + endless + trailing + [0xFF, 0xD8] + doubled + Self.golden
    let five = [Self.withSmall, endless, trailing, Self.withSmall, Self.golden]
    for cut in 0...stream.count { #expect(pictures(stream, cutAt: [cut]) == five, "at \(cut)") }
    #expect(pictures(stream, cutAt: Array(0...stream.count)) == five)
  }

  /// However much is missing: a part's length that is cut swallows 64 KB at most.
  @Test func aCutFrameCostsOnlyWhatFollowsIt() {
    let count = 0x1_0000 / Self.golden.count + 2
    let following = Array(Array(repeating: Self.golden, count: count).joined())
    for cut in 0...Self.golden.count {
      let last = pictures(Array(Self.golden.prefix(cut)) + following).last
      #expect(last == Self.golden, "\(cut)")
    }
  }

  @Test func aStreamWithoutAnEndIsGivenOutInPieces() {
    var splitter = JPEGSplitter()
    splitter.add(Self.golden.dropLast(2))
    let piece = [UInt8](repeating: 7, count: JPEGSplitter.longest / 2)
    splitter.add(piece)
    #expect(splitter.next() == nil)
    splitter.add(piece)
    #expect(splitter.next()?.count == Self.golden.count - 2 + JPEGSplitter.longest)
    #expect(splitter.next() == nil && splitter.rest() == nil)
    splitter.add(Self.golden)
    #expect(splitter.next().map(Array.init) == [])
  }
}
