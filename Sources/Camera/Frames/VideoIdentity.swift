/// What a video device says of itself.
struct VideoIdentity: Hashable, Sendable {
  let name: String
  let driver: String
  /// Whether it captures pictures, from a sensor, into memory that is mapped.
  let captures: Bool
  /// Whether a program must set up a pipeline of devices before it gives pictures.
  let isOfPipeline: Bool

  /// - Parameters:
  ///   - captures: whether it says that it captures such pictures.
  ///   - isOfPipeline: whether it says that it is set up by the media controller.
  init(name: String, driver: String, captures: Bool, isOfPipeline: Bool) {
    self.name = name
    self.driver = driver
    self.captures = captures && driver != Self.raspberryPisProcessor
    self.isOfPipeline = isOfPipeline || Self.modules.contains(driver)
  }

  /// The driver whose nodes say that they capture, but only process pictures that a program gives
  /// them.
  private static let raspberryPisProcessor = "bcm2835-isp"

  /// The receivers of a Raspberry Pi's camera modules. Older ones don't say that they are of a pipeline,
  /// and list all formats of the kernel, YUYV, too.
  private static let modules = ["unicam", "bcm2835-unicam", "rp1-cfe"]

  /// Why this program has no pictures of a device that captures.
  func problem(at path: String) -> CameraProblem? {
    guard isOfPipeline else { return nil }
    return CameraProblem(.needsLibcamera, path, "\(name) is a camera module, which needs libcamera")
  }
}
