import Clocks
import CourtLogic
import Testing

/// Golden vectors: what goes in stands left of the arrow, what must come out right of it.
///
///     TIME SOURCE X Y → accepted | other source
///     TIME decide     → ZONE DIGITS, mean X Y of COUNT, due TIME | nothing
///     next            → TIME | never
///
/// The table is the machine's own.
struct LogicManagerGoldenTests {
  static let scripts: [(name: String, apron: Double, script: String)] = [
    (
      "the first position decides at once and sets the grid", 0,
      """
      next → never
      10.0 decide → nothing
      next → never
      10.5 a 4.1 9.8 → accepted
      next → 10.5
      10.5 decide → 3-1 118001076018008500, mean 4.1 9.8 of 1, due 10.5
      next → 13.5
      10.6 a 4.1 9.8 → accepted
      10.6 decide → nothing
      13.4 a 1.0 1.0 → accepted
      13.499 decide → nothing
      next → 13.5
      13.5 decide → 0-0 105001050012002000, mean 1.0 1.0 of 1, due 13.5
      next → 16.5
      """
    ),
    (
      "positions of the last second are averaged, both ends included", 0,
      """
      0.0 a 8.0 11.0 → accepted
      0.0 decide → 3-3 120001080019009500, mean 8.0 11.0 of 1, due 0.0
      1.999 a 8.0 11.0 → accepted
      2.0 a 1.0 2.0 → accepted
      2.5 a 2.0 3.0 → accepted
      3.0 a 6.0 7.0 → accepted
      3.0 decide → 1-1 110001060014004500, mean 3.0 4.0 of 3, due 3.0
      """
    ),
    (
      "a mean may lie in a zone where the player never was", 0,
      """
      0.0 a 0.0 0.0 → accepted
      0.1 a 8.23 11.885 → accepted
      0.1 decide → 2-2 115001070017007000, mean 4.115 5.9425 of 2, due 0.1
      """
    ),
    (
      "a player on the far edges stays in court however often he is seen", 0,
      """
      0.0 a 8.23 11.885 → accepted
      0.1 a 8.23 11.885 → accepted
      0.2 a 8.23 11.885 → accepted
      0.3 a 8.23 11.885 → accepted
      0.4 a 8.23 11.885 → accepted
      0.5 a 8.23 11.885 → accepted
      0.6 a 8.23 11.885 → accepted
      0.6 decide → 3-3 120001080019009500, mean 8.23 11.885 of 7, due 0.6
      """
    ),
    (
      "out of court gives the fallback", 0,
      """
      0.0 a 4.0 13.3 → accepted
      0.0 decide → out 110001060014004500, mean 4.0 13.3 of 1, due 0.0
      3.0 a -0.3 5.0 → accepted
      3.0 decide → out 110001060014004500, mean -0.3 5.0 of 1, due 3.0
      """
    ),
    (
      "with an apron the place behind the baseline counts for the last row", 3,
      """
      0.0 a 4.0 13.3 → accepted
      0.0 decide → 3-1 118001076018008500, mean 4.0 13.3 of 1, due 0.0
      3.0 a -0.3 5.0 → accepted
      3.0 decide → 1-0 109001058014004000, mean -0.3 5.0 of 1, due 3.0
      6.0 a 4.0 14.9 → accepted
      6.0 decide → out 110001060014004500, mean 4.0 14.9 of 1, due 6.0
      9.0 a 4.0 -0.1 → accepted
      9.0 decide → out 110001060014004500, mean 4.0 -0.1 of 1, due 9.0
      """
    ),
    (
      "a tick in silence decides nothing, the next position decides at once on a new grid", 0,
      """
      0.0 a 1.0 1.0 → accepted
      0.0 decide → 0-0 105001050012002000, mean 1.0 1.0 of 1, due 0.0
      1.9 a 1.0 1.0 → accepted
      3.0 decide → nothing
      next → never
      6.0 decide → nothing
      7.3 a 1.0 4.0 → accepted
      next → 7.3
      7.31 decide → 1-0 109001058014004000, mean 1.0 4.0 of 1, due 7.31
      next → 10.31
      """
    ),
    (
      "a position exactly one second old still counts, an older one doesn't", 0,
      """
      0.0 a 1.0 1.0 → accepted
      0.0 decide → 0-0 105001050012002000, mean 1.0 1.0 of 1, due 0.0
      2.0 a 1.0 4.0 → accepted
      3.0 decide → 1-0 109001058014004000, mean 1.0 4.0 of 1, due 3.0
      4.999 a 1.0 7.0 → accepted
      6.0 decide → nothing
      next → never
      """
    ),
    (
      "silence between two ticks changes nothing", 0,
      """
      0.0 a 1.0 1.0 → accepted
      0.0 decide → 0-0 105001050012002000, mean 1.0 1.0 of 1, due 0.0
      2.9 a 1.0 4.0 → accepted
      3.0 decide → 1-0 109001058014004000, mean 1.0 4.0 of 1, due 3.0
      """
    ),
    (
      "a position that nobody asked about in time doesn't decide when it is stale", 0,
      """
      0.0 a 1.0 1.0 → accepted
      next → 0.0
      1.001 decide → nothing
      next → never
      1.1 a 1.0 4.0 → accepted
      next → 1.1
      1.1 decide → 1-0 109001058014004000, mean 1.0 4.0 of 1, due 1.1
      """
    ),
    (
      "100 ms late keeps the grid", 0,
      """
      0.0 a 1.0 1.0 → accepted
      0.0 decide → 0-0 105001050012002000, mean 1.0 1.0 of 1, due 0.0
      3.0 a 1.0 1.0 → accepted
      3.1 decide → 0-0 105001050012002000, mean 1.0 1.0 of 1, due 3.0
      next → 6.0
      """
    ),
    (
      "later than 100 ms skips the period", 0,
      """
      0.0 a 1.0 1.0 → accepted
      0.0 decide → 0-0 105001050012002000, mean 1.0 1.0 of 1, due 0.0
      3.0 a 1.0 1.0 → accepted
      3.101 decide → nothing
      next → 6.0
      6.0 a 1.0 4.0 → accepted
      6.0 decide → 1-0 109001058014004000, mean 1.0 4.0 of 1, due 6.0
      next → 9.0
      """
    ),
    (
      "much later skips whole periods and never catches up", 0,
      """
      0.0 a 1.0 1.0 → accepted
      0.0 decide → 0-0 105001050012002000, mean 1.0 1.0 of 1, due 0.0
      10.0 a 1.0 4.0 → accepted
      10.0 decide → nothing
      next → 12.0
      18.05 a 1.0 7.0 → accepted
      18.05 decide → 2-0 113001066016006000, mean 1.0 7.0 of 1, due 18.0
      next → 21.0
      """
    ),
    (
      "two sources never meet in a mean", 0,
      """
      0.0 a 1.0 1.0 → accepted
      0.1 b 7.0 10.0 → other source
      0.1 decide → 0-0 105001050012002000, mean 1.0 1.0 of 1, due 0.1
      1.0 b 7.0 10.0 → other source
      1.001 b 7.0 10.0 → accepted
      1.5 a 1.0 1.0 → other source
      2.5 b 7.0 11.0 → accepted
      3.1 a 1.0 1.0 → other source
      3.1 decide → 3-3 120001080019009500, mean 7.0 11.0 of 1, due 3.1
      3.6 a 1.0 1.0 → accepted
      """
    ),
    (
      "refused positions of another source keep nobody alive", 0,
      """
      0.0 a 1.0 1.0 → accepted
      0.0 decide → 0-0 105001050012002000, mean 1.0 1.0 of 1, due 0.0
      0.9 b 7.0 10.0 → other source
      1.8 c 7.0 10.0 → accepted
      1.9 a 1.0 1.0 → other source
      """
    ),
    (
      "a clock that steps back stands still", 0,
      """
      5.0 a 1.0 1.0 → accepted
      4.0 a 3.0 1.0 → accepted
      4.5 decide → 0-0 105001050012002000, mean 2.0 1.0 of 2, due 5.0
      next → 8.0
      5.0 a 2.0 1.0 → accepted
      """
    ),
  ]

  @Test(arguments: scripts.indices) func theScriptComesOutAsWritten(index: Int) throws {
    let (name, apron, script) = Self.scripts[index]
    var runner = try ScriptRunner(apron: apron)
    var transcript: [String] = []
    for line in script.split(separator: "\n") {
      let input = line.prefix { $0 != "→" }
      transcript.append(input + "→ " + runner.perform(input.split(separator: " ")))
    }
    #expect(transcript.joined(separator: "\n") == script, "\(name)")
  }
}

private struct ScriptRunner {
  private var logic: LogicManager

  init(apron: Double) throws {
    logic = LogicManager(
      .init(court: try Court(apron: apron), table: try CommandTable(csv: Self.table))
    )
  }

  mutating func perform(_ words: [Substring]) -> String {
    if words == ["next"] { return logic.nextDecision.map(\.text) ?? "never" }
    let time = MonotonicInstant(
      sinceStart: .milliseconds(Int((Double(words[0])! * 1_000).rounded()))
    )
    if words[1] == "decide" { return logic.decide(at: time).map(\.text) ?? "nothing" }
    let position = try! PlayerPosition(x: Double(words[2])!, y: Double(words[3])!)
    switch logic.insert(position, from: SourceID(connection: String(words[1])), at: time) {
    case .accepted: return "accepted"
    case .otherSource: return "other source"
    }
  }

  static let table = """
    zone,command
    0-0,105001050012002000
    0-1,106001052012002500
    0-2,107001054013003000
    0-3,108001056013003500
    1-0,109001058014004000
    1-1,110001060014004500
    1-2,111001062015005000
    1-3,112001064015005500
    2-0,113001066016006000
    2-1,114001068016006500
    2-2,115001070017007000
    2-3,116001072017007500
    3-0,117001074018008000
    3-1,118001076018008500
    3-2,119001078019009000
    3-3,120001080019009500
    """
}

extension MonotonicInstant {
  fileprivate var text: String { "\(seconds)" }
}

extension Decision {
  fileprivate var text: String {
    "\(zone.map(\.description) ?? "out") \(command), mean \(position.x) \(position.y)"
      + " of \(sampleCount), due \(due.text)"
  }
}
