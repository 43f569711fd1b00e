import Camera
import Clocks
import CourtMapping
import Host
import Testing

extension CameraStories {
  /// What the kernel's test camera is told to do.
  @Suite struct Faults {
    private func withSession(
      reads: Bool = false,
      _ body: (CaptureSession) async throws -> Void
    ) async throws {
      try await withCapture(of: Cameras.test, reads: reads, body)
    }

    /// The camera can be used.
    private func expectFrames() async throws {
      try await withSession { #expect(await $0.more(3).count == 3) }
    }

    @Test func theListNamesTheCamerasAndWhatTheyOffer() throws {
      let listed = ListedCamera.all().compactMap { try? $0.get() }
      let test = try #require(listed.first { $0.path == Cameras.test })
      #expect(test.driver == "vivid")
      let size = try #require(PictureSize(width: 640, height: 360))
      let mode = try #require(test.modes.first { $0.pixelFormat == .yuyv && $0.size == size })
      #expect(mode.rates.contains { $0 >= 30 })
      #expect(listed.contains { $0.path == Cameras.fed && $0.name == "court" && $0.modes.isEmpty })
    }

    @Test func framesArriveAtTheRate() async throws {
      try await withSession { session in
        let layout = await session.layout
        #expect(layout.pixelFormat == .yuyv)
        #expect(layout.size == PictureSize(width: 640, height: 360))
        let taken = Array(await session.more(46))
        try #require(taken.count == 46)
        let (first, last) = (taken[0], taken[45])
        let span = first.time.duration(to: last.time) / .seconds(1)
        // However slow the box is: vivid numbers the frames that it was too late for, too.
        let captured = Double(last.sequence - first.sequence) / span
        #expect((27...33).contains(captured), "\(captured) frames a second")
        // At most 15 a second are taken, one more or less by chance.
        #expect(span > 44 / 15.5, "\(span) s")
        let counts = await session.counts
        #expect(counts.passedOver + counts.lost + counts.old > 20, "\(counts)")
        #expect(taken.allSatisfy { $0.age >= .zero })
      }
    }

    @Test func aFrameMakesAPicture() async throws {
      try await withSession(reads: true) { session in
        let picture = try #require(try await session.more(1).first?.picture?.get())
        #expect(picture.width == 320 && picture.height == 180)
        // Colour bars.
        #expect(Set(picture.bytes).count > 5)
      }
    }

    /// The driver fills its memory as the hang begins, so that even the newest frame is old.
    @Test func aReaderThatHangsGetsNothingOld() async throws {
      try await withSession { session in
        await session.more(2)
        await session.stopWatching()
        let before = await session.counts
        try await Task.sleep(for: .seconds(1))
        let end = SystemClock().now
        await session.take()
        // One may just have come.
        let new = await session.taken.dropFirst(before.taken)
        #expect(new.allSatisfy { $0.time.duration(to: end) <= FrameTimes.oldest })
        #expect(await session.counts.old > before.old || !new.isEmpty)
        await session.watchAgain()
        #expect(await session.more(3).count == 3)
      }
    }

    @Test func lostFramesAreCounted() async throws {
      try await withSession { session in
        await session.more(2)
        try VideoNode.set("Percentage of Dropped Buffers", to: 50, of: Cameras.test)
        let counts = await session.counts { $0.lost >= 5 }
        try VideoNode.set("Percentage of Dropped Buffers", to: 0, of: Cameras.test)
        #expect(counts.lost >= 5)
        #expect(await session.more(5).count == 5)
      }
    }

    @Test func aDamagedFrameIsDropped() async throws {
      try await withSession { session in
        await session.more(2)
        try VideoNode.set("Inject V4L2_BUF_FLAG_ERROR", of: Cameras.test)
        #expect(await session.counts { $0.damaged > 0 }.damaged == 1)
        #expect(await session.more(3).count == 3)
        #expect(await session.problem == nil)
      }
    }

    @Test func aFailedStreamIsReportedAndCanBeOpenedAgain() async throws {
      try await withSession { session in
        await session.more(2)
        try VideoNode.set("Inject Fatal Streaming Error", of: Cameras.test)
        let problem = try #require(await session.failure())
        #expect(problem.code == .streamFailed, "\(problem)")
      }
      try await expectFrames()
    }

    @Test func anUnpluggedCameraIsReportedAndComesBack() async throws {
      try await withSession { session in
        await session.more(2)
        try VideoNode.set("Disconnect", of: Cameras.test)
        let problem = try #require(await session.failure())
        #expect(problem.code == .gone, "\(problem)")
        #expect(problem.description.hasSuffix("; connect the camera again"))
        // vivid is back when the last one has closed it.
        #expect(code { try CaptureSession(Cameras.test) } == .missing)
      }
      try await expectFrames()
    }

    @Test func aStreamThatDoesNotStartIsReported() async throws {
      try VideoNode.set("Inject VIDIOC_STREAMON Error", of: Cameras.test)
      await #expect { try await expectFrames() } throws: { error in
        (error as? CameraProblem)?.code == .streamFailed
      }
      try await expectFrames()
    }

    @Test func refusedFormatsAndDevicesAreReported() async throws {
      let size = try #require(PictureSize(width: 332, height: 222))
      #expect {
        _ = try CaptureSession(Cameras.test, CaptureRequest(size: size))
      } throws: { error in
        let text = "\(error)"
        return (error as? CameraProblem)?.code == .formatRefused
          && text.contains("has no 332 × 222 in YUYV, UYVY, NV12, YU12 or MJPG")
          && text.contains("640 × 360 YUYV")
      }
      #expect(code { try CaptureSession("/dev/video99") } == .missing)
      #expect(code { try CaptureSession("/dev/null") } == .notACamera)
      #expect(code { try CaptureSession(Cameras.fed) } == .formatRefused)
      try await withSession { session in
        await session.more(1)
        #expect(code { try CaptureSession(Cameras.test) } == .busy)
      }
    }

    private func code(_ body: () throws -> CaptureSession) -> CameraProblem.Code? {
      do {
        _ = try body()
        return nil
      } catch {
        return (error as? CameraProblem)?.code
      }
    }
  }
}
