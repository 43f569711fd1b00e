package import Clocks

/// Turns a stream of positions into one command an interval, 3 s unless another one is set.
///
/// It is a value without a clock: its owner passes the time, inserts each arrival and asks for a
/// decision when ``nextDecision`` has come.
///
///             insert                    decide, fresh positions
///     waiting ──────▶ expecting(since:) ───────────────────────▶ cadence(due:) ─┐ on time: + interval
///        ▲                   │ decide, none fresh                   │     ▲     │ too late: skip to
///        └───────────────────┴──────────────────────────────────────┘     └─────┘ the grid's next
///
/// **Boundaries.** A position is fresh while its age is at most 1 s, that instant included. Its
/// source is the player just as long: another source takes over only when the last position is
/// older than 1 s, so that two sources never meet in one mean. A decision is on time up to 100 ms
/// after its due instant, included. An instant before an earlier one counts as that earlier one.
package struct LogicManager: Sendable {
  /// How far back positions are averaged, and how long a silent source stays the player.
  package static let window = Duration.seconds(1)
  /// How long positions are kept.
  package static let retention = Duration.seconds(3)
  /// From one decision to the next, unless another one is set.
  package static let standardInterval = Duration.seconds(3)
  /// How late a decision may be and still be taken.
  package static let lateness = Duration.milliseconds(100)
  /// The most positions that are kept: 3 s of almost 700 a second. Faster sources push out their
  /// own oldest ones.
  package static let capacity = 2048

  /// When the next decision is due.
  private enum Phase: Hashable, Sendable {
    /// No position has come since the last tick found none. → expecting
    case waiting
    /// The next question with a fresh position is answered at once and sets the grid. → cadence, waiting
    case expecting(since: MonotonicInstant)
    /// On the grid. → cadence, waiting
    case cadence(due: MonotonicInstant)
  }

  /// What decisions are taken by.
  package struct Settings: Hashable, Sendable {
    package var court: Court
    package var table: CommandTable
    /// The command for positions out of court.
    package var fallback: Fallback
    /// From one decision to the next; more than zero.
    package var interval: Duration

    package init(
      court: Court = Court(),
      table: CommandTable,
      fallback: Fallback = .zone(.fallback),
      interval: Duration = LogicManager.standardInterval
    ) {
      self.court = court
      self.table = table
      self.fallback = fallback
      self.interval = interval
    }
  }

  private var settings: Settings
  package var court: Court { settings.court }
  package var table: CommandTable { settings.table }
  package var fallback: Fallback { settings.fallback }
  package var interval: Duration { settings.interval }

  /// The source whose positions are averaged.
  package var player: SourceID? { selection.player }
  private var selection = PlayerSelection()
  /// The oldest first. Those before `firstSample` no longer count.
  private var samples: [Sample] = []
  private var firstSample = 0
  private var phase = Phase.waiting
  private var latest: MonotonicInstant?
  /// No decision comes before it.
  private var earliest: MonotonicInstant?

  package init(_ settings: Settings) {
    precondition(settings.interval > .zero)
    self.settings = settings
  }

  /// Decides by other settings from now on; the positions stay, and the grid too, unless the
  /// interval changes: then the next decision is due the new interval after the grid's last point.
  package mutating func reconfigure(_ settings: Settings) {
    reconfigure(interval: settings.interval)
    self.settings = settings
  }

  /// The next decision is due the new interval after the grid's last point.
  ///
  /// - Parameter interval: more than zero.
  package mutating func reconfigure(interval: Duration) {
    precondition(interval > .zero)
    if case .cadence(let due) = phase {
      phase = .cadence(due: due.advanced(by: interval - settings.interval))
    }
    settings.interval = interval
  }

  /// The next decision, on this grid or the next one, comes no sooner than that, and the grid goes on
  /// from there.
  package mutating func postpone(until instant: MonotonicInstant) {
    earliest = earliest.map { max($0, instant) } ?? instant
  }

  /// The next question begins a new grid.
  package mutating func endGrid() {
    guard case .cadence = phase, let latest else { return }
    phase = .expecting(since: latest)
  }

  /// The command for a player there; nil: out of court.
  package func command(for zone: Zone?) -> MachineCommand {
    zone.map { table[$0] } ?? table.command(for: fallback)
  }

  /// What became of a position.
  package enum Admission: Hashable, Sendable {
    case accepted
    /// Another source is the player.
    case otherSource
  }

  /// How many positions of the last 3 s are held.
  package var retainedCount: Int { samples.count - firstSample }

  /// When to ask for a decision; nil while only a position can change anything. An instant that has
  /// passed means at once.
  package var nextDecision: MonotonicInstant? {
    let due: MonotonicInstant
    switch phase {
    case .waiting: return nil
    case .expecting(let since): due = since
    case .cadence(let planned): due = planned
    }
    return earliest.map { max($0, due) } ?? due
  }

  /// Takes a position that arrived at `instant`.
  package mutating func insert(
    _ position: PlayerPosition,
    from source: SourceID,
    at instant: MonotonicInstant
  ) -> Admission {
    let now = advance(to: instant)
    let former = player
    guard selection.admits(source, at: now) else { return .otherSource }
    if player != former { firstSample = samples.count }
    samples.append(Sample(arrival: now, x: position.x, y: position.y))
    while samples[firstSample].arrival.duration(to: now) > Self.retention { firstSample += 1 }
    firstSample = max(firstSample, samples.count - Self.capacity)
    // So seldom that a position costs the same, however many are held.
    if firstSample > retainedCount {
      samples.removeFirst(firstSample)
      firstSample = 0
    }
    if phase == .waiting { phase = .expecting(since: now) }
    return .accepted
  }

  /// Decides if it is time and the player is seen.
  package mutating func decide(at instant: MonotonicInstant) -> Decision? {
    let now = advance(to: instant)
    guard let planned = nextDecision, now >= planned else { return nil }
    var due = now
    if case .cadence = phase {
      due = planned.advanced(by: interval * planned.duration(to: now).periods(of: interval))
    }
    guard let (mean, count) = average(at: now) else {
      phase = .waiting
      return nil
    }
    phase = .cadence(due: due.advanced(by: interval))
    guard due.duration(to: now) <= Self.lateness else { return nil }

    let zone = court.zone(at: mean)
    return Decision(
      time: now,
      due: due,
      position: mean,
      sampleCount: count,
      zone: zone,
      command: command(for: zone)
    )
  }

  private mutating func advance(to instant: MonotonicInstant) -> MonotonicInstant {
    let now = latest.map { max($0, instant) } ?? instant
    latest = now
    return now
  }

  /// Where the player was on average over the last second, and from how many positions; nil when
  /// there were none.
  package func average(at now: MonotonicInstant) -> (PlayerPosition, count: Int)? {
    let fresh = samples[firstSample...].reversed().prefix {
      $0.arrival.duration(to: now) <= Self.window
    }
    guard !fresh.isEmpty else { return nil }
    var x = MeanSum()
    var y = MeanSum()
    for sample in fresh.reversed() {
      x.add(sample.x)
      y.add(sample.y)
    }
    return (PlayerPosition(uncheckedX: x.mean, y: y.mean), fresh.count)
  }
}

private struct Sample: Sendable {
  let arrival: MonotonicInstant
  let x: Double
  let y: Double
}

/// A mean that stays between its smallest and its greatest value: rounding must not carry a player
/// who stands on the far edge out of court.
private struct MeanSum {
  private var sum = 0.0
  private var count = 0.0
  private var least = Double.infinity
  private var greatest = -Double.infinity

  mutating func add(_ value: Double) {
    sum += value
    count += 1
    least = min(least, value)
    greatest = max(greatest, value)
  }

  var mean: Double { min(max(sum / count, least), greatest) }
}

extension Duration {
  /// How many whole periods this duration, zero or more, holds.
  fileprivate func periods(of period: Duration) -> Int {
    Int(attoseconds / period.attoseconds)
  }
}
