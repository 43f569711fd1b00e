import CourtMapping
import Host
import Testing

@testable import Camera

@Suite struct CaptureRequestTests {
  private func mode(_ format: PixelFormat, _ width: Int, _ height: Int, _ rates: Double...)
    -> CaptureMode
  {
    CaptureMode(
      pixelFormat: format,
      size: PictureSize(width: width, height: height)!,
      rates: rates
    )
  }

  private static let grey = PixelFormat(code: 0x5945_5247)

  @Test func theCheapestModeIsChosen() {
    let webcam = [
      mode(.mjpeg, 1920, 1080, 30), mode(.mjpeg, 1280, 720, 30), mode(.mjpeg, 640, 360, 30),
      mode(.yuyv, 1280, 720, 10), mode(.yuyv, 640, 480, 30), mode(.yuyv, 640, 360, 30),
      mode(Self.grey, 640, 360, 60),
    ]
    func chosen(_ modes: [CaptureMode]) -> CaptureMode? { CaptureRequest().choose(of: modes) }
    #expect(chosen(webcam) == webcam[5])
    #expect(chosen(webcam.reversed()) == webcam[5])
    #expect(chosen(Array(webcam.prefix(5))) == webcam[4])
    #expect(chosen(Array(webcam.prefix(4))) == webcam[1])
    // A raw mode that is too slow, and one of which the camera doesn't say how fast it is.
    #expect(chosen([mode(.yuyv, 640, 360, 5), webcam[0]]) == webcam[0])
    #expect(chosen([mode(.yuyv, 640, 360), webcam[0]]) == mode(.yuyv, 640, 360))
    // Better slow than not at all.
    #expect(chosen([mode(.yuyv, 640, 360, 5)]) == mode(.yuyv, 640, 360, 5))
    #expect(chosen([mode(.yuyv, 160, 120, 30), mode(.yuyv, 640, 480, 30)])?.size.width == 640)
    #expect(chosen([webcam[6]]) == nil)
    #expect(chosen([]) == nil)
    #expect(chosen([mode(.mjpeg, 8192, 4320, 30)]) == nil)
  }

  @Test func ofFormatsThatAreNotCompressedYUYVComesFirst() {
    func chosen(_ formats: PixelFormat...) -> PixelFormat? {
      CaptureRequest().choose(of: formats.map { mode($0, 640, 360, 30) })?.pixelFormat
    }
    #expect(chosen(.mjpeg, .yu12, .nv12, .uyvy, .yuyv) == .yuyv)
    #expect(chosen(.mjpeg, .ym12, .nm12, .yu12, .nv12) == .nv12)
    #expect(chosen(.mjpeg, .h264, .nm12) == .nm12)
    #expect(chosen(.h264, .mjpeg) == .mjpeg)
    // A right size counts more than the format.
    let modes = [mode(.yuyv, 320, 240, 30), mode(.yu12, 640, 360, 30)]
    #expect(CaptureRequest().choose(of: modes) == modes[1])
  }

  @Test func aCameraThatGivesVideoAloneIsToldWithItsRemedy() {
    let modes = [mode(.h264, 1920, 1080, 30), mode(.h264, 1280, 720, 30)]
    #expect(
      modes.problem(of: "Dome", at: "/dev/video2")?.description == """
        /dev/video2: Dome gives H.264 alone, which ffmpeg reads; set camera.command: [ffmpeg, -f, \
        v4l2, -input_format, h264, -i, /dev/video2, -f, mjpeg, -]
        """
    )
    #expect(modes.problem(of: "Dome", at: "/dev/video2")?.code == .needsDecoder)
    let hevc = [mode(.hevc, 1920, 1080, 30)].problem(of: "Dome", at: "/dev/video2")
    #expect(hevc?.description.contains("-input_format, hevc") == true)
    #expect((modes + [mode(.mjpeg, 640, 360, 30)]).problem(of: "", at: "") == nil)
    #expect([mode(Self.grey, 640, 360, 30)].problem(of: "", at: "") == nil)
  }

  /// More than are worked on make each fresher.
  @Test func theCameraTakesAtLeast30FramesASecond() {
    #expect(CaptureRequest().capturedRate == 30)
    #expect(CaptureRequest(rate: 60).capturedRate == 60)
  }

  @Test func aSizeIsKeptOrRefused() {
    let modes = [
      mode(.yuyv, 1280, 720, 10), mode(.mjpeg, 1280, 720, 30), mode(.yuyv, 640, 360, 30),
    ]
    func chosen(_ width: Int, _ height: Int) -> CaptureMode? {
      CaptureRequest(size: PictureSize(width: width, height: height)).choose(of: modes)
    }
    #expect(chosen(1280, 720) == modes[1])
    #expect(chosen(640, 360) == modes[2])
    #expect(chosen(1920, 1080) == nil)
  }

  @Test func whatIsNoCameraIsRefusedWithItsReason() {
    func problem(_ path: String) -> CameraProblem? {
      do throws(CameraProblem) {
        _ = try CameraCapture(path, clock: SystemClock())
        return nil
      } catch {
        return error
      }
    }
    #expect(problem("/dev/video-none")?.code == .missing)
    #expect(problem("/dev/null")?.code == .notACamera)
    #expect(
      problem("/dev/video-none").map(String.init(describing:)) == """
        /dev/video-none: can't open it: No such file or directory; connect the camera, or choose \
        another one
        """
    )
  }
}

@Suite struct FrameLayoutTests {
  @Test func theSmallPictureIsAtLeast320Wide() {
    for (width, divisor) in [
      (160, 1), (320, 1), (639, 1), (640, 2), (1279, 2), (1280, 4), (1920, 4), (2560, 8), (4096, 8),
    ] {
      #expect(FrameLayout(.mjpeg, width, 180).divisor == divisor)
    }
  }

  @Test func noLayoutIsLargerThanACamera() throws {
    let square = try #require(PictureSize(width: 4096, height: 4096))
    #expect(FrameLayout(.mjpeg, square) == nil)
    let wide = try #require(PictureSize(width: 4097, height: 16))
    #expect(FrameLayout(.mjpeg, wide) == nil)
    let size = try #require(PictureSize(width: 64, height: 16))
    #expect(FrameLayout(.yuyv, size, bytesPerRow: 127) == nil)
    #expect(FrameLayout(.mjpeg, size, bytesPerRow: 127) != nil)
  }

  /// Bytes of frames with sides that are odd, and with rows that are padded.
  @Test(
    arguments: [
      (.yuyv, 65, 17, 0, 2244), (.uyvy, 65, 17, 0, 2244), (.nv12, 64, 16, 0, 1536),
      (.nv12, 65, 17, 0, 65 * 17 + 66 * 9), (.yu12, 64, 16, 0, 1536),
      (.yu12, 65, 17, 0, 65 * 17 + 33 * 9 * 2), (.nv12, 64, 16, 80, 80 * 23 + 64),
      (.yu12, 64, 16, 80, 80 * 16 + 40 * 15 + 32), (.nm12, 64, 16, 0, 1536),
      (.ym12, 64, 16, 0, 1536), (.mjpeg, 64, 16, 80, 0),
    ] as [(PixelFormat, Int, Int, Int, Int)]
  )
  func aLayoutKnowsItsBytes(format: PixelFormat, width: Int, height: Int, row: Int, bytes: Int) {
    #expect(FrameLayout(format, width, height, bytesPerRow: row).leastBytes == bytes)
  }

  @Test func shortRowsAndOtherFormatsHaveNoLayout() throws {
    let size = try #require(PictureSize(width: 64, height: 16))
    for (format, row) in [(.uyvy, 127), (.nv12, 63), (.yu12, 63)] as [(PixelFormat, Int)] {
      #expect(FrameLayout(format, size, bytesPerRow: row) == nil)
    }
    #expect(FrameLayout(.nm12, size, bytesPerRow: 64, colourBytesPerRow: 63) == nil)
    #expect(FrameLayout(.ym12, size, bytesPerRow: 64, colourBytesPerRow: 31) == nil)
    #expect(FrameLayout(.h264, size) == nil)
  }

  @Test func formatsArePrintable() {
    #expect(PixelFormat.yuyv.description == "YUYV" && PixelFormat.mjpeg.description == "MJPG")
    #expect(PixelFormat.yuyv.code == 0x5659_5559)
    #expect(PixelFormat(code: 0x0A1B_4142).description == "BA??")
  }
}
