package import Clocks
import CourtLogic
package import Host
import JSON
import MachineLink
package import Positions
import SessionLog

/// One thing that happened, for machines: `serve --json`, the subscribers of the control socket and
/// the session log all write it as this encodes it.
///
/// An object with `event`, what happened; `t`, when, in seconds on the service's clock; `time`, the
/// same on the wall clock; and the keys of that event.
package struct EventRecord: Hashable, Sendable {
  package let event: BridgeEvent
  /// On the service's clock: the decision's or the position's own, where the event has one.
  package let instant: MonotonicInstant
  package let time: WallTime
  /// When the link's phase began, for an event of the link.
  package let since: WallTime?

  /// - Parameters:
  ///   - now: when the event came, for an event without an instant of its own.
  ///   - wallTime: reads the wall clock.
  package init(_ event: BridgeEvent, at now: MonotonicInstant, wallTime: WallTimeReader) {
    self.event = event
    instant = event.instant ?? now
    time = wallTime(instant)
    if case .link(let status) = event { since = wallTime(status.since) } else { since = nil }
  }

  package init(_ event: BridgeEvent, at now: MonotonicInstant, on clock: SystemClock) {
    self.init(event, at: now) { WallTime(of: $0, on: clock) }
  }
}

/// What the wall clock showed at an instant.
package typealias WallTimeReader = (MonotonicInstant) -> WallTime

extension BridgeEvent {
  /// When it happened, if the event says so.
  fileprivate var instant: MonotonicInstant? {
    switch self {
    case .dispatched(let dispatch): dispatch.decision.time
    case .held(let held): held.decision.time
    case .manual(let dispatch): dispatch.requestedAt
    case .positions(.position(_, _, let arrival)): arrival
    case .link, .safety, .stopped, .positions, .dropped: nil
    }
  }
}

extension EventRecord: SessionEvent {
  package var feed: PositionEvent? {
    if case .positions(let event) = event { event } else { nil }
  }
}

extension EventRecord: Encodable {
  private enum Key: CodingKey {
    case event, t, time, count
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(name, forKey: .event)
    try object.encode(instant.seconds.rounded(places: 6), forKey: .t)
    try object.encode(time.preciseISO8601, forKey: .time)
    switch event {
    case .link(let status):
      try LinkFields(status, since: since, at: instant).encode(to: encoder)
    case .safety(let status): try SafetyFields(status, at: instant).encode(to: encoder)
    case .dispatched(let dispatch): try DispatchFields(dispatch).encode(to: encoder)
    case .held(let held): try HeldFields(held).encode(to: encoder)
    case .manual(let dispatch): try ManualFields(dispatch).encode(to: encoder)
    case .stopped(let outcome): try OutcomeFields(outcome).encode(to: encoder)
    case .positions(let event): try FeedFields(event).encode(to: encoder)
    case .dropped(let count): try object.encode(count, forKey: .count)
    }
  }

  /// The value of `event`.
  package var name: String {
    switch event {
    case .link: "link"
    case .safety: "safety"
    case .dispatched: "dispatch"
    case .held: "held"
    case .manual: "manual"
    case .stopped: "stop"
    case .positions(.position): "position"
    case .positions: "feed"
    case .dropped: "dropped"
    }
  }
}
