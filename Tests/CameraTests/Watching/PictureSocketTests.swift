import ControlProtocol
import CourtLogic
import CourtMapping
import Foundation
import Host
import JSON
import TestSupport
import Testing

@testable import Camera

/// Pictures for those who may see the court and change nothing.
@Suite(.mustEnd) struct PictureSocketTests {
  private func ask(_ method: String, at path: String) async throws -> [UInt8] {
    try await LineClient.talk(to: "the camera", path: path) { (client) throws(LineClientError) in
      let answer: StillRecord = try client.ask(method)
      return try client.bytes(answer.bytes)
    }
  }

  @Test func itGivesASmallPictureAndNothingElse() async throws {
    let handed = try HandedCamera()
    try await handed.run { client in
      try await handed.status(client) { $0.frames.taken > 0 }
      let path = handed.folder("picture.sock")
      let picture = try await ask("picture", at: path)
      #expect(picture.count <= PictureSocket.longest)
      let header = try picture.withUnsafeBytes { try JPEGHeader($0) }
      #expect(header.size.width <= 1000)
      let error = await #expect(throws: LineClientError.self) { try await ask("picture", at: path) }
      #expect("\(error, default: "")".contains("less than a second ago"))
      for method in ["status", "still", "sources", "use", "check", "calibrate"] {
        let error = await #expect(throws: LineClientError.self) { try await ask(method, at: path) }
        #expect(error?.code == .refused && !"\(error, default: "")".contains("second ago"))
      }
    }
  }

  // MARK: The size

  private static func noise(_ width: Int, _ height: Int) -> ColourPicture {
    var picture = ColourPicture(width: width, height: height)
    var generator = SeededGenerator(seed: 7)
    for index in picture.bytes.indices {
      picture.bytes[index] = .random(in: 0...255, using: &generator)
    }
    return picture
  }

  private func small(
    _ picture: ColourPicture,
    longest: Int = PictureSocket.longest
  ) throws -> (PictureSize, count: Int) {
    let jpeg = try JPEGCodec.write(picture)
    let layout = FrameLayout(.mjpeg, picture.width, picture.height)
    let still = try withFrame(jpeg, layout) {
      try FrameDecoder().smallStill($0, longest: longest)
    }
    #expect(still.count <= longest)
    return (try still.withUnsafeBytes { try JPEGHeader($0) }.size, still.count)
  }

  @Test func aPictureIsAsLargeAsItMayBe() throws {
    #expect(try small(.gradient(width: 640, height: 480)).0 == PictureSize(width: 640, height: 480))
    #expect(
      try small(.gradient(width: 1920, height: 1080)).0 == PictureSize(width: 960, height: 540)
    )
    // Nothing is harder to make short.
    #expect(try small(Self.noise(1920, 1080)).0.width < 960)
    #expect(try small(.gradient(width: 640, height: 480), longest: 4000).0.width < 640)
  }

  @Test func oneThatCantBeShortEnoughIsNone() {
    #expect(throws: PictureProblem.self) { try small(Self.noise(640, 480), longest: 500) }
  }
}
