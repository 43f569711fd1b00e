import ControlProtocol
import Host
import MachineLink

/// What kinds of events there are, seen from a state.
enum EventKind: Hashable {
  case started, levels, staleLevels
  case operationSucceeded, operationFailed
  case writeSucceeded, writeFailed
  case staleAnswer
  case timer(LinkTimer.Purpose)
  case staleTimer
  case submitted, stopRequested, endRequested
  case notified

  static let all: [EventKind] =
    [
      .started, .levels, .staleLevels, .operationSucceeded, .operationFailed, .writeSucceeded,
      .writeFailed, .staleAnswer, .staleTimer, .submitted, .stopRequested, .endRequested, .notified,
    ] + LinkTimer.Purpose.allCases.map { .timer($0) }

  var name: String {
    if case .timer(let purpose) = self { "timer.\(purpose)" } else { "\(self)" }
  }
}

/// How often each kind of event met the link in each state.
struct EventPairs: Equatable {
  private var counts: [EventKind: [Int]] = [:]
  private(set) var total = 0

  private static let phases = LinkStatus.Phase.allCases

  subscript(phase: LinkStatus.Phase, event: EventKind) -> Int {
    counts[event]?[Self.phases.firstIndex(of: phase)!] ?? 0
  }

  mutating func count(_ event: EventKind, in phase: LinkStatus.Phase) {
    let index = Self.phases.firstIndex(of: phase)!
    counts[event, default: Array(repeating: 0, count: Self.phases.count)][index] += 1
    total += 1
  }

  mutating func add(_ others: EventPairs) {
    total += others.total
    counts.merge(others.counts) { zip($0, $1).map(+) }
  }

  // MARK: What can happen

  /// In which states an event can happen, and why in no other.
  static func possible(_ event: EventKind) -> (in: Set<LinkStatus.Phase>, because: String) {
    let all = Set(phases)
    return switch event {
    case .started:
      ([.idle, .ended], "the link is run once, and only an end at once may come before it")
    case .submitted, .stopRequested, .endRequested:
      (all, "")
    case .staleTimer, .staleAnswer:
      (all.subtracting([.idle]), "before the start nothing was begun")
    case .notified:
      (all.subtracting([.idle]), "the bus is opened after the start")
    case .timer(.answer): (writing, "a ball was written on the link")
    case .levels, .staleLevels:
      (all.subtracting([.idle]), "the bus is opened after the start")
    case .operationSucceeded, .operationFailed:
      (waiting, "no other state waits for an operation")
    case .timer(.operation):
      (waiting, "no other state waits for an operation")
    case .writeSucceeded, .writeFailed, .timer(.write), .timer(.stop), .timer(.overtaken):
      (writing, "written is only on a ready link, or the last of it on the way out")
    case .timer(.slot): ([.ready], "the slot is of a ready link")
    case .timer(.stable): ([.ready], "a link is stable or not while it is ready")
    case .timer(.retry): ([.waitingForBlueZ, .waitingForAdapter], "it is for these waits")
    case .timer(.scan), .timer(.settle): ([.discovering], "only then a scan is on")
    case .timer(.services), .timer(.grace): ([.resolving], "only then services are resolved")
    case .timer(.backOff): ([.backingOff], "the state is this wait")
    case .timer(.drain), .timer(.end): ([.shuttingDown], "it is set on the way out")
    }
  }

  private static let waiting: Set<LinkStatus.Phase> = [
    .waitingForBlueZ, .waitingForAdapter, .discovering, .connecting, .resolving, .backingOff,
    .shuttingDown,
  ]

  private static let writing: Set<LinkStatus.Phase> = [.ready, .shuttingDown]

  /// The pairs that can happen and did not.
  var missing: [String] {
    Self.all { phase, event in self[phase, event] == 0 && Self.possible(event).in.contains(phase) }
  }

  /// The pairs that can't happen and did.
  var surprising: [String] {
    Self.all { phase, event in self[phase, event] > 0 && !Self.possible(event).in.contains(phase) }
  }

  private static func all(_ isWanted: (LinkStatus.Phase, EventKind) -> Bool) -> [String] {
    phases.flatMap { phase in
      EventKind.all.filter { isWanted(phase, $0) }.map { "\(phase) × \($0.name)" }
    }
  }

  /// A line for each kind of event: the counts by state, or why there are none.
  var table: String {
    let rows = EventKind.all.map { event in
      let (states, reason) = Self.possible(event)
      let counts = Self.phases.map { phase in
        states.contains(phase) || self[phase, event] > 0 ? "\(phase) \(self[phase, event])" : nil
      }
      let line = "  \(event.name): " + counts.compactMap(\.self).joined(separator: ", ")
      return reason.isEmpty ? line : line + " (nowhere else: \(reason))"
    }
    return rows.joined(separator: "\n")
  }
}
