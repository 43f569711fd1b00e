import Bridge
import Clocks
import ControlProtocol
import CourtLogic
import Host
import JSON
import Positions
import Programs
import Reports
import RunLog

extension Decision {
  /// The decision of a dry run; its time counts from the track's first position.
  var report: RecordReport<DecisionRecord> {
    let record = DecisionRecord(self)
    let text = (["\(time.seconds.fixed(3)) s"] + record.columns).joined(separator: "  ")
    return RecordReport("decision", record, text: text)
  }
}

/// The end of a dry run.
struct DryRunSummary: LinedReport {
  var event = "dryRun"
  /// The track's positions.
  var positions: Total
  /// The track's lines that could not be used.
  var badLines: Total
  /// The track's length.
  var seconds: Seconds
  /// Decisions of the dry run.
  var decisions: Total = 0
  /// The number of decisions for each zone, by its name in tables.
  var byZone: [String: Int] = [:]
  /// Decisions for a player out of court.
  var outOfCourt: Total = 0
  /// How many decisions the recorded run's holds kept back; nil if there were none.
  var held: Total?

  init(track: Track) {
    positions = track.positions.count
    badLines = track.badLines.count
    seconds = ((track.positions.last?.offset ?? .zero) / .seconds(1)).rounded(places: 6)
  }

  mutating func count(_ decision: Decision) {
    decisions += 1
    if let zone = decision.destination {
      byZone[zone.description, default: 0] += 1
    } else {
      outOfCourt += 1
    }
  }

  var lines: [String] {
    let places =
      byZone.sorted { $0.key < $1.key }.map { "zone \($0.key): \($0.value)" }
      + (outOfCourt > 0 ? ["out of court: \(outOfCourt)"] : [])
    let held = held.map { ", \($0) held back" } ?? ""
    let bad = badLines > 0 ? ", \(counted(badLines, "bad line"))" : ""
    return [
      "\(counted(decisions, "decision")) from \(counted(positions, "position"))"
        + " in \(seconds.fixed(3)) s\(held)\(bad)",
      places.joined(separator: ", "),
    ]
  }
}
