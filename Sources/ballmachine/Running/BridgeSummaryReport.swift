import Bridge
import CourtLogic
import MachineLink

/// The last word of a run.
struct BridgeSummaryReport: Report {
  var summary: BridgeSummary
  /// What the mock machine received, in order, where the run had one.
  var machineReceived: [String]?

  /// Latencies that the summary tells.
  private static let parts: [(name: String, part: Double)] = [
    ("p50", 0.5), ("p90", 0.9), ("p99", 0.99),
  ]

  var text: String {
    var lines = [
      "\(counted(summary.dispatches, "dispatch", plural: "dispatches")) in "
        + "\(summary.duration.seconds.fixed(1)) s from \(counted(summary.positions, "position"))"
        + (summary.isSimulated.map { $0 ? " (SIM)" : " (REAL)" } ?? ""),
      "outcomes: delivered \(summary.delivered), queued \(summary.queued), "
        + "not sent \(summary.notSent), unknown \(summary.unknown)",
    ]
    let zones = Zone.allCases.filter { summary.byZone[$0] != nil }.map {
      "\($0): \(summary.byZone[$0] ?? 0)"
    }
    let places = zones + (summary.outOfCourt > 0 ? ["out of court: \(summary.outOfCourt)"] : [])
    if !places.isEmpty { lines.append("zones: " + places.joined(separator: ", ")) }
    if !latencies.isEmpty {
      let parts = latencies.map { "\($0.name) \($0.latency.milliseconds)" }
      lines.append("latency: " + parts.joined(separator: ", "))
    }
    let refused = summary.badLines + summary.otherPositions + summary.droppedPositions
    if refused > 0 {
      lines.append(
        "not used: \(counted(summary.badLines, "bad line")), "
          + "\(counted(summary.otherPositions, "position")) of other sources, "
          + "\(counted(summary.droppedPositions, "event")) that came too fast"
      )
    }
    if let stop = summary.stop { lines.append("stop: \(stop.text)") }
    if let machineReceived {
      let stops = machineReceived.count { $0 == MachineCommand.stop.digits }
      lines.append(
        "the mock machine received \(counted(machineReceived.count - stops, "ball command")) "
          + "and \(counted(stops, "stop command"))"
      )
    }
    return lines.joined(separator: "\n")
  }

  private var latencies: [(name: String, latency: Duration)] {
    let histogram = summary.latency
    guard histogram.count > 0 else { return [] }
    return Self.parts.map { ($0.name, histogram.percentile($0.part) ?? .zero) }
      + [("max", histogram.maximum)]
  }
}

extension BridgeSummaryReport: Encodable {
  private enum Key: CodingKey {
    case event, seconds, mode, positions, badLines, otherPositions, droppedPositions
    case dispatches, zones, outOfCourt, outcomes, latency, stop, machineReceived
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode("summary", forKey: .event)
    try object.encode(summary.duration.seconds.rounded(places: 3), forKey: .seconds)
    try object.encodeIfPresent(summary.isSimulated.map { $0 ? "SIM" : "REAL" }, forKey: .mode)
    try object.encode(summary.positions, forKey: .positions)
    try object.encode(summary.badLines, forKey: .badLines)
    try object.encode(summary.otherPositions, forKey: .otherPositions)
    try object.encode(summary.droppedPositions, forKey: .droppedPositions)
    try object.encode(summary.dispatches, forKey: .dispatches)
    let zones = summary.byZone.map { ($0.key.description, $0.value) }
    try object.encode(Dictionary(uniqueKeysWithValues: zones), forKey: .zones)
    try object.encode(summary.outOfCourt, forKey: .outOfCourt)
    try object.encode(
      [
        "delivered": summary.delivered, "queued": summary.queued, "notSent": summary.notSent,
        "unknown": summary.unknown,
      ],
      forKey: .outcomes
    )
    let latencies = latencies.map { ($0.name, $0.latency.seconds.rounded(places: 6)) }
    try object.encode(Dictionary(uniqueKeysWithValues: latencies), forKey: .latency)
    try object.encodeIfPresent(summary.stop?.word, forKey: .stop)
    try object.encodeIfPresent(machineReceived, forKey: .machineReceived)
  }
}
