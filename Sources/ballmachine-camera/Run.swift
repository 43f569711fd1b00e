import Camera
import Clocks
import Host
import Programs

/// `ballmachine camera run`: the camera at work, as a service or by hand.
struct Run: Subcommand {
  var camera = CameraOptions()
  var file: String?
  var frames: RawFrames?
  var isFast = false
  var times: Int?
  var feed: String?
  var isHandedOver = false

  static let usage = Usage<Self>(
    name: "run",
    summary: "Find the player and feed the bridge",
    options: CameraOptions.options.within(\.camera) + [
      .value(
        "from-file",
        .text("FILE"),
        \.file,
        "Read frames from this film, stream or FIFO instead of a camera; - is standard input"
      ),
      .value(
        "frames",
        .rawFrames,
        \.frames,
        "The file has frames of this size in YUYV, or UYVY:, NV12: or YU12: and the size"
      ),
      .flag("fast", \.isFast, "Read the file as fast as it can be worked on"),
      .value("repeat", .integer("NUMBER", in: 1...1000), \.times, "Read the file so many times"),
      .value("feed", .text("SOCKET"), \.feed, "Send positions to this socket"),
      .flag(
        "handed-over",
        \.isHandedOver,
        "Open no address and start no command: `hand-over' does so, in a service of its own"
      ),
    ],
    details: """
      It reports whether it sees the player, or why it sends nothing, when that changes. With --json \
      it prints the positions instead of sending them: lines as the bridge takes them, the \
      picture's size and a digest of the calibration first.

      A camera that fails or is unplugged is opened again. A stream is MJPEG, multipart MJPEG or \
      Y4M. Standard input ends the program with its end; a FIFO waits for its next writer. A file \
      is read once or as often as --repeat says, at --rate frames a second, and ends the program. \
      With --fast no frame is passed over, times are those of --rate, and the program waits for a \
      slow reader; otherwise, such a reader misses positions. SIGINT and SIGTERM end it, too.
      """
  )

  func validate(isJSON: Bool) throws(UsageError) {
    guard frames == nil || file != nil else { throw UsageError("--frames goes with --from-file") }
    guard times == nil || file != nil else { throw UsageError("--repeat goes with --from-file") }
    guard !isHandedOver || file == nil else {
      throw UsageError("give only one of --handed-over and --from-file")
    }
    // A fast run has times that no bridge can use.
    guard !isFast || (file != nil && isJSON) else {
      throw UsageError("--fast goes with --from-file and --json")
    }
    guard times == nil || file != "-" else {
      throw UsageError("standard input can be read only once: leave out --repeat")
    }
  }

  func run(_ output: Output) async throws {
    var given = try camera.settings()
    given.feed = feed ?? given.feed
    let settings = given
    let clock = SystemClock()
    let journal = JournalLog(least: .information) { Output.complain("ballmachine camera: \($0)") }
    let notifier = ServiceNotifier()
    let frames = framesOption(settings)
    // A camera may come later; a file is there or is not.
    if let frames, !frames.isLive { try frames.check(clock) }
    let positions = output.style == .json ? printing(to: output, journal) : nil
    let court = CourtCamera(
      settings,
      clock: clock,
      open: { () throws(CameraProblem) in
        if let frames { return try frames.open(clock) }
        return try settings.capture(clock: clock)
      },
      delivery: positions?.delivery,
      report: { record in
        notifier.status(record.text)
        journal.write(record.text, record.state == .player ? .information : .notice)
      }
    )
    // A trial with a file leaves the service's socket alone.
    let answers = file == nil || ProgramPlaces.camera.given != nil
    let places = ProgramPlaces.camera
    let socket = answers ? try CameraSocket(path: places.socket, camera: court) : nil
    let pictures = answers ? try PictureSocket(path: places.picture, camera: court) : nil
    if answers {
      let kind = isHandedOver ? settings.supplier?.kind : nil
      try await court.listen(at: places.frames, configured: kind)
    }
    let signals = try endSignals()
    notifier.ready()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await socket?.run() }
      group.addTask { await pictures?.run() }
      group.addTask {
        for await _ in signals {
          OutputThread.shared.hurry()
          await court.end()
        }
      }
      if let positions {
        group.addTask {
          for await _ in positions.failures { await court.end() }
        }
      }
      await court.run()
      group.cancelAll()
    }
    notifier.stopping()
    await journal.flush()
    try await positions?.flush()
    if let failure = await court.failure { throw failure }
  }

  private func printing(to output: Output, _ journal: JournalLog) -> PositionOutput {
    PositionOutput(output) { [isFast] in
      guard !isFast else { return }
      journal.write("standard output: its reader is slow; it misses positions", .warning)
    }
  }

  private func framesOption(_ settings: CameraSettings) -> FramesOption? {
    file.map {
      FramesOption(path: $0, raw: frames, isFast: isFast, times: times, rate: settings.rate)
    }
  }
}

extension SightRecord {
  var text: String {
    switch state {
    case .player: "the player is seen" + (reason.map { "; \($0)" } ?? "")
    case .nothing: "no position: \(reason ?? "")"
    case .noCamera: "no camera: \(reason ?? "")"
    }
  }
}
