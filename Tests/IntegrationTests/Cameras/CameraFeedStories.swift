import Camera
import CourtMapping
import Testing

extension CameraStories {
  /// JPEGs that are fed to a camera.
  @Suite struct Feeds {
    /// A feeder's pictures are of one brightness each.
    private struct Feeder {
      private let node: VideoNode
      private static let size = PictureSize(width: 1280, height: 720)

      init() throws {
        node = try VideoNode(Cameras.fed)
        try node.feed(.mjpeg, try #require(Self.size))
      }

      static func frame(_ brightness: UInt8) throws -> [UInt8] {
        var picture = ColourPicture(width: 1280, height: 720)
        for index in picture.bytes.indices { picture.bytes[index] = brightness }
        return try JPEGCodec.write(picture)
      }

      func write(_ frame: [UInt8]) throws { try node.write(frame) }

      /// Writes one frame again and again, at the pace of a camera, until there are so many.
      func write(_ frame: [UInt8], until session: CaptureSession, has count: Int) async throws {
        while await session.taken.count < count {
          try write(frame)
          try await Task.sleep(for: .milliseconds(66))
        }
      }
    }

    private func withSession(_ body: (CaptureSession) async throws -> Void) async throws {
      // All frames that are written are wanted.
      try await withCapture(of: Cameras.fed, CaptureRequest(rate: 60), body)
    }

    @Test func picturesComeThrough() async throws {
      let feeder = try Feeder()
      try feeder.write(Feeder.frame(90))
      try await withSession { session in
        #expect(await session.layout.pixelFormat == .mjpeg)
        try await feeder.write(Feeder.frame(180), until: session, has: 5)
        for taken in await session.taken {
          let picture = try #require(try taken.picture?.get())
          #expect(picture.width == 320 && picture.height == 180)
          #expect(abs(try #require(taken.brightness) - 180) < 3)
        }
        // The one that waited before there was a reader: nothing tells its age.
        #expect(await session.counts.old >= 1)
      }
    }

    @Test func aFeederThatStopsLeavesNothingOldBehind() async throws {
      var feeder: Feeder? = try Feeder()
      try feeder?.write(Feeder.frame(60))
      try await withSession { session in
        try await feeder?.write(Feeder.frame(60), until: session, has: 5)
        // The reader hangs as the feeder's last frame comes, and the feeder ends.
        await session.stopWatching()
        let before = await session.counts
        try feeder?.write(Feeder.frame(60))
        feeder = nil
        try await Task.sleep(for: .milliseconds(400))
        await session.take()
        let counts = await session.counts
        #expect(counts.taken == before.taken && counts.old == before.old + 1)
        // It comes back, with another picture.
        let last = counts.taken
        let again = try Feeder()
        await session.watchAgain()
        try await again.write(Feeder.frame(200), until: session, has: last + 5)
        for taken in await session.taken.dropFirst(last) {
          #expect(abs(try #require(taken.brightness) - 200) < 3)
        }
        #expect(await session.problem == nil)
      }
    }

    @Test func aCutFrameIsNoPicture() async throws {
      let feeder = try Feeder()
      let whole = try Feeder.frame(120)
      try feeder.write(whole)
      try await withSession { session in
        try await feeder.write(Array(whole.dropLast(whole.count / 3)), until: session, has: 3)
        for taken in await session.taken {
          #expect(throws: PictureProblem.self) { try taken.picture?.get() }
        }
        try await feeder.write(whole, until: session, has: 6)
        #expect(try await #require(session.taken.last).brightness.map { abs($0 - 120) < 3 } == true)
      }
    }
  }
}
