import ControlProtocol
import Cues
import Host
import Testing

/// What is said of the service's events.
struct CueSequenceTests {
  private var sequence = CueSequence()

  private mutating func take(_ event: EventRecord.Event, at t: Double = 0) -> String {
    text(sequence.receive(EventRecord(event, t: t, time: WallTime())))
  }

  private mutating func safety(
    _ state: String,
    _ code: String? = nil,
    remaining: Double? = nil,
    stop: String? = nil,
    at t: Double = 0
  ) -> String {
    var record = SafetyRecord(state: state)
    record.code = code
    record.remaining = remaining
    record.stop = stop.map { SafetyRecord.Stop(outcome: $0, reason: nil) }
    return take(.safety(record), at: t)
  }

  private mutating func link(_ state: String) -> String {
    take(.link(LinkRecord(state: state)))
  }

  private mutating func stop(_ outcome: String, at t: Double = 0) -> String {
    take(.stop(StopRecord(outcome: outcome, reason: "")), at: t)
  }

  private mutating func byHand(_ outcome: String = "delivered") -> String {
    let outcome = OutcomeRecord(outcome: outcome, reason: nil)
    return take(.manual(ManualRecord(number: 1, command: "A", outcome: outcome, latency: 0.1)))
  }

  private mutating func ball(_ ball: Int?, of balls: Int, set: Int = 1) -> String {
    var record = TrainingRecord(aim: "sides", interval: 3)
    (record.set, record.sets, record.ball, record.ballsPerSet) = (set, 2, ball, balls)
    return take(.training(record))
  }

  private func text(_ cue: Cue?) -> String {
    cue.map { "\($0.name)" + ($0.seconds.map { " \($0)" } ?? "") } ?? "-"
  }

  @Test mutating func aDrillIsHeardFromItsCountdownToItsEnd() {
    #expect(safety("disarmed", "atStart") == "-" && link("ready") == "-")
    #expect(safety("countdown", "arming", remaining: 2.9) == "countdown 3")
    #expect(safety("countdown", "arming", remaining: 1.2, at: 1.7) == "-")
    #expect(safety("live") == "live" && safety("live") == "-")
    #expect([0, 1, 2, 2, 3].map { ball($0, of: 3) } == ["-", "-", "lastBall", "-", "-"])
    // The last ball may still come: the machine is stopped once it has thrown it.
    #expect(safety("resting", remaining: 44.98, at: 10) == "-")
    #expect(stop("confirmed", at: 18.5) == "rest 37" && stop("confirmed", at: 19) == "-")
    #expect(safety("countdown", "rest", remaining: 3) == "nextSet 3" && safety("live") == "live")
    #expect([0, 2, 3].map { ball($0, of: 3, set: 2) } == ["-", "lastBall", "-"])
    #expect(safety("disarmed", "drillOver") == "-" && stop("confirmed") == "drillOver")
    // A set of one ball has no time for it, and without a drill no ball is the last.
    #expect(ball(0, of: 1) == "-" && ball(nil, of: 3) == "-")
  }

  @Test mutating func aCountdownThatBeginsAgainIsHeardAgain() {
    _ = safety("disarmed", "atStart")
    #expect(safety("countdown", "arming", remaining: 3, at: 19) == "countdown 3")
    // A player is seen.
    #expect(safety("countdown", "arming", remaining: 1.001, at: 21) == "-")
    // The service has stood still.
    #expect(safety("countdown", "arming", remaining: 2.999, at: 24) == "countdown 3")
    #expect(safety("countdown", "arming", remaining: 2.499, at: 24.5) == "-")
    #expect(safety("resting", remaining: 30, at: 60) == "-")
    #expect(stop("confirmed", at: 60) == "rest 30")
    #expect(safety("countdown", "rest", remaining: 3, at: 90) == "nextSet 3")
    #expect(safety("countdown", "rest", remaining: 3, at: 95) == "nextSet 3")
  }

  @Test mutating func aStopIsHeardWithItsHonestOutcome() {
    _ = safety("live")
    #expect(text(sequence.waitForStop()) == "-")
    #expect(safety("stopped", stop: "pending") == "stopping")
    // The machine is away, say. What comes later is heard still.
    #expect(text(sequence.waitForStop()) == "stopUnconfirmed")
    #expect(safety("stopped", stop: "pending") == "-")
    #expect(safety("stopped", stop: "unconfirmed") == "stopUnconfirmed")
    #expect(safety("stopped", stop: "confirmed") == "stopped")
    #expect(safety("stopped", stop: "confirmed") == "-" && text(sequence.waitForStop()) == "-")
    #expect(safety("stopped", stop: "notDelivered") == "stopNotDelivered")
    #expect(safety("stopped", stop: "unheardOf") == "stopUnconfirmed")
    #expect(safety("stopped") == "stopping")
    #expect(safety("disarmed", "reset") == "disarmed")
  }

  @Test mutating func nothingIsOverBeforeTheMachineHasStopped() {
    _ = safety("live")
    #expect(safety("disarmed", "ballLimit") == "-" && stop("pending") == "-")
    #expect(stop("unconfirmed") == "stopUnconfirmed" && stop("unconfirmed") == "-")
    #expect(stop("notDelivered") == "stopNotDelivered" && stop("confirmed") == "disarmed")
    // The machine is away: what comes next takes its place.
    _ = safety("live")
    #expect(safety("disarmed", "drillOver") == "-")
    #expect(safety("countdown", "arming", remaining: 3) == "countdown 3")
    #expect(stop("confirmed") == "-")
    _ = safety("live")
    #expect(safety("resting", remaining: 20) == "-" && safety("paused", "linkLoss") == "linkLost")
    #expect(stop("confirmed") == "-")
    _ = safety("live")
    #expect(safety("disarmed", "drillOver") == "-" && text(sequence.lose()) == "noService")
    #expect(stop("confirmed") == "-")
  }

  @Test mutating func aBallByHandIsHeardUnlessItsPauseWas() {
    _ = safety("disarmed", "atStart")
    #expect(byHand() == "ballByHand" && byHand("queued") == "ballByHand")
    #expect(byHand("unknown") == "ballByHand" && byHand("notSent") == "-")
    _ = safety("live")
    #expect(safety("paused", "manual") == "pausedByHand" && byHand() == "-")
  }

  @Test mutating func aPauseSaysWhy() {
    _ = safety("live")
    let codes = ["operator", "silence", "manual", "refused", "unheardOf"]
    #expect(
      codes.map { safety("paused", $0) }
        == ["paused", "noPlayer", "pausedByHand", "refused", "paused"]
    )
    #expect(safety("countdown", "silence", remaining: 3) == "countdown 3")
    #expect(safety("countdown", "resuming", remaining: 0) == "-")
    #expect(safety("pending") == "-" && safety("unheardOf") == "-")
  }

  @Test(arguments: [true, false])
  mutating func aLostLinkIsSaidOnce(linkFirst: Bool) {
    #expect(link("connecting") == "-" && link("ready") == "-")
    _ = safety("live")
    let said =
      linkFirst
      ? [link("backingOff"), safety("paused", "linkLoss")]
      : [safety("paused", "linkLoss"), link("backingOff")]
    #expect(said == ["linkLost", "-"] && link("connecting") == "-")
    // The countdown says that it is back.
    if linkFirst { #expect(link("ready") == "linkBack") }
    #expect(safety("countdown", "linkLoss", remaining: 3) == "countdown 3" && link("ready") == "-")
    #expect(link("shuttingDown") == "-" && link("ended") == "-")
  }

  @Test mutating func aServiceThatGoesIsHeardOnlyWhereBallsCouldFly() {
    #expect(text(sequence.lose()) == "-")
    _ = safety("disarmed", "atStart")
    _ = safety("live")
    #expect(text(sequence.lose()) == "noService" && text(sequence.lose()) == "-")
    // It is back, and people hear that it does nothing by itself.
    #expect(safety("disarmed", "atStart") == "disarmed")
    _ = safety("stopped", stop: "confirmed")
    #expect(text(sequence.lose()) == "-" && safety("stopped", stop: "pending") == "stopping")
    #expect(text(sequence.lose()) == "noService")
  }

  @Test func aNewerCueCutsOffTheRunningOneButNewsWait() {
    for name in Cue.Name.allCases {
      for running in Cue.Name.allCases {
        let isStop = "\(running)".hasPrefix("stop")
        let isNews = [.lastBall, .linkLost, .linkBack].contains(running)
        let waits =
          name == .linkLost ? isStop : [.lastBall, .linkBack].contains(name) ? !isNews : false
        #expect(Cue(name).cutsOff(Cue(running)) == !waits, "\(name) \(running)")
      }
    }
  }
}
