import CourtLogic
import Foundation
import TestSupport
import Testing

@testable import Camera

/// Frames whose bytes were changed at random: each makes a picture of its size or an error.
///
/// `BALLMACHINE_JPEGS` says how many; under AddressSanitizer it finds what reads or writes too far.
@Suite struct JPEGMutationTests {
  private static let count =
    ProcessInfo.processInfo.environment["BALLMACHINE_JPEGS"].flatMap { Int($0) } ?? 10_000

  @Test func mutatedFramesMakeAPictureOrAnError() async throws {
    let wholes = [
      GoldenJPEG.bytes,
      try JPEGCodec.write(.gradient(width: 64, height: 48), quality: 70),
      try JPEGCodec.write(.gradient(width: 160, height: 90), quality: 30),
    ]
    let layouts = [
      FrameLayout(.mjpeg, 32, 16), FrameLayout(.mjpeg, 64, 48), FrameLayout(.mjpeg, 160, 90),
    ]
    let seed = firstSeed()
    let (good, bad) = await inSpareTime {
      var random = SeededGenerator(seed: seed)
      let decoder = FrameDecoder()
      var colour = ColourPicture(width: 0, height: 0)
      var grey = GreyPicture(width: 0, height: 0)
      var counts = (good: 0, bad: 0)
      for number in 0..<Self.count {
        var bytes = wholes[number % 3]
        bytes.mutate(with: &random)
        withFrame(bytes, layouts[number % 3]) { frame in
          do throws(PictureProblem) {
            if number % 5 == 0 {
              try decoder.readGrey(frame, into: &grey)
            } else if number % 7 == 0 {
              _ = try decoder.still(frame)
            } else {
              try decoder.readSmall(frame, into: &colour)
            }
            counts.good += 1
          } catch {
            counts.bad += 1
          }
        }
      }
      return counts
    }
    #expect(good + bad == Self.count)
    // Some changes hurt no picture.
    #expect(good > 0 && bad > Self.count / 2)
  }
}

extension [UInt8] {
  /// Changes, inserts, removes, doubles or cuts off bytes; a byte 0xFF and a marker are likely.
  mutating func mutate(with random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 1...4, using: &random) where !isEmpty {
      let place = Int.random(in: indices, using: &random)
      let end = Swift.min(place + Int.random(in: 1...16, using: &random), count)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: self[place] = UInt8.random(in: 0...255, using: &random)
      case 1: self[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2: removeSubrange(place..<end)
      case 3: insert(contentsOf: self[place..<end], at: place)
      case 4: removeLast(count - place)
      case 5: self[place] = 0xFF
      case 6:
        insert(contentsOf: [0xFF, UInt8.random(in: 0xC0...0xFE, using: &random)], at: place)
      case _:
        for index in place..<end { self[index] = UInt8.random(in: 0...255, using: &random) }
      }
    }
  }
}
