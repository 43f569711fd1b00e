import Camera
import Host
import Programs

/// `ballmachine camera hand-over`: reads the configured address or command for the camera's service.
struct HandOver: Subcommand {
  /// What a unit may read.
  enum Part: String, CaseIterable, Sendable {
    case address, command
  }

  var camera = CameraOptions()
  var part: Part?

  static let usage = Usage<Self>(
    name: "hand-over",
    summary: "Read an address or a command for the camera's service",
    options: CameraOptions.options.within(\.camera),
    arguments: [.optional(.choice("address|command"), \.part)],
    details: """
      The camera's service has no network and starts no programs. What the configuration names as \
      an address, ballmachine-camera-network.service reads, and what it names as a command, \
      ballmachine-camera-module.service: both run this. It hands the frames over to the camera's \
      service, which runs with --handed-over, and opens the camera only while that wants them: \
      while a phone is the camera, it rests. Frames that the service does not take at once are \
      dropped. With address or command it ends with 78 if the configuration names no such thing. \
      By hand, `ballmachine camera run' does without it.
      """
  )

  func run(_ output: Output) async throws {
    let settings = try camera.settings()
    guard let supplier = settings.supplier, part.map({ $0.kind == supplier.kind }) ?? true else {
      let wanted = part.map { "no \($0)" } ?? "neither an address nor a command"
      throw Failure(.configuration, "the configuration names \(wanted): nothing is handed over")
    }
    let clock = SystemClock()
    let journal = JournalLog(least: .information) { Output.complain("ballmachine camera: \($0)") }
    let notifier = ServiceNotifier()
    let handover = FrameHandover(
      to: ProgramPlaces.camera.frames,
      as: supplier,
      clock: clock,
      open: { () throws(CameraProblem) in try settings.capture(clock: clock) },
      report: { text in
        notifier.status(text)
        journal.write(text, .information)
      }
    )
    let signals = try endSignals()
    notifier.ready()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await _ in signals { await handover.end() }
      }
      await handover.run()
      group.cancelAll()
    }
    notifier.stopping()
    await journal.flush()
  }
}

extension HandOver.Part {
  fileprivate var kind: FrameSupplier.Kind {
    switch self {
    case .address: .network
    case .command: .module
    }
  }
}
