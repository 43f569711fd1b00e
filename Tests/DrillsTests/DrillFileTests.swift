import CourtLogic
import Drills
import Host
import TestSupport
import Testing
import Training
import YAML

/// Drills as files have them: their values, and all that can be wrong.
struct DrillFileTests {
  private func drill(_ yaml: String) throws(DrillError) -> DrillFile {
    try DrillFile(name: "test", source: "test.yaml", bytes: Array(yaml.utf8))
  }

  private func problems(_ yaml: String) -> [String] {
    do throws(DrillError) {
      _ = try drill(yaml)
      return []
    } catch { return error.problems.map(\.description) }
  }

  @Test func allKeys() throws {
    let file = try drill(
      """
      name: "Deep, deep, short"
      about: A rally.
      aim: plan
      seed: 7
      shots:
        - 3-0
        - [3-1, 3-2 topspin]
        - {3-1: 2, 3-2: 1}
        - zone: {3-1: 1, 3-2: 1}
          repeat: [2, 5]
        - zone: 1-0
          repeat: 3
      interval: 4.5
      balls: 20
      sets: 3
      rest: 40
      no-repeat: false
      levels:
        beginner: {interval: 7, balls: 10, sets: 1, rest: 0, mirror: true, shots: [3-3]}
      """
    )
    #expect(
      file.title == "Deep, deep, short" && file.about == "A rally." && file.levels == [.beginner]
    )
    func targets(_ items: (String, Int)...) -> WeightedTargets {
      WeightedTargets(items.map { .init(Target($0.0)!, weight: $0.1) })
    }
    var expected = Drill(
      name: "test",
      strategy: .plan([
        .init(targets(("3-0", 1))),
        .init(targets(("3-1", 1), ("3-2 topspin", 1))),
        .init(targets(("3-1", 2), ("3-2", 1))),
        .init(targets(("3-1", 1), ("3-2", 1)), balls: 2...5),
        .init(targets(("1-0", 1)), balls: 3...3),
      ]),
      interval: .seconds(4.5),
      balls: 20,
      sets: 3,
      rest: .seconds(40),
      seed: 7
    )
    #expect(file.drill(at: nil) == expected)
    // A level that the file doesn't speak of has the drill's own values.
    expected.level = .advanced
    #expect(file.drill(at: .advanced) == expected)
    let beginner = file.drill(at: .beginner)
    #expect(beginner.strategy == .plan([.init(targets(("3-0", 1)))]))
    #expect((beginner.interval, beginner.balls, beginner.sets) == (.seconds(7), 10, 1))
  }

  @Test(arguments: [
    ("", ["aim is missing", "interval is missing", "balls is missing"]),
    ("aim: plan\ninterval: 4\nballs: 3\n", ["shots is missing: aim: plan needs it"]),
    ("aim: random\ninterval: 4\nballs: 3\n", ["zones is missing: aim: random needs it"]),
    (
      "aim: away\nzones: [3-0]\ninterval: 4\nballs: 3\n",
      ["distance is missing: aim: away needs it"]
    ),
  ])
  func whatIsMissing(_ yaml: String, _ expected: [String]) {
    #expect(problems(yaml) == expected.map { "test.yaml: \($0)" })
  }

  @Test(arguments: [
    ("intervall: 4", "there is no key `intervall`; did you mean `interval`?"),
    ("level: {}", "there is no key `level`; did you mean `levels`?"),
    (
      "levels: {beginer: {balls: 3}}",
      "there is no section `beginer` in levels; did you mean `beginner`?"
    ),
    (
      "levels: {beginner: {seed: 3}}",
      "there is no key `seed` in levels.beginner; did you mean `sets`?"
    ),
    ("levels.beginner: {balls: 3}", "there is no key `levels.beginner`"),
    ("aim: around", "aim: `around` is not follow or away or sides or random or plan"),
    ("balls: 0", "balls: `0` is not a whole number from 1 to 500"),
    ("interval: 1", "interval: `1` is not a number of seconds from 1.95 to 60"),
    ("zones: [3-0, 3-0]", "zones: 3-0 is given twice: give it a weight instead, {3-0: 2}"),
    ("zones: [3-4]", "zones: `3-4` is not a zone such as 3-0 or 3-0 topspin"),
    ("zones: {3-0: 0}", "zones: `0` is not a weight, a whole number from 1 to 100"),
    (
      "zones: [3-0 slice]",
      "zones: `3-0 slice` is not a zone such as 3-0 or 3-0 topspin: the spins are flat, topspin, backspin, extreme-topspin, extreme-backspin"
    ),
    (
      "zones: []",
      "zones: a list is not a zone such as 3-0, a list of zones, or zones with weights such as {3-0: 3, 3-3: 2}"
    ),
    ("shots: [{zone: 3-0, times: 2}]", "shots: a shot has no `times`; there are zone, repeat"),
    ("shots: [{zone: 3-0, repeat: [5, 2]}]", "shots: [5, 2] is empty: write the least value first"),
    (
      "shots: 3-0",
      "shots: `3-0` is not a list of shots, each with a zone: and, if it is repeated, a repeat:"
    ),
    ("distance: [5, 2]", "distance: the range is empty: write the least value first"),
    ("distance: 5", "distance: `5` is not [LEAST, GREATEST], two numbers of metres"),
  ])
  func whatIsWrong(_ line: String, _ expected: String) {
    // The file has the other keys that it needs.
    let rest = ["aim: random", "zones: [3-0]", "interval: 4", "balls: 3"]
      .filter { !line.hasPrefix($0.prefix { $0 != " " }) }
    let found = problems(([line] + rest).joined(separator: "\n"))
    #expect(found.contains { $0.hasSuffix(expected) || $0.contains(": \(expected)") }, "\(found)")
    #expect(found.allSatisfy { $0.hasPrefix("test.yaml:") })
  }

  @Test(arguments: [
    ("random", "zones: [3-0, 3-1]\nshots: [3-0]", "4:8: shots: aim: random has no use for it"),
    ("follow", "distance: [1, 2]", "3:11: distance: aim: follow has no use for it"),
    ("follow", "no-repeat: true", "3:12: no-repeat: aim: follow goes where the player is"),
    (
      "sides", "zones: [3-0, 3-1]",
      "3:8: zones: aim: sides needs a zone of the left columns, 0 and 1, and one of the right, 2 and 3"
    ),
    (
      "random", "zones: [3-0]\nno-repeat: true",
      "3:8: zones: no-repeat needs an alternative to 3-0 here"
    ),
    (
      "plan", "shots: [3-0, 3-3, 3-0]\nno-repeat: true",
      "3:8: shots: no-repeat needs an alternative to 3-0 here"
    ),
    (
      "plan", "shots: [{zone: 3-0, repeat: [1, 2]}, 3-3]\nno-repeat: true",
      "3:8: shots: no-repeat needs an alternative to 3-0 here"
    ),
  ])
  func whatDoesNotGoTogether(_ aim: String, _ lines: String, _ expected: String) {
    let found = problems("# \naim: \(aim)\n\(lines)\ninterval: 4\nballs: 3\n")
    #expect(found == ["test.yaml:\(expected)"])
  }

  /// A level's values that don't go together are an error at their place, the same mistake once.
  @Test func theLevelsAreCheckedToo() {
    let found = problems(
      """
      aim: random
      zones: [3-0, 3-1]
      no-repeat: true
      interval: 4
      balls: 3
      levels:
        beginner: {zones: [3-0]}
        advanced: {balls: 5}
      """
    )
    #expect(found == ["test.yaml:7:21: zones: no-repeat needs an alternative to 3-0 here"])
  }

  @Test func whatTheMachineLacks() throws {
    let table = try CommandTable { _ in try MachineCommand(digits: "110001060014004500") }
    let file = try drill(
      "aim: random\nzones: [3-0 topspin, 3-1]\ninterval: 2\nballs: 3\nlevels: {advanced: {interval: 2.5}}\n"
    )
    let problems = file.problems(
      at: .advanced,
      table: table,
      tablePath: "fast.csv",
      leastInterval: .milliseconds(2_950)
    )
    #expect(
      problems.map(\.description) == [
        "test.yaml:5:31: interval: 2.5 s is less than the least interval here, 2.95 s",
        "test.yaml:2:8: fast.csv has no command for 3-0 topspin",
      ]
    )
  }

  /// Broken files are errors, whatever they hold; none crashes.
  @Test func hostileFiles() {
    var generator = SeededGenerator(seed: 11)
    let good = Array(
      """
      aim: plan
      shots: [{zone: {3-1: 1, 3-2: 1}, repeat: [2, 5]}, 3-0]
      interval: 4
      balls: 3
      levels: {beginner: {interval: 7, shots: [3-3]}}
      """.utf8
    )
    var refused = 0
    for _ in 0..<3_000 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: place)
        default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &generator)], at: place)
        }
      }
      do throws(DrillError) {
        _ = try DrillFile(name: "test", source: "test.yaml", bytes: bytes)
      } catch {
        refused += 1
        if error.problems.isEmpty { Issue.record("no reason for \(bytes)") }
      }
    }
    #expect(refused > 1_000)
  }
}
