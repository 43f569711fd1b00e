import Camera
import Clocks
import Host

/// Opens a camera, and closes it after `body`: for the next one that needs it.
func withCapture(
  of path: String,
  _ request: CaptureRequest = CaptureRequest(),
  reads: Bool = true,
  _ body: (CaptureSession) async throws -> Void
) async throws {
  let session = try CaptureSession(path, request, reads: reads)
  let result: Result<Void, any Error>
  do {
    try await session.start()
    result = .success(try await body(session))
  } catch {
    result = .failure(error)
  }
  await session.close()
  try result.get()
}

/// A camera that is watched as the program watches it, and what came of it.
actor CaptureSession {
  struct Taken {
    var time: MonotonicInstant
    /// How old the frame was when it was taken.
    var age: Duration
    var sequence: UInt32
    /// The small picture, or what is wrong with it; nil if it wasn't looked at.
    var picture: Result<ColourPicture, PictureProblem>?

    /// The average of all colours.
    var brightness: Double? {
      guard let bytes = try? picture?.get().bytes else { return nil }
      return Double(bytes.reduce(0) { $0 + Int($1) }) / Double(bytes.count)
    }
  }

  private nonisolated let executor = LoopExecutor()
  private var open: CameraCapture?
  private let decoder = FrameDecoder()
  private let clock = SystemClock()
  /// Whether each frame's picture is read. In the emulated box that takes longer than a frame.
  private let reads: Bool
  private var watch: FileWatch?
  private var picture = ColourPicture(width: 0, height: 0)
  private var waiters:
    [(isDone: (isolated CaptureSession) -> Bool, CheckedContinuation<Void, Never>)] = []

  private(set) var taken: [Taken] = []
  private(set) var problem: CameraProblem?

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(
    _ path: String,
    _ request: CaptureRequest = CaptureRequest(),
    reads: Bool = true
  ) throws(CameraProblem) {
    self.reads = reads
    open = try CameraCapture(path, request, clock: SystemClock())
  }

  private var source: CameraCapture {
    guard let open else { preconditionFailure("the camera is closed") }
    return open
  }
  var layout: FrameLayout { source.layout }
  var counts: FrameCounts { source.counts }

  func start() throws(CameraProblem) {
    try source.start()
    watchAgain()
  }

  func watchAgain() {
    watch = executor.watch(source.descriptor.number) { [weak self] in
      self?.assumeIsolated { $0.take() }
    }
  }

  /// Stops looking, as a program that hangs.
  func stopWatching() { watch = nil }

  func close() {
    watch = nil
    open = nil
  }

  func take() {
    do throws(CameraProblem) {
      if let frame = try open?.takeNewest() { look(at: frame) }
    } catch {
      problem = error
      watch = nil
    }
    let done = waiters.filter { $0.isDone(self) }
    waiters.removeAll { $0.isDone(self) }
    for waiter in done { waiter.1.resume() }
  }

  private func look(at frame: borrowing Frame) {
    let age = frame.time.duration(to: clock.now)
    var read: Result<ColourPicture, PictureProblem>?
    do throws(PictureProblem) {
      if reads {
        try decoder.readSmall(frame, into: &picture)
        read = .success(picture)
      }
    } catch {
      read = .failure(error)
    }
    taken.append(Taken(time: frame.time, age: age, sequence: frame.sequence, picture: read))
  }

  /// Returns when so many more frames have been taken, or the camera has failed.
  @discardableResult
  func more(_ count: Int) async -> ArraySlice<Taken> {
    let before = taken.count
    await until { $0.taken.count >= before + count || $0.problem != nil }
    return taken[before...].prefix(count)
  }

  /// Returns when the counts are like that, or the camera has failed.
  func counts(reach goal: @escaping @Sendable (FrameCounts) -> Bool) async -> FrameCounts {
    await until { goal($0.counts) || $0.problem != nil }
    return counts
  }

  /// Returns when the camera has failed.
  func failure() async -> CameraProblem? {
    await until { $0.problem != nil }
    return problem
  }

  private func until(_ isDone: @escaping (isolated CaptureSession) -> Bool) async {
    guard !isDone(self) else { return }
    await withCheckedContinuation { waiters.append((isDone, $0)) }
  }
}
