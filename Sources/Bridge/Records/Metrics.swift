import Clocks
import ControlProtocol
import CourtLogic
import JSON
import MachineLink
import Safety

/// The service's figures for Prometheus and programs that read the same text.
///
/// Source: Prometheus, "Exposition formats", text format 0.0.4.
package struct Metrics: Sendable {
  private let snapshot: BridgeSnapshot
  private let version: String

  package init(_ snapshot: BridgeSnapshot, version: String) {
    self.snapshot = snapshot
    self.version = version
  }

  /// Upper bounds of the latency's buckets, in milliseconds: what a link takes, up to its 5 s.
  private static let latencies = [10, 25, 50, 75, 100, 150, 250, 500, 1_000, 2_500, 5_000]

  package var text: String {
    let summary = snapshot.summary
    let counts = summary.counts
    let status = snapshot.link
    let safety = SafetyRecord(snapshot.safety, at: snapshot.time)
    var page = Page()
    page.add(
      .gauge,
      "info",
      "The program's version, and whether balls are real.",
      [
        (
          [("version", version), ("mode", status.mode ?? "")],
          1
        )
      ]
    )
    page.add(.gauge, "uptime_seconds", "Since the service began.", summary.duration.seconds)
    page.add(
      .gauge,
      "link_state",
      "1 for the state that the link to the machine is in.",
      LinkStatus.Phase.allCases.map { ([("state", $0.rawValue)], $0 == status.phase ? 1 : 0) }
    )
    page.add(.gauge, "link_failures", "Attempts that failed in a row.", Double(status.failures))
    page.add(
      .gauge,
      "link_refused",
      "Commands in a row that the machine refused or did not answer.",
      Double(status.refusals?.count ?? 0)
    )
    page.add(
      .gauge,
      "safety_state",
      "1 for the state that safety is in: balls fly in live alone.",
      SafetyRecord.states.map { ([("state", $0)], $0 == safety.state ? 1 : 0) }
    )
    page.add(
      .gauge,
      "stop_outcome",
      "1 for what became of the stop command, while safety is stopped.",
      SafetyRecord.Stop.outcomes.map {
        ([("outcome", $0)], $0 == safety.stop?.outcome ? 1 : 0)
      }
    )
    page.add(
      .gauge,
      "safety_holds",
      "What keeps balls back although it is armed, or may still come while it is not.",
      Double(safety.holds.count)
    )
    page.add(
      .counter,
      "positions_total",
      "Positions and lines, by what became of them.",
      [
        ([("result", "used")], Double(counts.positions)),
        ([("result", "bad")], Double(counts.badLines)),
        ([("result", "otherSource")], Double(counts.otherPositions)),
        ([("result", "dropped")], Double(counts.droppedPositions)),
      ]
    )
    page.add(
      .counter,
      "feeders_refused_total",
      "New feeders that were refused, because too many were connected.",
      Double(counts.refusedFeeders ?? 0)
    )
    page.add(
      .counter,
      "dispatches_total",
      "Commands that were decided, by the zone that they are for.",
      Zone.allCases.map { ([("zone", "\($0)")], Double(counts.byZone["\($0)"] ?? 0)) }
        + [([("zone", "outOfCourt")], Double(counts.outOfCourt))]
    )
    page.add(
      .counter,
      "outcomes_total",
      "What became of the commands that were decided.",
      counts.outcomes.samples
    )
    page.add(
      .counter,
      "manual_outcomes_total",
      "What became of the commands by hand.",
      counts.manualOutcomes.samples
    )
    page.add(
      .counter,
      "answers_total",
      "What a framed machine itself answered to commands.",
      (counts.answers ?? CountsRecord.Answers()).samples
    )
    page.addHistogram(
      "latency_seconds",
      "From a decision to its outcome, of commands that reached the machine.",
      summary.latency,
      bounds: Self.latencies.map { .milliseconds($0) }
    )
    return page.text
  }
}

/// A page of metrics, as it grows.
private struct Page {
  enum Kind: String {
    case gauge, counter, histogram
  }

  typealias Sample = (labels: [(String, String)], value: Double)

  private(set) var text = ""

  mutating func add(_ kind: Kind, _ name: String, _ help: String, _ value: Double) {
    add(kind, name, help, [([], value)])
  }

  mutating func add(_ kind: Kind, _ name: String, _ help: String, _ samples: [Sample]) {
    head(kind, name, help)
    for sample in samples { line(name, sample) }
  }

  mutating func addHistogram(
    _ name: String,
    _ help: String,
    _ histogram: LatencyHistogram,
    bounds: [Duration]
  ) {
    head(.histogram, name, help)
    for bound in bounds {
      let count = Double(histogram.count(upTo: bound))
      line(name + "_bucket", ([("le", bound.seconds.plain)], count))
    }
    line(name + "_bucket", ([("le", "+Inf")], Double(histogram.count)))
    line(name + "_sum", ([], histogram.total.seconds.rounded(places: 6)))
    line(name + "_count", ([], Double(histogram.count)))
  }

  private mutating func head(_ kind: Kind, _ name: String, _ help: String) {
    text += "# HELP ballmachine_\(name) \(help)\n# TYPE ballmachine_\(name) \(kind.rawValue)\n"
  }

  private mutating func line(_ name: String, _ sample: Sample) {
    let labels = sample.labels.map { "\($0.0)=\"\($0.1)\"" }.joined(separator: ",")
    let braces = labels.isEmpty ? "" : "{\(labels)}"
    text += "ballmachine_\(name)\(braces) \(sample.value.plain)\n"
  }
}

extension CountsRecord.Answers {
  fileprivate var samples: [Page.Sample] {
    [("none", none), ("accepted", accepted), ("completed", completed), ("refused", refused)]
      .map { ([("answer", $0.0)], Double($0.1)) }
  }
}

extension CountsRecord.Outcomes {
  fileprivate var samples: [Page.Sample] {
    [("delivered", delivered), ("queued", queued), ("notSent", notSent), ("unknown", unknown)]
      .map { ([("outcome", $0.0)], Double($0.1)) }
  }
}
