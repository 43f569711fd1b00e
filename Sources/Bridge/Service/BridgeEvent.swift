package import Clocks
package import ControlProtocol
package import CourtLogic
package import MachineLink
package import Positions
package import Safety
package import Training

/// One thing that happened in the bridge.
package enum BridgeEvent: Hashable, Sendable {
  /// The link has changed.
  case link(LinkStatus)
  /// The state of safety, or what holds balls back, has changed; or a person has disarmed or paused what was so
  /// already.
  case safety(SafetyStatus)
  /// What is trained, or how far it is, has changed.
  case training(TrainingStatus)
  /// A command was decided and has an outcome.
  case dispatched(Dispatch)
  /// A decision was held back: one event for all decisions that the same holds keep back.
  case held(HeldDecision)
  /// A command by hand has an outcome.
  case manual(ManualDispatch)
  /// The machine's answer to a command, after its outcome.
  case answered(CommandAnswer)
  /// A stop command has an outcome.
  case stopped(StopOutcome)
  /// A feeder came or went, or the positions ended. The player's positions come only from
  /// ``BridgeService/followPlayer()``: most readers don't want 30 a second.
  case positions(PositionEvent)
  /// Lines of positions that can't be used.
  case refusedLines(RefusedLines)
  /// The first position behind the baseline while that is out of court. Once a run.
  case behindBaseline(connection: String)
  /// So many events are missing here: the reader was too slow. Each kind has room of its own, and
  /// the newest of safety and of the link are never missing.
  case dropped(Int)
}

extension BridgeEvent {
  package var kind: EventKind {
    switch self {
    case .safety: .safety
    case .training: .training
    case .dispatched, .held, .manual, .answered, .stopped: .balls
    case .link: .link
    case .positions, .refusedLines, .behindBaseline, .dropped: .feed
    }
  }

  /// How many events it stands for.
  package var count: Int { if case .dropped(let count) = self { count } else { 1 } }
}

/// One decision and what became of it.
package struct Dispatch: Hashable, Sendable {
  /// Counts from 1.
  package var number: Int
  package var decision: Decision
  /// How long the machine turns for it, where that is longer than the interval.
  package var slew: Duration?
  /// Nil while the command is on its way.
  package var outcome: WriteOutcome?
  /// From the decision to the outcome.
  package var latency: Duration?
  /// The machine's own; nil before it comes, or if the machine has none.
  package var answer: MachineAnswer?
}

/// The machine's answer to a command.
package struct CommandAnswer: Hashable, Sendable {
  /// Of the dispatch, or of the command by hand.
  package var number: Int
  package var isByHand: Bool
  package var answer: MachineAnswer
  package var time: MonotonicInstant
  /// From the decision or the request to the answer.
  package var latency: Duration
}

/// A decision that sent no ball, and why.
package struct HeldDecision: Hashable, Sendable {
  package var decision: Decision
  /// At least one.
  package var holds: [SafetyHold]
}

/// One command by hand and what became of it.
package struct ManualDispatch: Hashable, Sendable {
  /// Counts from 1.
  package var number: Int
  package var command: MachineCommand
  package var requestedAt: MonotonicInstant
  package var outcome: WriteOutcome
  /// From the request to the outcome.
  package var latency: Duration
  /// The machine's own; nil before it comes, or if the machine has none.
  package var answer: MachineAnswer?
}

/// What became of a request to send a command by hand.
package enum ManualReply: Hashable, Sendable {
  case sent(ManualDispatch)
  /// The command was the stop command.
  case stopped(StopOutcome)
  case refused(SafetyRefusal)
}

/// The bridge at one moment.
package struct BridgeSnapshot: Sendable {
  package var time: MonotonicInstant
  package var link: LinkStatus
  package var safety: SafetyStatus
  package var training = TrainingStatus(
    plan: .follow(nil),
    interval: LogicManager.standardInterval
  )
  /// The court that decisions use.
  package var court = Court()
  /// From one decision to the next.
  package var interval = LogicManager.standardInterval
  /// The average of the last second, and its number of positions; nil when the player is not seen.
  package var player: (position: PlayerPosition, sampleCount: Int, zone: Zone?)?
  /// When the next decision is due; nil when none is.
  package var nextDecision: MonotonicInstant?
  package var lastPosition: MonotonicInstant?
  package var lastDispatch: Dispatch?
  /// The last line of positions that can't be used.
  package var lastRefused: RefusedLines?
  /// The last command by hand that has an outcome.
  package var lastManual: ManualDispatch?
  package var summary: BridgeSummary
}

extension CountsRecord.Outcomes {
  mutating func count(_ outcome: WriteOutcome) {
    switch outcome {
    case .delivered: delivered += 1
    case .queued: queued += 1
    case .notSent: notSent += 1
    case .unknown: unknown += 1
    }
  }
}

/// The counts and outcomes of a run of the bridge.
package struct BridgeSummary: Hashable, Sendable {
  package var duration = Duration.zero
  /// Positions that could be used.
  package var positions = 0
  /// Lines that could not be used.
  package var badLines = 0
  /// Positions of sources other than the player.
  package var otherPositions = 0
  /// Positions and bad lines that came faster than they could be taken.
  package var droppedPositions = 0
  /// New feeders that were refused, because too many were connected.
  package var refusedFeeders = 0
  package var dispatches = 0
  /// Decisions that a hold kept back.
  package var held = 0
  /// Commands by hand.
  package var manual = 0
  /// Commands by the zone that they are for; those for a player out of court are apart.
  package var byZone: [Zone: Int] = [:]
  package var outOfCourt = 0
  /// Of the dispatches.
  package var outcomes = CountsRecord.Outcomes()
  /// Of the commands by hand.
  package var byHand = CountsRecord.Outcomes()
  /// To both; none for a machine that has no answers.
  package var answers: [MachineAnswer: Int] = [:]
  package var latency = LatencyHistogram()
  /// The last stop command; nil when there was nothing to stop.
  package var stop: StopOutcome?
  package var isSimulated: Bool?
  /// Whether it was ended before it was through.
  package var wasInterrupted = false
  /// Whether it ended because the positions did.
  package var positionsEnded = false
  /// Whether the machine was ever ready.
  package var wasReady = false
  /// The link's last status, which says what kept it from being ready.
  package var link: LinkStatus?

  package init() {}

  /// Whether the machine was to be stopped, and has not acknowledged it.
  package var isStopUnconfirmed: Bool { stop.map { $0 != .confirmed } ?? false }

  mutating func count(_ feed: PositionFeedStatistics) {
    droppedPositions = feed.dropped
    refusedFeeders = feed.refusedClients
  }

  mutating func count(_ decision: Decision) {
    dispatches += 1
    if let zone = decision.destination {
      byZone[zone, default: 0] += 1
    } else {
      outOfCourt += 1
    }
  }

  mutating func count(_ outcome: WriteOutcome, after time: Duration) {
    outcomes.count(outcome)
    // Count only what reached the machine's radio or BlueZ.
    if outcome == .delivered || outcome == .queued { latency.record(time) }
  }
}
