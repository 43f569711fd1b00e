import Clocks
import CourtLogic
import Safety
import TestSupport

/// Plays a script to a ``SafetyCore``, line by line: what happens stands left of the arrow, what comes
/// of it right.
///
///     TIME link up | link down        → STATE
///     TIME machine                    → STATE    another one is linked than before
///     TIME stack SIM | REAL           → STATE    which kind of Bluetooth stack is there
///     TIME arm [SECONDS] | disarm | pause | resume [SECONDS] | stop | reset → STATE | refused CODE
///     TIME arm … for LABEL            → STATE | refused CODE
///     TIME arm … while CLIENT | resume … while CLIENT → STATE | refused CODE    no ball without it
///     TIME level lost | unreadable | found → STATE    the level that was loaded before the start
///     TIME gone CLIENT                → STATE    its connection has ended
///     TIME rest SECONDS | over        → STATE    a set of a drill is over, or the drill
///     TIME see X Y [again]            → STATE    a position, which is the average too; again: of a detector that repeats itself
///     TIME wait                       → STATE
///     TIME still                      → STATE    nothing was done since the line before
///     TIME limit BALLS                → STATE    the rules allow so many balls from now on
///     TIME countdown SECONDS          → STATE    the rules ask for one so long from now on
///     TIME ball X Y [every SECONDS]   → goes | stays: an automatic one for this average
///     TIME hand                       → goes | refused CODE
///     TIME landed [not sent | refused | unanswered] → STATE    the last ball's command has its outcome
///     TIME order                      → stop | none: is a stop command to be written?
///     TIME confirmed | unconfirmed | lost → STATE    what became of it
///     TIME overdue [unconfirmed]      → STATE    nobody waits for it any longer; what is known of it
///     TIME end                        → stop | none: is a last stop command owed?
///     TIME next                       → TIME | never: the next deadline
///
/// STATE is the state's word and code, `until TIME` for a countdown or a rest, and `held CODE…`.
struct SafetyScript {
  struct Misfit: Error, CustomStringConvertible {
    var line: String
    var found: String
    var description: String { "“\(line)”, but it is: \(found)" }
  }

  private var core: SafetyCore
  private var balls: [SafetyCore.Ball] = []
  private var last = MonotonicInstant.start

  init(rules: SafetyRules = SafetyRules(), armsWhenReady: Bool = false) {
    core = SafetyCore(rules: rules, armsWhenReady: armsWhenReady, at: .start)
  }

  mutating func play(_ script: String) throws {
    for line in script.split(separator: "\n") {
      let sides = line.split(separator: "→").map { $0.trimmed }
      guard sides.count == 2 else { throw Misfit(line: String(line), found: "no such line") }
      let found = try step(sides[0])
      guard found == sides[1] else { throw Misfit(line: String(line), found: found) }
    }
  }

  private mutating func step(_ text: String) throws -> String {
    let words = text.split(separator: " ").map(String.init)
    let now = MonotonicInstant(sinceStart: .seconds(Double(words[0])!))
    if words[1] != "still" {
      while last < now {
        last = min(last.advanced(by: .seconds(1)), now)
        core.advance(to: last)
      }
    }
    last = now
    switch words[1] {
    case "link": core.linkChanged(isReady: words[2] == "up", at: now)
    case "stack": core.sawStack(isSimulated: words[2] == "SIM", at: now)
    case "machine": core.machineChanged(at: now)
    case "arm":
      let label = words.firstIndex(of: "for").map { words[$0 + 1] }
      return take(.arm(countdown: countdown(words), label: label), while: client(words), now)
    case "disarm": return take(.disarm, now)
    case "pause": return take(.pause, now)
    case "resume": return take(.resume(countdown: countdown(words)), while: client(words), now)
    case "stop": return take(.stop, now)
    case "reset": return take(.reset, now)
    case "level":
      core.lostTraining =
        switch words[2] {
        case "lost": .level(.beginner)
        case "unreadable": .unknown
        case "drill": .drill("corners", .beginner)
        default: nil
        }
    case "gone": core.clientGone(Int(words[2])!, at: now)
    case "see":
      let position = try position(words[2...3])
      let doubt: SourceDoubt? =
        switch words.last {
        case "again": .repeats
        case "fractions": .notMetres(.fractions)
        default: nil
        }
      core.saw(position, doubt: doubt, at: now)
      core.averaged(position, at: now)
    case "rest": core.rest(for: seconds(words[2]), at: now)
    case "over": core.drillEnded(at: now)
    case "turn": core.turns(until: MonotonicInstant(sinceStart: seconds(words[2])))
    case "wait", "still": core.advance(to: now)
    case "limit":
      var rules = core.rules
      rules.ballLimit = Int(words[2])
      core.reconfigure(rules, at: now)
    case "countdown":
      var rules = core.rules
      rules.countdown = seconds(words[2])
      core.reconfigure(rules, at: now)
    case "ball":
      core.advance(to: now)
      let interval = words.firstIndex(of: "every").map { seconds(words[$0 + 1]) } ?? .zero
      guard let ball = core.allow(for: try position(words[2...3]), every: interval, at: now) else {
        return "stays"
      }
      balls.append(ball)
      return "goes"
    case "hand":
      do throws(SafetyRefusal) { balls.append(try core.allowByHand(at: now)) } catch {
        return "refused \(error.code)"
      }
      return "goes"
    case "landed":
      let (wasSent, wasTaken): (Bool, Bool?) =
        switch words.dropFirst(2).first {
        case "not": (false, nil)
        case "refused": (false, false)
        case "unanswered": (true, false)
        default: (true, true)
        }
      core.ended(balls.removeLast(), wasSent: wasSent, wasTaken: wasTaken, at: now)
    case "order":
      core.advance(to: now)
      return core.takeStopOrder() ? "stop" : "none"
    case "confirmed": core.stopEnded(.confirmed, at: now)
    case "unconfirmed": core.stopEnded(.unconfirmed, at: now)
    case "lost": core.stopEnded(.notDelivered(reason: "lost"), at: now)
    case "overdue":
      let known = words.count > 2 ? StopOutcome.unconfirmed : .notDelivered(reason: "away")
      core.stopIsOverdue(known, at: now)
    case "end": return core.end(at: now) ? "stop" : "none"
    case "next": return core.nextDeadline.map { "\($0.seconds)" } ?? "never"
    default: throw Misfit(line: text, found: "no such word")
    }
    return core.status.summary
  }

  private func countdown(_ words: [String]) -> Duration? {
    words.dropFirst(2).first.flatMap { Double($0) }.map { .seconds($0) }
  }

  private func client(_ words: [String]) -> Int? {
    words.firstIndex(of: "while").map { Int(words[$0 + 1])! }
  }

  private mutating func take(
    _ request: SafetyRequest,
    while client: Int? = nil,
    _ now: MonotonicInstant
  ) -> String {
    do throws(SafetyRefusal) { try core.perform(request, while: client, at: now) } catch {
      return "refused \(error.code)"
    }
    return core.status.summary
  }

  private func position(_ words: ArraySlice<String>) throws -> PlayerPosition {
    let numbers = words.map { Double($0)! }
    return try PlayerPosition(x: numbers[0], y: numbers[1])
  }

  private func seconds(_ text: String) -> Duration { .seconds(Double(text)!) }
}

extension Substring {
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
