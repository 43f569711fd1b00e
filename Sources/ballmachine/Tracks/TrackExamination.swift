import CourtLogic
import Host
import JSON
import Options
import Positions
import Programs
import Reports
import RunLog

/// What a recorded file of positions looks like, and what makes it run.
struct TrackExamination {
  /// A longer file is not looked at.
  static let longest = 64 << 20

  let record: TrackRecord
  let lines: [String]

  /// - Parameters:
  ///   - path: as a person types it.
  ///   - read: reads the file with options in place of the given ones.
  init(
    path: String,
    _ given: Track,
    as options: TrackOptions,
    read: (TrackOptions) throws -> Track
  ) rethrows {
    let fit = given.guess?.fit ?? .good
    let suggestions = (given.guess?.others ?? []).map {
      var options = options
      options.frame = FrameOptions($0)
      return options
    }
    // Positions that can't be right are shown as the likeliest options place them.
    let shown = fit == .impossible ? suggestions.first ?? options : options
    let track = fit == .impossible && !suggestions.isEmpty ? try read(shown) : given
    let positions = track.positions
    let seconds = (positions.last?.offset ?? .zero) / .seconds(1)
    record = TrackRecord(
      file: path,
      positions: positions.count,
      badLines: track.badLines.count,
      seconds: seconds,
      rate: seconds > 0 ? Double(positions.count - 1) / seconds : nil,
      people: track.people.map {
        TrackRecord.Person(id: $0.id, positions: $0.positions, used: $0.followed)
      },
      fit: fit.word,
      suggestions: suggestions.map(\.text),
      hints: given.warnings,
      shownWith: shown.text,
      places: TrackRecord.Places(positions),
      speeds: TrackRecord.Speeds(positions),
      gaps: TrackRecord.Gap.all(in: positions),
      commandLine: ["ballmachine replay --dry-run", shown.text, path.inShell]
        .filter { !$0.isEmpty }.joined(separator: " ")
    )
    lines =
      record.lines
      + [
        "",
        shown.text.isEmpty
          ? "Where the positions are:" : "Where the positions are, with \(shown.text):",
      ]
      + CourtDrawing.text(court: Court(), positions: positions.map(\.position))
      + ["", "Try it: \(record.commandLine)"]
  }
}

extension TrackRecord {
  fileprivate var lines: [String] {
    var rows = [
      (
        "positions",
        "\(positions) in \(seconds.fixed(1)) s"
          + (rate.map { ", \($0.fixed(1)) a second" } ?? "")
          + (badLines > 0 ? ", and \(counted(badLines, "bad line"))" : "")
      )
    ]
    if people.count > 1 {
      let names = people.prefix(8).map {
        "\($0.id.map(\.excerpt) ?? "without an id") (\($0.used) of \($0.positions) used)"
      }
      rows.append(("people", names.joined(separator: ", ") + (people.count > 8 ? ", …" : "")))
    }
    if let places {
      let shares = [
        ("on the court", places.inside), ("behind it", places.behind), ("beside it", places.beside),
        ("on the machine's side", places.otherSide),
      ]
      rows.append(
        (
          "places",
          shares.map { "\(Int(($0.1 * 100).rounded())) % \($0.0)" }.joined(separator: ", ")
        )
      )
    }
    if let speeds {
      rows.append(
        (
          "speeds",
          "\(speeds.median.fixed(1)) m/s half of the time, \(speeds.most.fixed(1)) m/s at most"
        )
      )
    }
    let longest = gaps.max { $0.seconds < $1.seconds }
    rows.append(
      (
        "gaps",
        longest.map {
          "\(counted(gaps.count, "time")) of more than a second, the longest \($0.seconds.fixed(1)) s,"
            + " from \($0.at.fixed(1)) s on"
        } ?? "none of more than a second"
      )
    )
    rows += hints.map { ("warning", $0) }
    return rows.map { padded($0.0, to: 9) + "  " + $0.1 }
  }
}

extension TrackRecord.Places {
  fileprivate init?(_ positions: [TimedPosition]) {
    guard !positions.isEmpty else { return nil }
    var (court, behind, beside, other) = (0, 0, 0, 0)
    for position in positions.lazy.map(\.position) {
      if position.y < 0 {
        other += 1
      } else if position.y > Court.length {
        behind += 1
      } else if position.x < 0 || position.x > Court.width {
        beside += 1
      } else {
        court += 1
      }
    }
    func share(_ count: Int) -> Double { Double(count) / Double(positions.count) }
    self.init(
      inside: share(court),
      behind: share(behind),
      beside: share(beside),
      otherSide: share(other)
    )
  }
}

extension TrackRecord.Speeds {
  private static let step = Duration.milliseconds(500)

  fileprivate init?(_ positions: [TimedPosition]) {
    guard var last = positions.first else { return nil }
    var speeds: [Double] = []
    for next in positions where next.offset - last.offset >= Self.step {
      let time = next.offset - last.offset
      // The path across a gap is unknown.
      if time <= LogicManager.window {
        speeds.append(last.position.distance(to: next.position) / (time / .seconds(1)))
      }
      last = next
    }
    guard let most = speeds.max() else { return nil }
    self.init(median: speeds.sorted()[speeds.count / 2], most: most)
  }
}

extension TrackRecord.Gap {
  fileprivate static func all(in positions: [TimedPosition]) -> [Self] {
    zip(positions, positions.dropFirst()).compactMap { last, next in
      let gap = next.offset - last.offset
      guard gap > LogicManager.window else { return nil }
      return Self(at: last.offset / .seconds(1), seconds: gap / .seconds(1))
    }
  }
}

extension FrameGuess.Fit {
  fileprivate var word: String {
    switch self {
    case .good: "good"
    case .doubtful: "doubtful"
    case .impossible: "impossible"
    }
  }
}
