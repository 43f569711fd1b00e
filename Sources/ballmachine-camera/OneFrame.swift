import Camera
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
  private var waiting: CheckedContinuation<[UInt8], any Error>?

  init(_ settings: CameraSettings, clock: SystemClock) {
    self.settings = settings
    self.clock = clock
  }

  func still() async throws -> [UInt8] {
    let source = try settings.capture(clock: clock)
    try source.start()
    self.source = source
    let watch = executor.watch(source.descriptor.number) { [weak self] in
      self?.assumeIsolated { $0.capture() }
    }
    defer {
      // The watch first: the device may stay readable.
      withExtendedLifetime(watch) {}
      self.source = nil
    }
    return try await withCheckedThrowingContinuation { continuation in
      waiting = continuation
      executor.perform(after: Self.timeout) { [weak self, path = source.path] in
        self?.assumeIsolated { $0.finish(.failure(CameraProblem.silent(path))) }
      }
    }
  }

  private func capture() {
    do throws(CameraProblem) {
      guard let frame = try source?.takeNewest() else { return }
      seen += 1
      guard seen >= Self.warmUp else { return }
      do throws(PictureProblem) {
        finish(.success(try FrameDecoder().still(frame)))
      } catch {
        // The next one may be good.
      }
    } catch {
      finish(.failure(error))
    }
  }

  private func finish(_ result: Result<[UInt8], any Error>) {
    waiting?.resume(with: result)
    waiting = nil
  }
}
