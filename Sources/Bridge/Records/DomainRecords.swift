package import Clocks
import Configuration
package import ControlProtocol
package import CourtLogic
package import Host
import JSON
package import MachineLink
package import Positions
package import Safety
package import Training

// What happens in the bridge, as the records that other programs get. Nothing else makes them.

/// What the wall clock showed at an instant.
package typealias WallTimeReader = (MonotonicInstant) -> WallTime

extension EventRecord {
  /// - Parameters:
  ///   - now: when the event came, for an event without an instant of its own.
  ///   - wallTime: reads the wall clock.
  package init(_ event: BridgeEvent, at now: MonotonicInstant, wallTime: WallTimeReader) {
    var instant = now
    let record: Event
    switch event {
    case .link(let status):
      record = .link(LinkRecord(status, since: wallTime(status.since), at: now))
    case .safety(let status): record = .safety(SafetyRecord(status, at: now))
    case .training(let status): record = .training(TrainingRecord(status))
    case .record(let known, let time): (record, instant) = (known, time ?? now)
    case .dropped(let count): record = .dropped(count)
    }
    self.init(record, t: instant.seconds.rounded(places: 6), time: wallTime(instant))
  }

  package init(_ event: BridgeEvent, at now: MonotonicInstant, on clock: SystemClock) {
    self.init(event, at: now) { WallTime(of: $0, on: clock) }
  }
}

extension LinkRecord {
  /// - Parameters:
  ///   - since: when the phase began.
  ///   - now: the instant that ages count up to.
  package init(_ status: LinkStatus, since: WallTime?, at now: MonotonicInstant) {
    self.init(state: status.phase.rawValue)
    self.since = since
    mode = status.mode
    machine = status.machine.map { "\($0)" }
    name = status.machineName
    remembered = status.isChosenByMemory ? true : nil
    profile = status.profile
    characteristic = status.characteristic.map { "\($0)" }
    if !status.perhaps.isEmpty { perhaps = status.perhaps.map { Perhaps($0) } }
    adapter = status.adapter?.address.map { "\($0)" }
    adapterName = status.adapter?.name
    adapterState = status.adapter?.condition.rawValue
    passedOver =
      status.passedOver.isEmpty ? nil : status.passedOver.map { PassedOverAdapter($0) }
    rssi = status.signal.map { Int($0.rssi) }
    rssiAge = status.signal?.age(at: now).seconds.rounded(places: 6)
    attempt = status.attempt
    failures = status.failures > 0 ? status.failures : nil
    refused = status.refusals?.count
    notifications = Notifications(status)
    nextAttempt = status.nextAttempt?.seconds.rounded(places: 6)
    if status.phase != .ready {
      code = status.fault?.code.rawValue
      reason = status.fault?.reason
      remedy = status.advice
      warning = status.adapterDefect.map { defect in
        "the adapter \(status.adapter?.name ?? "") may not serve: \(defect.reason)"
      }
    } else if let refusals = status.refusals {
      code = "commandsNotTaken"
      reason = refusals.reason
      remedy = refusals.outcome.remedy
    } else if status.mayUseClassicBluetooth {
      warning = "the adapter may also use classic Bluetooth"
    }
  }
}

extension LinkRecord.PassedOverAdapter {
  package init(_ passedOver: AdapterChoice.PassedOver) {
    self.init(
      adapter: passedOver.address,
      adapterName: passedOver.name,
      reason: passedOver.defect.reason
    )
  }
}

extension LinkRecord.Perhaps {
  fileprivate init(_ machine: PossibleMachine) {
    self.init(
      address: "\(machine.address)",
      addressType: machine.addressType,
      name: machine.name,
      profile: machine.profile
    )
  }
}

extension LinkRecord.Notifications {
  /// Nil where there is nothing to say of answers.
  fileprivate init?(_ status: LinkStatus) {
    let odd = status.oddAnswers
    guard status.answers != nil || odd != AnswerOddities() else { return nil }
    self.init()
    switch status.answers {
    case .heard: on = true
    case .unheard(let text): (on, reason) = (false, text)
    case nil: break
    }
    func present(_ count: Int) -> Int? { count > 0 ? count : nil }
    late = present(odd.late)
    doubled = present(odd.doubled)
    unasked = present(odd.unasked)
    malformed = present(odd.malformed)
    wrongCheckByte = present(odd.wrongCheckByte)
    otherCheckByte = present(odd.otherCheckByte)
  }
}

extension SafetyRecord {
  package init(_ status: SafetyStatus, at now: MonotonicInstant) {
    self.init(state: status.state.word)
    code = status.state.code
    reason = status.state.reason
    remaining = status.state.remaining(at: now)?.seconds.rounded(places: 3)
    holds = status.holds.map { Hold($0) }
    if case .stopped(let outcome) = status.state {
      stop = outcome.map { Stop($0) } ?? Stop(outcome: "pending", reason: nil)
    }
    balls = status.balls
  }
}

extension TrainingRecord {
  package init(_ status: TrainingStatus) {
    self.init(aim: status.aim.rawValue, interval: status.interval.seconds)
    level = status.plan.level?.rawValue
    label = status.label
    guard let drill = status.drill else { return }
    self.drill = drill.name
    sets = drill.sets
    ballsPerSet = drill.balls
    set = status.progress?.set
    ball = status.progress?.ball
    seed = drill.strategy.drawsLots ? status.progress?.seed : nil
    next = status.progress?.nextTarget?.zone.description
  }
}

extension SafetyRecord.Hold {
  init(_ hold: SafetyHold) { self.init(code: hold.code, reason: "\(hold)") }
}

extension SafetyRecord.Stop {
  fileprivate init(_ outcome: StopOutcome) {
    self.init(outcome: outcome.word, reason: "\(outcome)")
  }
}

extension DecisionRecord {
  package init(_ decision: Decision) {
    self.init(
      t: decision.time.seconds.rounded(places: 6),
      x: decision.position.x.rounded(places: 4),
      y: decision.position.y.rounded(places: 4),
      samples: decision.sampleCount,
      zone: decision.zone?.description,
      target: decision.target?.description,
      command: decision.command.text
    )
  }
}

extension OutcomeRecord {
  package init(_ outcome: WriteOutcome) {
    self.init(outcome: outcome.word, reason: outcome.explanation, remedy: outcome.remedy)
  }
}

extension BridgeEvent {
  package static func stopped(_ outcome: StopOutcome) -> BridgeEvent {
    .record(.stop(StopRecord(outcome)), at: nil)
  }

  package static func positions(_ event: PositionEvent) -> BridgeEvent {
    var feed: FeedRecord
    switch event {
    case .position(let position, let source, let arrival, _):
      return .record(.position(PositionRecord(position, from: source)), at: arrival)
    case .opened(let connection): feed = FeedRecord(state: "opened", connection: connection)
    case .closed(let connection): feed = FeedRecord(state: "closed", connection: connection)
    case .badLine(let bad, let connection): feed = FeedRecord(bad, from: connection)
    case .hint(let hint, let connection):
      feed = FeedRecord(state: "hint", connection: connection)
      feed.reason = "\(hint)"
    case .clientRefused(let limit):
      feed = FeedRecord(state: "refused")
      feed.limit = limit
    case .stoodStill(let gap):
      feed = FeedRecord(state: "stoodStill")
      feed.seconds = gap.seconds.rounded(places: 3)
    case .ended: feed = FeedRecord(state: "ended")
    }
    return .record(.feed(feed), at: nil)
  }

  package static func refusedLines(_ lines: RefusedLines) -> BridgeEvent {
    let feed = FeedRecord(lines.last, from: lines.connection, count: lines.count)
    return .record(.feed(feed), at: lines.time)
  }
}

extension FeedRecord {
  /// - Parameter count: of the lines that can't be used, this one included.
  fileprivate init(_ bad: BadLine, from connection: String, count: Int = 1) {
    self.init(state: "badLine", connection: connection)
    line = bad.line
    text = bad.text
    if count > 1 { self.count = count }
    reason = "\(bad.reason)"
  }
}

extension PositionRecord {
  fileprivate init(_ position: PlayerPosition, from source: SourceID) {
    self.init(
      x: position.x.rounded(places: 4),
      y: position.y.rounded(places: 4),
      connection: source.connection,
      id: source.id
    )
  }
}

extension StopRecord {
  init(_ outcome: StopOutcome, mode: String? = nil, safety: SafetyRecord? = nil) {
    self.init(outcome: outcome.word, reason: "\(outcome)", mode: mode, safety: safety)
  }
}

extension TableRecord {
  package init(_ table: CommandTable, fallback: MachineCommand, stop: MachineCommand) {
    self.init(
      commands: table.texts,
      strokes: table.strokeTexts,
      fallback: fallback.text,
      stopCommand: stop.text
    )
  }
}

extension StatusRecord {
  /// - Parameters:
  ///   - version: of the program.
  ///   - configuration: nil when there is none.
  package init(
    _ snapshot: BridgeSnapshot,
    version: String,
    configuration: Configuration?,
    on clock: SystemClock
  ) {
    let now = snapshot.time
    self.init(
      version: version,
      t: now.seconds.rounded(places: 6),
      uptime: snapshot.summary.duration.seconds.rounded(places: 3),
      safety: SafetyRecord(snapshot.safety, at: now),
      link: LinkRecord(
        snapshot.link,
        since: WallTime(of: snapshot.link.since, on: clock),
        at: now
      ),
      court: Court(apron: snapshot.court.apron),
      counts: snapshot.summary.countsAndLatencies
    )
    mode = snapshot.link.mode
    training = TrainingRecord(snapshot.training)
    court.rows = snapshot.court.rows?.metres
    court.columns = snapshot.court.columns?.metres
    interval = snapshot.interval.seconds
    let repeats = snapshot.repeatsSince.map { $0.duration(to: now).seconds.rounded(places: 1) }
    player = snapshot.player.map {
      Player(
        x: $0.position.x.rounded(places: 4),
        y: $0.position.y.rounded(places: 4),
        samples: $0.sampleCount,
        zone: $0.zone?.description,
        repeats: repeats
      )
    }
    nextDecision = snapshot.nextDecision.map {
      max(now.duration(to: $0), .zero).seconds.rounded(places: 3)
    }
    lastDispatch = snapshot.lastDispatch
    lastManual = snapshot.lastManual
    lastBadLine = snapshot.lastRefused.map { BadLine($0) }
    self.configuration = configuration
  }
}

extension StatusRecord.BadLine {
  init(_ refused: RefusedLines) {
    self.init(refused.last, from: refused.connection, at: refused.time)
  }

  init(_ bad: Positions.BadLine, from connection: String, at instant: MonotonicInstant) {
    self.init(
      t: instant.seconds.rounded(places: 6),
      connection: connection,
      line: bad.line,
      text: bad.text,
      reason: "\(bad.reason)"
    )
  }
}

extension SummaryRecord {
  /// - Parameter machineReceived: what the mock machine received, in order, if the run had one.
  package init(_ summary: BridgeSummary, machineReceived: [String]? = nil) {
    self.init(
      seconds: summary.duration.seconds.rounded(places: 3),
      counts: summary.countsAndLatencies
    )
    mode = summary.mode
    stop = summary.stop.map { SafetyRecord.Stop($0) }
    self.machineReceived = machineReceived
  }
}

extension BridgeSummary {
  fileprivate var countsAndLatencies: CountsRecord {
    guard latency.count > 0 else { return counts }
    var record = counts
    func seconds(_ duration: Duration?) -> Double {
      (duration ?? .zero).seconds.rounded(places: 6)
    }
    record.latencies.p50 = seconds(latency.percentile(0.5))
    record.latencies.p90 = seconds(latency.percentile(0.9))
    record.latencies.p99 = seconds(latency.percentile(0.99))
    record.latencies.max = seconds(latency.maximum)
    return record
  }

  /// `SIM` or `REAL`; nil when BlueZ's objects were never read.
  package var mode: String? { isSimulated.map { $0 ? "SIM" : "REAL" } }
}
