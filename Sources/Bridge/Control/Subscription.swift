import Clocks
import ControlProtocol

/// What a client that has subscribed has yet to get.
struct Subscription {
  /// How much smaller a client's room for events is than ``EventKind/room``: some 200 events, or 64
  /// kB.
  private static let share = 8
  /// Bytes of events that are handed to the socket at a time.
  private static let batch = 4096

  var events = EventLanes<[UInt8]> { $0.room / share }
  /// Nil where it doesn't want the player's positions.
  var player: PlayerShare?
  /// Whether it has missed events: it gets the present link and safety once it has caught up.
  private var isOwedPresent = false

  /// Moves some of the events that wait, or else the player's position, to the empty output.
  ///
  /// - Returns: whether there was anything.
  mutating func fill(
    _ output: inout OutputBuffer,
    at now: MonotonicInstant,
    present: () -> [([UInt8], EventKind)]
  ) -> Bool {
    let lost = events.takeLost()
    if lost > 0 {
      output.append(line: ControlMessage.notification("dropped", ["count": lost]))
      isOwedPresent = true
    }
    if events.isEmpty, isOwedPresent {
      isOwedPresent = false
      for (line, kind) in present() { events.append(line, kind) }
    }
    while output.count < Self.batch, let line = events.popFirst() { output.append(line: line) }
    if output.isEmpty, let line = player?.take(at: now) { output.append(line: line) }
    return !output.isEmpty
  }
}

/// The player's positions for one client: the newest, at most so often.
struct PlayerShare {
  let interval: Duration
  var newest: [UInt8]?
  private var earliest = MonotonicInstant.start

  init(interval: Duration) { self.interval = interval }

  /// How long the newest must wait; nil: there is none.
  func pause(at now: MonotonicInstant) -> Duration? {
    newest == nil ? nil : max(now.duration(to: earliest), .zero)
  }

  mutating func take(at now: MonotonicInstant) -> [UInt8]? {
    guard earliest <= now, let line = newest else { return nil }
    newest = nil
    earliest = now.advanced(by: interval)
    return line
  }
}
