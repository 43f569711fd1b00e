import Glibc
import TestSupport
import Testing

/// The laws of the whole bridge, held over a million random events.
///
/// `BALLMACHINE_EVENTS` says how many, `BALLMACHINE_SEED` which scenario alone is played.
struct BridgeLawTests {
  /// The events of one scenario.
  private static let length = 400

  @Test(arguments: seeds()) func theLawsHoldWhateverHappens(seed: UInt64) async {
    print("bridge laws: seed \(seed)")
    let events = eventCount()
    let share = max(1, events / seeds().count)
    let result = await inSpareTime { Self.play(events: share, from: seed) }
    if let breach = result.breach {
      Issue.record("\(breach)")
      return
    }
    print("bridge laws: \(result.tally), \(result.time) of processor time")
    // A few scenarios need not have seen everything.
    guard events >= 1_000_000 else { return }
    for what in Tally.What.allCases { #expect(result.tally[what] > 0, "no \(what)") }
    for kind in BridgeScenario.Kind.allCases { #expect(result.tally[kind] > 0, "no \(kind)") }
  }

  /// What came of many scenarios, or which law one of them broke.
  private struct Result: Sendable {
    var tally = Tally()
    var time = ""
    var breach: String?
  }

  /// Plays one scenario after another, up to one that breaks a law.
  private static func play(events: Int, from first: UInt64) -> Result {
    var result = Result()
    let start = processorTime
    // The first scenario of a seed is the seed's own, so that it can be played again.
    var seed = first
    while result.tally.events < events {
      var scenario = BridgeScenario(seed: seed)
      scenario.play(steps: length)
      if let breach = scenario.breach {
        var told = BridgeScenario(seed: seed, isTold: true)
        told.play(steps: length)
        result.breach = """
          \(breach)
          again: BALLMACHINE_SEED=\(seed) BALLMACHINE_EVENTS=1 tools/test --filter BridgeLawTests
          \(told.story.suffix(60).joined(separator: "\n"))
          """
        return result
      }
      result.tally.add(scenario.tally)
      seed &+= 1_000_000
    }
    result.time = "\(((processorTime - start) * 10).rounded() / 10) s"
    return result
  }

  /// What this thread has had so far, in seconds.
  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// What scenarios have seen.
struct Tally: Sendable, CustomStringConvertible {
  enum What: String, CaseIterable {
    case balls, ballsByHand, ballsRefusedByLimits, drillsOver, stops, lastStops, unsettledStops
    case refusals, debts
  }

  private var whats: [What: Int] = [:]
  private var kinds: [BridgeScenario.Kind: Int] = [:]

  subscript(what: What) -> Int {
    get { whats[what] ?? 0 }
    set { whats[what] = newValue }
  }

  subscript(kind: BridgeScenario.Kind) -> Int {
    get { kinds[kind] ?? 0 }
    set { kinds[kind] = newValue }
  }

  mutating func add(_ other: Tally) {
    whats.merge(other.whats, uniquingKeysWith: +)
    kinds.merge(other.kinds, uniquingKeysWith: +)
  }

  /// Those that were drawn; time that passes brings others.
  var events: Int { kinds.values.reduce(0, +) }

  var description: String {
    (["\(events) events"] + What.allCases.map { "\(self[$0]) \($0)" })
      .joined(separator: ", ")
  }
}
