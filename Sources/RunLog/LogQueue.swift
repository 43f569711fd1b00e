import Clocks
import ControlProtocol
import CourtLogic

/// One thing for the run log.
enum LogEntry: Sendable {
  case position(PlayerPosition, from: SourceID, at: MonotonicInstant)
  case record(EventRecord)
  case court(LogicManager.Settings, at: MonotonicInstant)
}

/// What waits for the disk, in bounded memory: when it is full, new entries are refused and
/// counted.
struct LogQueue: Sendable {
  /// Each kind has a limit of its own, so that none takes another kind's room.
  enum Kind: Int, CaseIterable, Sendable {
    /// 8 s of four cameras' 120 a second.
    case position
    /// Lines that can't be read, feeders that come and go, the link's signal strength: other
    /// programs and devices decide how many there are.
    case talk
    /// Balls and safety.
    case deed

    var limit: Int {
      switch self {
      case .position: 4096
      case .talk: 256
      case .deed: 1024
      }
    }
  }

  /// What was not taken.
  struct Losses: Hashable, Sendable {
    var positions = 0
    var records = 0

    var all: Int { positions + records }

    static func += (left: inout Losses, right: Losses) {
      left.positions += right.positions
      left.records += right.records
    }
  }

  private(set) var entries: [LogEntry] = []
  private(set) var losses = Losses()
  private var counts = [Int](repeating: 0, count: Kind.allCases.count)

  /// - Returns: whether there was room.
  mutating func append(_ entry: LogEntry, _ kind: Kind) -> Bool {
    guard counts[kind.rawValue] < kind.limit else {
      if kind == .position { losses.positions += 1 } else { losses.records += 1 }
      return false
    }
    counts[kind.rawValue] += 1
    entries.append(entry)
    return true
  }

  func isHalfFull(of kind: Kind) -> Bool { counts[kind.rawValue] >= kind.limit / 2 }

  /// Empties it. The lost entries of a kind came after all its entries in the queue.
  mutating func drain() -> (entries: [LogEntry], losses: Losses) {
    let all = (entries, losses)
    self = LogQueue()
    entries.reserveCapacity(all.0.count)
    return all
  }
}
