import Camera
import CourtMapping
import Testing

extension CameraStories {
  /// The formats of frames, as the kernel's test camera makes them.
  @Suite struct Formats {
    /// The small picture of a frame in that format.
    private func picture(_ format: PixelFormat, of path: String) async throws -> ColourPicture {
      // Colour bars alone: no text, which tells the time.
      try VideoNode.set("OSD Text Mode", to: 2, of: path)
      var request = CaptureRequest(size: PictureSize(width: 640, height: 360))
      request.formats = [format]
      var picture = ColourPicture(width: 0, height: 0)
      try await withCapture(of: path, request) { session in
        #expect(await session.layout.pixelFormat == format)
        picture = try #require(try await session.more(1).first?.picture?.get())
      }
      return picture
    }

    @Test func theBarsAreTheSameInAllFormats() async throws {
      let plain = try await picture(.yuyv, of: Cameras.test)
      #expect(plain.width == 320 && plain.height == 180)
      // White, yellow, cyan, green, magenta, red, blue, black: in the middle of the last four.
      let bars = [4, 5, 6, 7].map { bar -> [Bool] in
        let place = (90 * 320 + bar * 40 + 20) * 3
        return plain.bytes[place..<place + 3].map { $0 > 100 }
      }
      // Blue, green, red.
      #expect(
        bars == [
          [true, false, true], [false, false, true], [true, false, false],
          [false, false, false],
        ]
      )
      let others: [(String, [PixelFormat])] = [
        (Cameras.test, [.uyvy, .nv12, .yu12]),
        (Cameras.planar, [.yuyv, .nv12, .nm12, .ym12]),
      ]
      for (path, formats) in others {
        for format in formats {
          let other = try await picture(format, of: path)
          try #require(other.bytes.count == plain.bytes.count)
          // Colours of two pixels meet where bars do.
          let different = zip(other.bytes, plain.bytes).count { abs(Int($0) - Int($1)) > 4 }
          #expect(different < plain.bytes.count / 50, "\(path) \(format): \(different)")
        }
      }
    }

    @Test func aCameraThatGivesVideoAloneIsToldWithItsRemedy() throws {
      let node = try VideoNode(Cameras.fed)
      // H264
      let video = PixelFormat(code: 0x3436_3248)
      try node.feed(video, try #require(PictureSize(width: 1280, height: 720)))
      // It offers what it has.
      try node.write([0, 0, 0, 1])
      let problem = #expect(throws: CameraProblem.self) { _ = try CaptureSession(Cameras.fed) }
      #expect(problem?.code == .needsDecoder, "\(String(describing: problem))")
      let listed = ListedCamera.all().compactMap { try? $0.get() }
      #expect(listed.first { $0.path == Cameras.fed }?.problem == problem)
    }
  }
}
