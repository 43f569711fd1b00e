package import Clocks
package import ControlProtocol
package import CourtLogic
package import MachineLink
import Positions
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
  /// All else, as other programs get it, and when it was; nil: when the event comes. The player's
  /// positions come only from ``BridgeService/followPlayer()``: most readers don't want 30 a
  /// second.
  case record(EventRecord.Event, at: MonotonicInstant?)
  /// So many events are missing here: the reader was too slow. Each kind has room of its own, and
  /// the newest of safety and of the link are never missing.
  case dropped(Int)
}

extension BridgeEvent {
  package var kind: EventKind {
    switch self {
    case .safety: .safety
    case .training: .training
    case .link: .link
    case .record(.feed, _), .record(.position, _), .dropped: .feed
    case .record: .balls
    }
  }

  /// How many events it stands for.
  package var count: Int { if case .dropped(let count) = self { count } else { 1 } }
}

/// What became of a request to send a command by hand.
package enum ManualReply: Hashable, Sendable {
  /// - Parameter at: when it was asked for.
  case sent(ManualRecord, at: MonotonicInstant)
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
  /// Whose positions that average is of; nil when the player is not seen.
  package var followed: SourceID?
  /// Since when the player's detector repeats itself, where that is worth telling.
  package var repeatsSince: MonotonicInstant?
  /// When the next decision is due; nil when none is.
  package var nextDecision: MonotonicInstant?
  package var lastDispatch: DispatchRecord?
  /// The last line of positions that can't be used.
  package var lastRefused: RefusedLines?
  /// The last command by hand that has an outcome.
  package var lastManual: TimedManualRecord?
  package var summary: BridgeSummary
}

/// The counts and outcomes of a run of the bridge.
package struct BridgeSummary: Hashable, Sendable {
  package var duration = Duration.zero
  /// Without the latencies, which ``latency`` has.
  package var counts = CountsRecord()
  /// Decisions that a hold kept back.
  package var held = 0
  /// Commands by hand.
  package var manual = 0
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
    counts.droppedPositions = feed.dropped
    counts.refusedFeeders = feed.refusedClients > 0 ? feed.refusedClients : nil
  }

  mutating func count(_ decision: Decision) {
    counts.dispatches += 1
    if let zone = decision.destination {
      counts.byZone["\(zone)", default: 0] += 1
    } else {
      counts.outOfCourt += 1
    }
  }

  mutating func count(_ outcome: WriteOutcome, after time: Duration) {
    counts.outcomes.add(outcome.word)
    // Count only what reached the machine's radio or BlueZ.
    if outcome == .delivered || outcome == .queued { latency.record(time) }
  }
}
