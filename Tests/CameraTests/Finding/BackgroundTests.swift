import Testing

@testable import Camera

/// What differs from the empty court, and what is only lit differently.
@Suite struct BackgroundTests {
  private let width = 20
  private let background = Background(width: 20, height: 10)
  private let court: (UInt8, UInt8, UInt8) = (140, 88, 62)

  private func picture(_ inside: (UInt8, UInt8, UInt8)? = nil) -> [UInt8] {
    var bytes: [UInt8] = []
    for index in 0..<width * 10 {
      let isInside = inside != nil && (5..<12).contains(index % width)
      let colour = isInside ? inside ?? court : court
      // No court is quite even.
      let shade: UInt8 = index % 4 < 2 ? 0 : 3
      bytes += [colour.0 + shade, colour.1 + shade, colour.2 + shade]
    }
    return bytes
  }

  private func show(_ bytes: [UInt8], times: Int, kept: PixelBox? = nil, rate: Float = 0.05) {
    for _ in 0..<times {
      bytes.withUnsafeBufferPointer {
        background.update($0.baseAddress.unsafelyUnwrapped, rate: rate, kept: kept, nil)
      }
    }
  }

  private var label: UInt8 { background.mask[5 * width + 8] }

  @Test func anotherColourMoves() {
    show(picture(), times: 20)
    #expect(background.moving == 0)
    show(picture((240, 240, 240)), times: 1)
    #expect(label == Background.Label.moving)
    #expect(background.moving == 7.0 / 20)
    #expect(background.mask[0] == Background.Label.still)
  }

  @Test func aShadowAndSunlightAreOnlyShaded() {
    show(picture(), times: 20)
    show(picture((80, 50, 35)), times: 1)
    #expect(label == Background.Label.shaded)
    show(picture((196, 123, 87)), times: 1)
    #expect(label == Background.Label.shaded)
    #expect(background.moving == 0 && background.unusual == 7.0 / 20)
  }

  @Test func blackClothesAreNoShadow() {
    show(picture(), times: 20)
    show(picture((42, 26, 19)), times: 1)
    #expect(label == Background.Label.moving)
  }

  @Test func whatStaysIsLearntUnlessItIsKept() {
    let box = PixelBox(left: 5, right: 11, top: 0, bottom: 9)
    show(picture(), times: 20)
    show(picture((240, 240, 240)), times: 100, kept: box)
    #expect(label == Background.Label.moving)
    show(picture((240, 240, 240)), times: 20)
    #expect(label == Background.Label.still)
    // Both are known now, as leaves and what is behind them are.
    show(picture(), times: 1)
    #expect(label == Background.Label.still)
  }

  @Test func aGhostHasNoEdgesInThePicture() {
    // The court was learnt with something white on it.
    show(picture((240, 240, 240)), times: 20)
    let empty = picture()
    show(empty, times: 1)
    let box = PixelBox(left: 5, right: 11, top: 0, bottom: 9)
    #expect(label == Background.Label.moving)
    empty.withUnsafeBufferPointer {
      #expect(background.isGhost(box, in: $0.baseAddress.unsafelyUnwrapped))
    }
  }

  @Test func aGhostIsLearntAtOnceAndAPersonIsNot() {
    show(picture((240, 240, 240)), times: 20)
    let empty = picture()
    show(empty, times: 1)
    empty.withUnsafeBufferPointer {
      let picture = $0.baseAddress.unsafelyUnwrapped
      #expect(background.isGhost(5, 5...11, in: picture) == true)
      background.learn(5, 5...11, picture)
    }
    #expect(label == Background.Label.still && background.mask[4 * width + 8] != label)
    show(picture(), times: 60)
    let person = picture((240, 240, 240))
    show(person, times: 1)
    person.withUnsafeBufferPointer {
      #expect(background.isGhost(5, 5...11, in: $0.baseAddress.unsafelyUnwrapped) == false)
    }
    #expect(label == Background.Label.moving)
  }

  /// A ghost is learnt from its edge inwards, a person isn't.
  @Test func whatLooksAsTheCourtAroundItIsLearnt() {
    func learn(_ bytes: [UInt8], _ columns: [Int]) {
      show(bytes, times: 1)
      bytes.withUnsafeBufferPointer {
        for column in columns {
          background.learnAsAround(5 * width + column, $0.baseAddress.unsafelyUnwrapped)
        }
      }
    }
    show(picture((240, 240, 240)), times: 20)
    learn(picture(), [8])
    #expect(label == Background.Label.moving)
    learn(picture(), [5, 6, 7, 8])
    #expect(label == Background.Label.still)
    show(picture(), times: 60)
    learn(picture((240, 240, 240)), [5, 6, 7, 8])
    #expect(label == Background.Label.moving)
  }

  /// Above, a person is in the picture; below, one was while the court was learnt.
  @Test(arguments: [0, 2])
  func aPersonWithTheFeetOfAGhostIsNoPerson(_ ghostRows: Int) {
    func half(_ rows: Range<Int>) -> [UInt8] {
      let (one, other) = (picture((240, 240, 240)), picture())
      return one.indices.map { rows ~= $0 / 3 / width ? one[$0] : other[$0] }
    }
    show(half(10 - ghostRows..<10), times: 20)
    let now = half(0..<10 - ghostRows)
    show(now, times: 1)
    let box = PixelBox(left: 5, right: 11, top: 0, bottom: 9)
    now.withUnsafeBufferPointer {
      let picture = $0.baseAddress.unsafelyUnwrapped
      #expect(background.isPerson(box, in: picture) == (ghostRows == 0))
    }
  }

  @Test(arguments: 1...3) func aPersonOfAFewRowsIsAPerson(_ rows: Int) {
    show(picture(), times: 20)
    let now = picture((240, 240, 240))
    show(now, times: 1)
    now.withUnsafeBufferPointer {
      let box = PixelBox(left: 5, right: 11, top: 5, bottom: 4 + rows)
      #expect(background.isPerson(box, in: $0.baseAddress.unsafelyUnwrapped))
    }
  }

  /// Of seven rows one has a line, which is five times as bright as the person's edges.
  @Test func aPersonOfTheCourtsColourWhoHidesALineIsNoGhost() {
    func court(_ person: Bool) -> [UInt8] {
      var bytes = picture(person ? (150, 120, 62) : nil)
      for index in 0..<width * 10 where index / width == 4 && !(person && 5..<12 ~= index % width) {
        if 5..<12 ~= index % width { for at in 0..<3 { bytes[index * 3 + at] = 235 } }
      }
      return bytes
    }
    show(court(false), times: 20)
    let person = court(true)
    show(person, times: 1)
    let box = PixelBox(left: 5, right: 11, top: 1, bottom: 7)
    person.withUnsafeBufferPointer {
      #expect(!background.isGhost(box, in: $0.baseAddress.unsafelyUnwrapped))
    }
  }

  /// A person in shorts of the court's colour stood on a line while the court was learnt: the line is
  /// all that is seen of the ghost.
  @Test func aPaintedLineIsNoEdgeOfAPerson() {
    func court(hidden: Bool) -> [UInt8] {
      var bytes = picture()
      for index in 0..<width * 10 where index % width == 8 {
        if !hidden { for at in 0..<3 { bytes[index * 3 + at] = 235 } }
      }
      return bytes
    }
    let shown = court(hidden: false)
    var painted = PaintedPixels(width: width, height: 10)
    for row in 0..<10 { painted.mark(column: 8, row: Double(row)) }
    for (lines, isPersons) in [(painted, nil), (nil, false)] as [(PaintedPixels?, Bool?)] {
      let background = Background(width: width, height: 10, painted: lines)
      for (bytes, times) in [(court(hidden: true), 20), (shown, 1)] {
        for _ in 0..<times {
          bytes.withUnsafeBufferPointer {
            background.update($0.baseAddress.unsafelyUnwrapped, rate: 0.05, kept: nil, nil)
          }
        }
      }
      #expect(background.mask[5 * width + 8] == Background.Label.moving)
      shown.withUnsafeBufferPointer {
        #expect(background.isGhost(5, 8...8, in: $0.baseAddress.unsafelyUnwrapped) == isPersons)
      }
    }
  }

  @Test func whatIsFaintCountsAboveTheFeetOfAnExpectedPlayer() {
    show(picture(), times: 20)
    show(picture((150, 94, 66)), times: 1)
    #expect(label == Background.Label.faint && background.moving == 0)
    background.complete(PixelBox(left: 7, right: 30, top: -3, bottom: 9))
    #expect(label == Background.Label.moving)
    #expect(background.mask[5 * width + 6] == Background.Label.faint)
    #expect(background.mask[7 * width + 8] == Background.Label.faint)
    background.complete(PixelBox(left: 30, right: 40, top: 0, bottom: 9))
  }

  @Test func somethingThatWasAddedIsNoGhost() {
    show(picture(), times: 20)
    let person = picture((240, 240, 240))
    show(person, times: 1)
    let box = PixelBox(left: 5, right: 11, top: 0, bottom: 9)
    person.withUnsafeBufferPointer {
      #expect(!background.isGhost(box, in: $0.baseAddress.unsafelyUnwrapped))
    }
  }

  /// Four pixels at a time are judged as one after the other: no bit is another one.
  @Test func pixelsSideBySideAreJudgedAsOneByOne() {
    let pixels = 24
    let together = Background(width: pixels, height: 1)
    let alone = (0..<pixels).map { _ in Background(width: 1, height: 1) }
    var state: UInt32 = 1
    func random(_ below: UInt32) -> UInt32 {
      state = state &* 1_664_525 &+ 1_013_904_223
      return (state >> 8) % below
    }
    let colours: [UInt32] = [60, 90, 140, 190, 230]
    for frame in 0..<1500 {
      // Some pixels have one colour, others up to five, with more or less noise.
      let bytes = (0..<pixels * 3).map { place in
        let pixel = UInt32(place / 3)
        let colour = random(30) < pixel ? colours[Int(random(1 + pixel % 5))] : 90
        return UInt8(colour + random(2 + pixel % 7 * 2))
      }
      let kept = frame % 3 == 0 ? PixelBox(left: 5, right: 10, top: 0, bottom: 0) : nil
      let rate: Float = [0, 0.3, 0.02, 0.004][Int(random(4))]
      bytes.withUnsafeBufferPointer { bytes in
        guard let first = bytes.baseAddress else { return }
        together.update(first, rate: rate, kept: kept, nil)
        for (index, one) in alone.enumerated() {
          let isKept = kept != nil && (5...10).contains(index)
          one.update(first + index * 3, rate: isKept ? 0 : rate, kept: nil, nil)
        }
      }
      for (index, one) in alone.enumerated() {
        let same =
          together.mask[index] == one.mask[0] && together.colours.used[index] == one.colours.used[0]
          && (0..<Int(one.colours.used[0])).allSatisfy {
            together.colours[index, $0] == one.colours[0, $0]
          }
        #expect(same, "frame \(frame), pixel \(index)")
      }
      let moving = alone.reduce(0) { $0 + $1.moving }
      #expect(together.moving == moving / Double(pixels))
    }
    #expect(Set((0..<pixels).map { together.colours.used[$0] }) == [1, 2, 3, 4])
  }
}
