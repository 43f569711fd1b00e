import Testing

@testable import Camera

/// Moving pixels that hang together, and where they stand.
@Suite struct BlobScannerTests {
  private func blobs(
    _ boxes: [PixelBox],
    body: PixelBox? = nil,
    width: Int = 320,
    height: Int = 180
  ) -> [Blob] {
    var mask = [UInt8](repeating: 0, count: width * height)
    for box in boxes {
      for row in box.top...box.bottom {
        for column in box.left...box.right {
          mask[row * width + column] = Background.Label.moving
        }
      }
    }
    var scanner = BlobScanner(width: width, height: height)
    mask.withUnsafeBufferPointer { scanner.scan($0.baseAddress.unsafelyUnwrapped, body: body) }
    return scanner.blobs
  }

  private func box(_ left: Int, _ right: Int, _ top: Int, _ bottom: Int) -> PixelBox {
    PixelBox(left: left, right: right, top: top, bottom: bottom)
  }

  @Test func anEmptyMaskHasNone() {
    #expect(blobs([]).isEmpty)
    #expect(blobs([box(3, 4, 3, 5)]).isEmpty, "six pixels are a ball")
  }

  @Test func aRectangleStandsOnItsLowerEdge() throws {
    let blob = try #require(blobs([box(100, 109, 50, 79)]).first)
    #expect(blob.box == box(100, 109, 50, 79))
    #expect(blob.area == 300)
    #expect(blob.footU == 105)
    #expect(blob.footV == 80)
  }

  @Test func aFootInTheAirDoesNotCount() throws {
    // The right leg ends four rows above the left one.
    let found = blobs([box(100, 109, 50, 69), box(100, 103, 70, 79), box(106, 109, 70, 75)])
    let blob = try #require(found.first)
    #expect(found.count == 1)
    #expect(blob.footV > 76 && blob.footV < 79)
  }

  @Test func partsNearOneAnotherAreOneBlob() {
    let gap = 320 * 20 / 1280
    #expect(blobs([box(100, 109, 50, 59), box(100, 109, 60 + gap, 79)]).count == 1)
    #expect(blobs([box(100, 109, 50, 59), box(100, 109, 62 + gap, 79)]).count == 2)
    #expect(blobs([box(100, 109, 50, 59), box(112, 119, 50, 59)]).count == 1)
    #expect(blobs([box(100, 109, 50, 59), box(115, 124, 50, 59)]).count == 2)
  }

  @Test func whereThePlayerIsExpectedLessIsEnoughAndTheRestIsCutOff() {
    let boxes = [box(3, 4, 3, 5), box(100, 109, 50, 79), box(200, 201, 60, 62)]
    let body = box(104, 202, 45, 69)
    #expect(blobs(boxes, body: body).map(\.box) == [box(104, 109, 50, 69), box(200, 201, 60, 62)])
    #expect(blobs(boxes, body: box(-9, 400, -9, 400)).count == 3)
    #expect(blobs(boxes, body: box(330, 340, 45, 69)).isEmpty)
  }

  @Test func theEdgesOfThePictureAreNoTrouble() throws {
    let blob = try #require(blobs([box(0, 319, 0, 179)]).first)
    #expect(blob.area == 320 * 180)
    #expect(blobs([box(0, 3, 176, 179), box(316, 319, 0, 3)]).count == 2)
    // A leaf that dips into the first row, also where a player is expected.
    let leaf = try #require(blobs([box(10, 20, 0, 0)]).first)
    #expect(leaf.footU == 15.5 && leaf.footV == 1)
    #expect(blobs([box(10, 12, 0, 0)], body: box(0, 30, -5, 20)).count == 1)
  }

  @Test func theLargestOfManyAreKept() {
    var boxes: [PixelBox] = []
    for row in 0..<12 {
      for column in 0..<20 {
        let (left, top) = (column * 16, row * 15)
        boxes.append(box(left, left + 3, top, top + 3))
      }
    }
    boxes.append(box(310, 319, 150, 179))
    let found = blobs(boxes)
    #expect(found.count == BlobScanner.mostBlobs)
    #expect(found.contains { $0.area > 200 })
  }
}
