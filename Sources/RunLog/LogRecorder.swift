import Clocks
import ControlProtocol
import Glibc
import Host
import JSON

/// Turns events into a run's files. It gets the time from its caller, and waits for disks: its
/// owner gives it a thread of its own.
struct LogRecorder: Sendable {
  /// How long written bytes may wait in the kernel before they are synced.
  static let syncInterval = Duration.seconds(5)
  /// The wait after a disk's failure.
  static let retryInterval = Duration.seconds(10)
  /// Losses are reported at most so often.
  static let lossInterval = Duration.seconds(60)
  /// Smaller steps of the wall clock are not recorded.
  static let leastClockStep = Duration.milliseconds(500)
  /// The events whose last record stands at the beginning of each file too.
  private static let standing: Set<String> = [
    "link", "safety", "training",
  ]

  private let start: (instant: MonotonicInstant, time: WallTime)
  private let program: String
  private var writer: LogWriter
  private var positionLines = PositionLines()
  private var playerLines: PlayerPositionLines?
  private var thinner: PositionThinner
  /// The last record of each standing event in the files.
  private var standingLines: [String: [UInt8]] = [:]
  /// The standing lines that wait, and how many bytes of lines come before them.
  private var waitingStandingLines: [(offset: Int, name: String, line: [UInt8])] = []
  private var isArmed = false
  /// The sessions that began in the files.
  private var armings = 0
  /// The sessions at whose beginning the clock of ``playerLines`` was looked at.
  private var clockedArmings = 0
  /// The bytes of lines before each of the next ones.
  private var waitingArmings: [Int] = []
  /// The bytes of all lines.
  private var length = 0
  /// The wall clock's time when the service's clock was at its start.
  private var clockOffset: Duration
  /// Nothing is tried before this.
  private var retry: MonotonicInstant?
  private var lastSync: MonotonicInstant
  private var isSynced = true
  /// Losses that have not been reported.
  private var lost = LogQueue.Losses()
  private var lossesTold: MonotonicInstant?
  /// Refusals that have not been reported, by connection.
  private var refused: [String: LogQueue.Losses] = [:]
  private var refusalsTold: MonotonicInstant?

  /// - Parameters:
  ///   - now: the beginning of the run.
  ///   - wallClock: the wall clock's time then, since 1970.
  ///   - program: its name and version, for readers of the log.
  init(
    _ options: LogSettings,
    in directory: LogDirectory,
    at now: MonotonicInstant,
    wallClock: Duration,
    program: String,
    create: LogFileOpener.Create? = nil
  ) {
    let time = WallTime(since1970: wallClock)
    start = (now, time)
    self.program = program
    writer = LogWriter(
      in: directory,
      totalSize: options.totalSize,
      beginning: LogFileName.beginning(time),
      writesPlayerPositions: options.writesPlayerPositions,
      create: create
    )
    if options.writesPlayerPositions {
      playerLines = PlayerPositionLines(
        from: now,
        secondsSince1970: Int(wallClock.components.seconds)
      )
    }
    thinner = PositionThinner(interval: options.positionInterval)
    clockOffset = wallClock - now.sinceStart
    lastSync = now
  }

  /// Whether unwritten lines must be written before more is taken.
  var isStuck: Bool { !writer.isUpToDate }

  /// What has happened is written next.
  ///
  /// - Parameters:
  ///   - losses: what the queue had no room for.
  ///   - refused: what ``FeedAllowance`` refused, by connection.
  mutating func record(
    _ entries: [LogEntry],
    losses: LogQueue.Losses,
    refused: [String: LogQueue.Losses] = [:],
    at now: MonotonicInstant,
    wallClock: Duration
  ) {
    noticeClockStep(at: now, wallClock: wallClock)
    var lines: [UInt8] = []
    for entry in entries {
      switch entry {
      case .position(let position, let source, let instant):
        if let line = playerLines?.line(position, from: source, at: instant) {
          writer.appendPlayerPosition(line.utf8)
        }
        guard thinner.keeps(source, at: instant) else { continue }
        positionLines.append(position, from: source, at: instant, to: &lines)
      case .record(let record):
        let line = RecordLine.of(record)
        if Self.standing.contains(record.name) {
          waitingStandingLines.append((length + lines.count, record.name, line))
        }
        if case .safety(let safety) = record.event {
          if safety.isArmed, !isArmed { waitingArmings.append(length + lines.count) }
          isArmed = safety.isArmed
        }
        lines += line
      case .court(let court, let instant):
        let line = RecordLine.of(
          CourtRecord(
            court,
            at: instant,
            time: WallTime(since1970: clockOffset + instant.sinceStart)
          )
        )
        waitingStandingLines.append((length + lines.count, CourtRecord.event, line))
        lines += line
      }
    }
    if losses != LogQueue.Losses() {
      lost += losses
      lines += lossLine(losses, .disk, at: now, wallClock: wallClock)
    }
    for (name, losses) in refused.sorted(by: { $0.key < $1.key }) {
      self.refused[name, default: LogQueue.Losses()] += losses
      lines += lossLine(losses, .tooMany, of: name, at: now, wallClock: wallClock)
    }
    append(lines)
  }

  private func lossLine(
    _ losses: LogQueue.Losses,
    _ code: LossRecord.Code,
    of connection: String = "",
    at now: MonotonicInstant,
    wallClock: Duration
  ) -> [UInt8] {
    RecordLine.of(
      LossRecord(
        t: now.seconds.rounded(places: 6),
        time: WallTime(since1970: wallClock).preciseISO8601,
        code: code,
        connection: connection.isEmpty ? nil : connection,
        positions: losses.positions,
        records: losses.records
      )
    )
  }

  private mutating func append(_ lines: [UInt8]) {
    writer.append(lines)
    length += lines.count
  }

  private mutating func noticeClockStep(at now: MonotonicInstant, wallClock: Duration) {
    let offset = wallClock - now.sinceStart
    let step = offset - clockOffset
    guard abs(step.seconds) > Self.leastClockStep.seconds else { return }
    let line = RecordLine.of(
      ClockRecord(
        t: now.seconds.rounded(places: 6),
        time: WallTime(since1970: wallClock).preciseISO8601,
        was: WallTime(since1970: wallClock - step).preciseISO8601
      )
    )
    clockOffset = offset
    append(line)
  }

  /// The outcome of a round of writing.
  struct Outcome: Hashable, Sendable {
    /// What a technician should know, each in a sentence without a full stop.
    var warnings: [String] = []
    /// When to write again; nil: with the next entry.
    var next: MonotonicInstant?
  }

  /// Writes what waits, and syncs it to the disk if that is due.
  ///
  /// - Parameter isLast: whether it is the last time, so that nothing is postponed.
  mutating func write(at now: MonotonicInstant, isLast: Bool = false) -> Outcome {
    if let retry, now < retry, !isLast { return Outcome(next: retry) }
    do throws(SystemError) {
      if !writer.isUpToDate {
        isSynced = false
        try flush()
        try setPlayerClock(at: now)
      }
      if !isSynced, isLast || lastSync.duration(to: now) >= Self.syncInterval {
        try writer.sync()
        isSynced = true
        lastSync = now
      }
    } catch {
      let isFirst = retry == nil
      retry = now.advanced(by: Self.retryInterval)
      return Outcome(warnings: isFirst ? [complaint(error)] : [], next: retry)
    }
    var outcome = Outcome(next: isSynced ? nil : lastSync.advanced(by: Self.syncInterval))
    if retry != nil { outcome.warnings.append("the session log is written again") }
    retry = nil
    if let losses = tellLosses(at: now, isLast: isLast) { outcome.warnings.append(losses) }
    if let refusals = tellRefusals(at: now, isLast: isLast) { outcome.warnings.append(refusals) }
    return outcome
  }

  private func complaint(_ error: SystemError) -> String {
    let remedy =
      [EROFS, EACCES, EPERM].contains(error.code)
      ? "the service's sandbox may forbid it: see Sandbox in ballmachine.yaml(5)"
      : "make room or repair the disk"
    return "the session log stands still, the machine does not: \(error)"
      + " (\(remedy); it is tried again every \(Self.retryInterval.components.seconds) s)"
  }

  /// Not with every loss: a disk that is too slow loses records all the time.
  private mutating func tellLosses(at now: MonotonicInstant, isLast: Bool) -> String? {
    guard lost != LogQueue.Losses(),
      isLast || lossesTold.map({ $0.duration(to: now) >= Self.lossInterval }) ?? true
    else { return nil }
    defer { lost = LogQueue.Losses() }
    lossesTold = now
    return "the session log lacks \(lost.positions) positions and \(lost.records) other records:"
      + " the disk was full or too slow for them"
  }

  private mutating func tellRefusals(at now: MonotonicInstant, isLast: Bool) -> String? {
    guard let worst = refused.max(by: { ($0.value.all, $1.key) < ($1.value.all, $0.key) }),
      isLast || refusalsTold.map({ $0.duration(to: now) >= Self.lossInterval }) ?? true
    else { return nil }
    let all = refused.values.reduce(into: LogQueue.Losses()) { $0 += $1 }
    let name = worst.key.isEmpty ? "feeders" : worst.key
    let others = refused.count > 1 ? " and \(refused.count - 1) more" : ""
    refused = [:]
    refusalsTold = now
    return "the session log lacks \(all.positions) positions and \(all.records) other records of"
      + " \(name)\(others): more came than the \(FeedAllowance.playerRate) positions of the player,"
      + " \(FeedAllowance.otherRate) of others and \(FeedAllowance.talkRate) other records that are"
      + " recorded in a second (stop the feeder that sends too much)"
  }

  private mutating func flush() throws(SystemError) {
    var writer = writer
    defer { self.writer = writer }
    try writer.flush { run, part, written in
      head(run: run, part: part, after: written)
    }
    settleStandingLines(before: length)
  }

  /// A box without a battery gets the right time some time after its start.
  private mutating func setPlayerClock(at now: MonotonicInstant) throws(SystemError) {
    guard armings > clockedArmings else { return }
    let wallClock = clockOffset + now.sinceStart
    var lines = playerLines
    if lines?.setClock(at: now, secondsSince1970: Int(wallClock.components.seconds)) == true {
      try writer.endPlayerPositions()
      playerLines = lines
    }
    clockedArmings = armings
  }

  private mutating func settleStandingLines(before offset: Int) {
    let settled = waitingStandingLines.prefix { $0.offset < offset }
    for (_, name, line) in settled { standingLines[name] = line }
    waitingStandingLines.removeFirst(settled.count)
    let begun = waitingArmings.prefix { $0 < offset }.count
    armings += begun
    waitingArmings.removeFirst(begun)
  }

  /// A file can be read without the ones before it: it begins with the state at its beginning,
  /// neither older nor newer.
  private mutating func head(run: Int, part: Int, after written: Int) -> [UInt8] {
    settleStandingLines(before: written)
    let record = RunRecord(
      t: start.instant.seconds.rounded(places: 6),
      time: start.time.preciseISO8601,
      program: program,
      session: run,
      part: part,
      armings: armings > 0 ? armings : nil
    )
    return standingLines.sorted { $0.key < $1.key }.reduce(RecordLine.of(record)) { $0 + $1.value }
  }
}
