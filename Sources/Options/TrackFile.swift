package import CourtMapping
import Host
import Positions
import Programs
package import RunLog

/// Recorded tracks, as subcommands read them.
package enum TrackFile {
  /// How many bad lines are reported one by one.
  private static let mostComplaints = 10

  /// Reads a track that has at least one position; reports its bad lines on standard error.
  ///
  /// - Parameters:
  ///   - path: `-` is standard input.
  ///   - program: the prefix of these reports.
  ///   - options: what the file's lines mean.
  ///   - calibration: for picture points; nil: they are refused.
  package static func read(
    _ path: String,
    complaining program: String,
    as options: TrackOptions,
    with calibration: Calibration?
  ) throws -> Track {
    let name = name(of: path)
    let track = try read(named: name) { () throws(TrackError) in
      try Track(path: name, as: options.reading(calibration))
    }
    complain(of: track, named: name, program)
    for text in track.warnings { Output.complain("\(program): warning: \(name): \(text)") }
    guard track.guess?.isRefused != true else {
      throw Failure(
        .badData,
        "\(name): its positions can't be metres of this court: `ballmachine check-track` tells more"
      )
    }
    return track
  }

  /// - Parameter path: as a person types it: `-` is standard input.
  package static func name(of path: String) -> String { path == "-" ? "/dev/stdin" : path }

  /// The same for the bytes of a file, whatever they look like.
  ///
  /// - Parameter program: nil: reports nothing.
  package static func examine(
    _ bytes: [UInt8],
    named name: String,
    complaining program: String?,
    as options: TrackOptions,
    with calibration: Calibration?
  ) throws -> Track {
    let track = try read(named: name) { () throws(TrackError) in
      try Track(bytes: bytes, as: options.reading(calibration))
    }
    if let program { complain(of: track, named: name, program) }
    return track
  }

  private static func read(
    named name: String,
    _ read: () throws(TrackError) -> Track
  ) throws -> Track {
    let track: Track
    do throws(TrackError) { track = try read() } catch {
      throw Failure(ExitCode(for: error), error.text(in: name) + (error.remedy ?? ""))
    }
    guard !track.positions.isEmpty else { throw Failure(.badData, "\(name): has no positions") }
    return track
  }

  private static func complain(of track: Track, named path: String, _ program: String) {
    for bad in track.badLines.prefix(mostComplaints) {
      Output.complain("\(program): \(path):\(bad.line):1: \(bad.reason)")
    }
    let rest = track.badLines.count - mostComplaints
    if rest > 0 { Output.complain("\(program): \(path): \(counted(rest, "more bad line"))") }
  }
}

extension FrameGuess {
  /// A few lines, such as one position for a try, may be anything.
  fileprivate var isRefused: Bool { fit == .impossible && count >= 5 }
}

extension TrackOptions {
  fileprivate func reading(_ calibration: Calibration?) -> TrackReading {
    var reading = TrackReading()
    reading.calibration = calibration
    reading.frame = frame.frame()
    reading.time = time
    reading.player = player
    return reading
  }
}

extension Track {
  /// Warnings about the file, one sentence each, with the option that corrects it.
  package var warnings: [String] {
    var warnings = hints.map(\.forTracks)
    switch timeGuess {
    case .frames:
      warnings.append(
        "the times look like numbers of pictures: if they are, say how many a second, such as"
          + " --time frames@30"
      )
    case .milliseconds:
      warnings.append("the times look like milliseconds: if they are, say --time ms")
    case nil: break
    }
    if people.count > 1 {
      warnings.append(
        "positions of \(people.count) people, \(people.names): the first one seen is followed, and the"
          + " others are ignored; --player chooses one"
      )
    }
    return warnings
  }
}

extension FeedHint {
  /// The hint, with the options that correct it.
  fileprivate var forTracks: String { text(\.options) }
}

extension TrackError {
  /// The option that corrects it; nil where none does.
  fileprivate var remedy: String? {
    switch self {
    case .noPositions(let bad, let hints):
      switch bad.reason {
      case .frameNumbers: "; say it, such as --time frames@30"
      case .notATimestamp(let text) where text.utf8.allSatisfy({ (48...57).contains($0) }):
        "; --time ms if it counts milliseconds"
      default: hints.isEmpty ? nil : hints.map { "; " + $0.forTracks }.joined()
      }
    case .document(let advice) where advice.hasFrames:
      "; then say how many pictures there are a second, such as --time frames@30"
    default: nil
    }
  }
}
