import Configuration
import Host
import Options
import Programs
import RunLog

/// `ballmachine check-track`: what a recorded file of positions looks like, and what makes it run.
struct CheckTrack: Subcommand {
  var path = ""
  var track = TrackOptions()
  var calibration: String?
  var configuration = ConfigurationOptions()

  static let usage = Usage<Self>(
    name: "check-track",
    summary: "Check a recorded track, and draw it on the court",
    options: TrackOptions.options.within(\.track) + [
      .value(
        "calibration",
        .text("FILE"),
        \.calibration,
        "For points of a picture: the calibration of its camera (default: court.calibration)"
      )
    ] + ConfigurationOptions.options.within(\.configuration),
    arguments: [.required(.text("FILE"), \.path)],
    details: """
      FILE is a tracker's output as `replay' takes it, or a session log; - is standard input. It shows how \
      many positions there are, of whom, how fast they move, the times without any, and where on the \
      court they lie. Where they can't be metres of the player's half, or may not be, it names the \
      options that put them where players are.

      It ends with 65 if no line can be used, or if the positions can't be metres of this court.

      Example: ballmachine check-track --time frames@30 tracks.csv
      """
  )

  func run(_ output: Output) async throws {
    let name = TrackFile.name(of: path)
    let bytes = try read(name)
    let configuration = try configuration.effective { [calibration] in
      $0.court.calibration = calibration ?? $0.court.calibration
    }
    func examined(_ options: TrackOptions) throws -> Track {
      try TrackFile.examine(
        bytes,
        named: name,
        complaining: nil,
        as: options,
        with: configuration.calibration
      )
    }
    let given = try TrackFile.examine(
      bytes,
      named: name,
      complaining: "ballmachine check-track",
      as: track,
      with: configuration.calibration
    )
    let examination = try TrackExamination(path: path, given, as: track, read: examined)
    try await output.write(
      RecordReport("track", examination.record, lines: examination.lines)
    )
    guard examination.record.fit != "impossible" else {
      throw Failure(.badData, "\(name): the positions can't be metres of this court")
    }
  }

  private func read(_ name: String) throws -> [UInt8] {
    let longest = TrackExamination.longest
    let bytes: [UInt8]?
    do throws(SystemError) { bytes = try InputFile.bytes(name, .named, longest: longest) } catch {
      throw Failure(ExitCode(for: TrackError.unreadable(error)), error.description)
    }
    guard let bytes else {
      throw Failure(.badData, "\(name): longer than \(longest >> 20) MB: cut it")
    }
    return bytes
  }
}
