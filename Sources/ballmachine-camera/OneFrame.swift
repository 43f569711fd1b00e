import Camera
import Clocks
import Host

/// Opens a camera for one picture.
actor OneFrame {
  private nonisolated let executor = LoopExecutor.ofProgram()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// The first frames of most cameras are too dark.
  private static let warmUp = 15
  private static let timeout = Duration.seconds(10)

  private let settings: CameraSettings
  private let clock: SystemClock
  private var source: (any FrameSource)?
  private var seen = 0
  private var take: ((borrowing Frame) throws(PictureProblem) -> Void)?
  private var waiting: CheckedContinuation<Void, any Error>?

  init(_ settings: CameraSettings, clock: SystemClock) {
    self.settings = settings
    self.clock = clock
  }

  func still() async throws -> [UInt8] {
    var picture: [UInt8] = []
    _ = try await frame { (frame) throws(PictureProblem) in
      picture = try FrameDecoder().still(frame)
    }
    return picture
  }

  /// What its frames are, and what became of them until one could be used.
  func look() async throws -> (layout: FrameLayout?, counts: FrameCounts) {
    var layout: FrameLayout?
    let counts = try await frame { (frame) throws(PictureProblem) in
      _ = try FrameDecoder().still(frame)
      layout = frame.layout
    }
    return (layout, counts)
  }

  private func frame(
    _ take: @escaping (borrowing Frame) throws(PictureProblem) -> Void
  ) async throws -> FrameCounts {
    let source = try settings.capture(clock: clock)
    try source.start()
    self.source = source
    self.take = take
    let watch = executor.watch(source.descriptor.number) { [weak self] in
      self?.assumeIsolated { $0.capture() }
    }
    defer {
      // The watch first: the device may stay readable.
      withExtendedLifetime(watch) {}
      self.source = nil
      self.take = nil
    }
    try await withCheckedThrowingContinuation { continuation in
      waiting = continuation
      executor.perform(after: max(source.patience, Self.timeout)) { [weak self] in
        self?.assumeIsolated { $0.giveUp() }
      }
    }
    return source.counts
  }

  private func giveUp() {
    guard let source else { return }
    finish(.failure(source.trouble ?? CameraProblem.silent(source.path)))
  }

  private func capture() {
    do throws(CameraProblem) {
      guard let frame = try source?.takeNewest() else { return }
      seen += 1
      guard seen >= Self.warmUp else { return }
      do throws(PictureProblem) {
        try take?(frame)
        finish(.success(()))
      } catch {
        // The next one may be good.
      }
    } catch {
      finish(.failure(error))
    }
  }

  private func finish(_ result: Result<Void, any Error>) {
    waiting?.resume(with: result)
    waiting = nil
  }
}
