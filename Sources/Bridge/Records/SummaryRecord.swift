import Clocks
import CourtLogic
import JSON
import MachineLink

/// A run's summary, as its last record.
package struct SummaryRecord: Sendable {
  package var summary: BridgeSummary
  /// What the mock machine received, in order, if the run had one.
  package var machineReceived: [String]?

  package init(_ summary: BridgeSummary, machineReceived: [String]? = nil) {
    self.summary = summary
    self.machineReceived = machineReceived
  }
}

extension SummaryRecord: Encodable {
  private enum Key: CodingKey {
    case event, seconds, mode, stop, machineReceived
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode("summary", forKey: .event)
    try object.encode(summary.duration.seconds.rounded(places: 3), forKey: .seconds)
    try object.encodeIfPresent(summary.mode, forKey: .mode)
    try CountFields(summary).encode(to: encoder)
    try object.encodeIfPresent(summary.stop?.word, forKey: .stop)
    try object.encodeIfPresent(machineReceived, forKey: .machineReceived)
  }
}

/// What a run counts, as part of a record's object.
struct CountFields: Encodable {
  private enum Key: CodingKey {
    case positions, badLines, otherPositions, droppedPositions
    case dispatches, zones, outOfCourt, outcomes, latency
  }

  private let summary: BridgeSummary

  init(_ summary: BridgeSummary) {
    self.summary = summary
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
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
    let latencies = summary.latency.told.map {
      ($0.name, $0.latency.seconds.rounded(places: 6))
    }
    try object.encode(Dictionary(uniqueKeysWithValues: latencies), forKey: .latency)
  }
}

extension BridgeSummary {
  /// Whether balls were real; nil when BlueZ's objects were never read.
  package var mode: String? { isSimulated.map { $0 ? "SIM" : "REAL" } }
}

extension LatencyHistogram {
  /// Some percentiles and the longest, in their order, with their names; none when nothing was
  /// counted.
  package var told: [(name: String, latency: Duration)] {
    guard count > 0 else { return [] }
    let parts = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99)]
    return parts.map { ($0.0, percentile($0.1) ?? .zero) } + [("max", maximum)]
  }
}
