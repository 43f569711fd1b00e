package import Bridge
import Clocks
import ControlProtocol
import CourtLogic
import Host
import JSON
import Programs

/// The last report of a run.
package struct BridgeSummaryReport: LinedReport {
  var summary: BridgeSummary
  /// What the mock machine received, in order; nil without a mock.
  var machineReceived: [String]?

  package init(summary: BridgeSummary, machineReceived: [String]? = nil) {
    self.summary = summary
    self.machineReceived = machineReceived
  }

  package var lines: [String] {
    let counts = record.counts
    var lines = [
      "\(counted(counts.dispatches, "dispatch", plural: "dispatches")) in "
        + "\(summary.duration.seconds.fixed(1)) s from \(counted(counts.positions, "position"))"
        + (summary.mode.map { " (\($0))" } ?? ""),
      "outcomes: \(counts.outcomes.text)",
    ]
    let byHand = counts.manualOutcomes
    if byHand.count > 0 { lines.append("by hand: \(byHand.text)") }
    if let answers = counts.answers { lines.append(answers.text) }
    let zones = Zone.allCases.compactMap { zone in
      counts.byZone["\(zone)"].map { "\(zone): \($0)" }
    }
    let places = zones + (counts.outOfCourt > 0 ? ["out of court: \(counts.outOfCourt)"] : [])
    if !places.isEmpty { lines.append("zones: " + places.joined(separator: ", ")) }
    if let latency = latencyText { lines.append("latency: \(latency)") }
    let refused = counts.badLines + counts.otherPositions + counts.droppedPositions
    if refused > 0 {
      lines.append(
        "not used: \(counted(counts.badLines, "bad line")), "
          + "\(counted(counts.otherPositions, "position")) of other sources, "
          + "\(counted(counts.droppedPositions, "event")) that came too fast"
      )
    }
    if let reason = record.stop?.reason { lines.append("stop: \(reason)") }
    if let machineReceived {
      let stops = machineReceived.count { (try? MachineCommand(text: $0))?.isStop == true }
      lines.append(
        "the mock machine received \(counted(machineReceived.count - stops, "ball command")) "
          + "and \(counted(stops, "stop command"))"
      )
    }
    return lines
  }

  private var latencyText: String? {
    let latency = record.counts.latencies
    let parts = [
      ("p50", latency.p50), ("p90", latency.p90), ("p99", latency.p99), ("max", latency.max),
    ].compactMap { name, seconds in seconds.map { "\(name) \($0.milliseconds)" } }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private var record: SummaryRecord { SummaryRecord(summary, machineReceived: machineReceived) }

  package func encode(to encoder: any Encoder) throws { try record.encode(to: encoder) }
}
