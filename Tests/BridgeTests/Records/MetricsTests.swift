import Clocks
import ControlProtocol
import CourtLogic
import MachineLink
import Testing

@testable import Bridge
@testable import Safety

struct MetricsTests {
  @Test func theFiguresAreThoseOfTheSummary() throws {
    var summary = BridgeSummary()
    summary.duration = .milliseconds(12_500)
    summary.counts.positions = 30
    summary.counts.badLines = 2
    summary.counts.refusedFeeders = 5
    summary.counts.outcomes.delivered = 2
    summary.counts.byZone = ["3-2": 1]
    summary.counts.outOfCourt = 1
    summary.latency.record(.milliseconds(48))
    summary.latency.record(.milliseconds(300))
    var link = LinkStatus(since: .start)
    link.phase = .ready
    link.isSimulated = false
    link.refusals = Refusals(.unknown(.timedOut))
    let text = Metrics(
      BridgeSnapshot(
        time: .start,
        link: link,
        safety: SafetyStatus(state: .live, since: .start),
        player: nil,
        nextDecision: nil,
        lastDispatch: nil,
        summary: summary
      ),
      version: "1.2.3"
    ).text
    for line in [
      "# TYPE ballmachine_info gauge", #"ballmachine_info{version="1.2.3",mode="REAL"} 1"#,
      "ballmachine_uptime_seconds 12.5", #"ballmachine_link_state{state="ready"} 1"#,
      #"ballmachine_link_state{state="connecting"} 0"#, "ballmachine_link_refused 1",
      #"ballmachine_safety_state{state="live"} 1"#,
      #"ballmachine_safety_state{state="resting"} 0"#,
      #"ballmachine_safety_state{state="stopped"} 0"#,
      #"ballmachine_positions_total{result="used"} 30"#,
      #"ballmachine_positions_total{result="bad"} 2"#,
      "ballmachine_feeders_refused_total 5",
      #"ballmachine_dispatches_total{zone="3-2"} 1"#,
      #"ballmachine_dispatches_total{zone="0-0"} 0"#,
      #"ballmachine_dispatches_total{zone="outOfCourt"} 1"#,
      #"ballmachine_outcomes_total{outcome="delivered"} 2"#,
      #"ballmachine_latency_seconds_bucket{le="0.025"} 0"#,
      #"ballmachine_latency_seconds_bucket{le="0.05"} 1"#,
      #"ballmachine_latency_seconds_bucket{le="0.5"} 2"#,
      #"ballmachine_latency_seconds_bucket{le="+Inf"} 2"#, "ballmachine_latency_seconds_sum 0.348",
      "ballmachine_latency_seconds_count 2",
    ] { #expect(text.contains(line + "\n"), "\(line)") }
    // What the text's format asks for: every line a comment or a sample, the last one ended.
    #expect(text.hasSuffix("\n"))
    for line in text.split(separator: "\n") where !line.hasPrefix("# ") {
      #expect(line.wholeMatch(of: /ballmachine_[a-z_]+(\{.*\})? [0-9.e+-]+/) != nil, "\(line)")
    }
    #expect(!text.contains(/ballmachine_stop_outcome.* 1\n/))
  }

  @Test(arguments: [
    (StopOutcome?.none, "pending"), (.confirmed, "confirmed"), (.unconfirmed, "unconfirmed"),
    (.notDelivered(reason: "the machine is off"), "notDelivered"),
  ])
  func aStopSaysWhetherTheMachineHasIt(_ outcome: StopOutcome?, word: String) {
    let text = Metrics(
      BridgeSnapshot(
        time: .start,
        link: LinkStatus(since: .start),
        safety: SafetyStatus(state: .stopped(outcome), since: .start),
        player: nil,
        nextDecision: nil,
        lastDispatch: nil,
        summary: BridgeSummary()
      ),
      version: "1.2.3"
    ).text
    #expect(text.contains(#"ballmachine_safety_state{state="stopped"} 1"#))
    let samples = text.split(separator: "\n").filter { $0.hasPrefix("ballmachine_stop_outcome{") }
    #expect(samples.count == 5)
    #expect(
      samples.filter { $0.hasSuffix(" 1") } == [#"ballmachine_stop_outcome{outcome="\#(word)"} 1"#]
    )
  }
}
