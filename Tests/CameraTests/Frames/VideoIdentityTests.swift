import Testing

@testable import Camera

/// Which video devices of a box are cameras that this program can use.
struct VideoIdentityTests {
  private func identity(
    _ driver: String,
    captures: Bool = true,
    isOfPipeline: Bool = false
  ) -> VideoIdentity {
    VideoIdentity(name: driver, driver: driver, captures: captures, isOfPipeline: isOfPipeline)
  }

  @Test func onlyWhatGivesPicturesItselfIsACamera() {
    let cases: [(VideoIdentity, captures: Bool, CameraProblem.Code?)] = [
      (identity("uvcvideo"), true, nil),
      (identity("uvcvideo", captures: false), false, nil),
      // A Raspberry Pi's, of Linux 5.15 to 7.
      (identity("unicam"), true, .needsLibcamera),
      (identity("unicam", isOfPipeline: true), true, .needsLibcamera),
      (identity("rp1-cfe", isOfPipeline: true), true, .needsLibcamera),
      (identity("bcm2835-isp"), false, nil),
      (identity("bcm2835-codec", captures: false), false, nil),
      // Any other board's.
      (identity("rkisp1", isOfPipeline: true), true, .needsLibcamera),
    ]
    for (identity, captures, problem) in cases {
      #expect(identity.captures == captures, "\(identity)")
      #expect(identity.problem(at: "/dev/video0")?.code == problem, "\(identity)")
    }
  }

  @Test func aModuleIsToldAsOne() {
    #expect(
      identity("unicam").problem(at: "/dev/video0")?.description
        == "/dev/video0: unicam is a camera module, which needs libcamera; write what runs it into "
        + "camera.yaml: camera.command: [rpicam-vid, --timeout, \"0\", --width, \"1280\", "
        + "--height, \"720\", --framerate, \"15\", --codec, mjpeg, --output, \"-\"]"
    )
  }
}
