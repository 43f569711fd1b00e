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
  package static func read(_ path: String, complaining program: String) throws -> Track {
    let path = path == "-" ? "/dev/stdin" : path
    let track: Track
    do { track = try Track(path: path) } catch {
      throw Failure(ExitCode(for: error), error.text(in: path))
    }
    for bad in track.badLines.prefix(mostComplaints) {
      Output.complain("\(program): \(path):\(bad.line):1: \(bad.reason)")
    }
    let rest = track.badLines.count - mostComplaints
    if rest > 0 { Output.complain("\(program): \(path): \(counted(rest, "more bad line"))") }
    guard !track.positions.isEmpty else { throw Failure(.badData, "\(path): has no positions") }
    return track
  }
}
