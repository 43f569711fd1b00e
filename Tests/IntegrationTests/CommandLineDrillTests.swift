import Foundation
import Glibc
import TestSupport
import Testing

/// Drills on the command line: a coach lists, checks, tries and loads them.
@Suite(.mockOnly("the drills' balls are a mock's"), .mustEnd)
struct CommandLineDrillTests {
  private static let drills = ["deep-deep-short", "run", "three-to-the-backhand", "two-corners"]
  private static let levels = ["beginner", "intermediate", "advanced"]

  /// Each drill at each level: the machine gets what `explain` has said, or where the aim depends on
  /// the player, what the drill allows for where the player was. One level after the other: twelve
  /// simulations at once would starve the tests beside them.
  @Test(arguments: drills) func theMachineGetsWhatExplainSays(_ drill: String) async throws {
    for level in Self.levels { try await compare(drill, at: level) }
  }

  private func compare(_ drill: String, at level: String) async throws {
    try await CommandLineSetup.with { setup in
      let choice = ["--drill", drill, "--level", level, "--seed", "3", "--json"]
      let explained = try ProgramEvent.all(try await setup.run(["explain"] + choice).output)
      let plan = try #require(explained.last)
      let sets = try #require(plan.sets)
      let balls = try #require(plan.ballsPerSet)
      let run = try await setup.run(["simulate", "--speed", "20"] + choice)
      #expect(run.code == 0 && run.errors == "")
      let events = try ProgramEvent.all(run.output)
      let received = try #require(events.last?.machineReceived)
      let thrown = received.filter { $0 != CourtFacts.stop }
      try #require(thrown.count == sets * balls)
      // On a busy machine a ball may be too late, and comes again.
      let dispatches = events.named("dispatch").filter { $0.outcome != "notSent" }
      if drill == "run" {
        let zones = dispatches.compactMap(\.target)
        #expect(zones.compactMap { CourtFacts.commands[$0] } == thrown)
        for set in 0..<sets {
          let zones = zones[(set * balls)..<((set + 1) * balls)]
          #expect(zip(zones, zones.dropFirst()).allSatisfy { $0 != $1 })
        }
      } else {
        #expect(thrown == explained.named("shot").compactMap(\.command))
      }
      // Between two balls is the interval, between two sets the rest.
      let interval = try #require(plan.interval)
      let rest = try #require(plan.rest)
      let times = dispatches.compactMap(\.t)
      for (index, (one, next)) in zip(times, times.dropFirst()).enumerated() {
        let isRest = (index + 1).isMultiple(of: balls)
        #expect(next - one > (isRest ? rest : interval) - 0.15, "ball \(index + 2)")
      }
      // The last ball of a set is told of until it has been thrown.
      #expect(events.named("safety").count { $0.state == "resting" } == 2 * (sets - 1))
      #expect(events.named("safety").last?.code == "drillOver")
      // The last ball has its time before the stop command.
      let (last, stop) = (try #require(times.last), try #require(events.named("stop").last?.t))
      #expect(stop - last > 2.5)
    }
  }

  @Test func aCoachLoadsADrillAndArmsIt() async throws {
    try await CommandLineSetup.with { setup in
      let yaml = "aim: plan\nshots: [3-0, 3-3]\ninterval: 3\nballs: 2\nsets: 2\nrest: 10\n"
      try setup.makeFolder("drills")
      _ = try setup.write(yaml, to: "drills/mine.yaml")
      let config = try setup.write("{}\n", to: "config.yaml")
      let mock = try await setup.mock()
      var serve = try setup.start(serving(setup, "--positions", "-", "--config", config))
      _ = try await serve.next("link", state: "ready")
      let listed = try await setup.run(["drills", "--config", config])
      #expect(listed.output.contains("\n                2 × 2 balls every 3 s, rest 10 s: 0:16"))
      let unknown = try await setup.run(["drill", "mien"])
      #expect(unknown.code == 75 && unknown.errors.contains("did you mean mine?"))
      let path = try await setup.run(["drill", "../drills/mine"])
      #expect(path.code == 75 && path.errors.contains("is not a drill's name"))
      let loaded = try await setup.run(["drill", "mine", "--seed", "4"])
      #expect(loaded.output == "SIM  mine  2 × 2 balls  a ball every 3 s\n")
      let armed = try await setup.run(["arm", "--countdown", "0.2", "--player", "Anna"])
      #expect(armed.code == 0)
      let player = Ticker { [program = serve.program] _ in
        program.write(#"{"x": 4, "y": 9}"# + "\n")
      }
      let first = try await serve.next("dispatch")
      #expect(first.target == "3-0" && first.zone == "3-1")
      let refused = try await setup.run(["drill", "--none"])
      #expect(refused.code == 75 && refused.errors.contains("it is armed, for Anna: disarm first"))
      let status = try await setup.run(["status"])
      #expect(status.output.contains("Drill    mine, Anna"), "\(status.output)")
      _ = try await serve.next("safety", state: "resting")
      #expect(try await setup.safety("resume").state == "countdown")
      _ = try await serve.next("safety", state: "disarmed")
      player.cancel()
      let none = try await setup.run(["drill", "--none"])
      #expect(none.output == "SIM  follow, no drill  a ball every 3 s\n")
      #expect(try await serve.terminate().code == 0)
      #expect(
        try await mock.terminate().ballWrites()
          == ["3-0", "3-3", "3-0", "3-3"].compactMap { CourtFacts.commands[$0] }
      )
    }
  }

  @Test func withoutAnArgumentWhatIsLoadedIsShown() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(serving(setup, "--positions", "-"))
      _ = try await serve.next("link", state: "ready")
      #expect(try await setup.run(["drill"]).output == "SIM  follow, no drill  a ball every 3 s\n")
      _ = try await setup.run(["drill", "run", "--level", "beginner"])
      let drill = try await setup.run(["drill"])
      #expect(drill.code == 0 && drill.output.hasPrefix("SIM  run (beginner)  "), "\(drill)")
      #expect(drill.errors.contains("`ballmachine drill DRILL' or --none"))
      let level = try await setup.run(["level"])
      #expect(level.output.hasPrefix("SIM  beginner  a ball every "), "\(level)")
      let json = try await setup.run(["level", "--json"])
      #expect(json.output.contains(#""event":"training""#) && json.errors == "")
      #expect(json.output.contains(#""level":"beginner""#) && json.lines.count == 1)
      let console = try setup.start(["console"])
      console.program.write("drill\nlevel\nquit\n")
      let said = await console.ending()
      #expect(said.code == 0 && said.output.contains("SIM  run (beginner)  "))
      #expect(said.output.contains("SIM  beginner  ") && said.errors.contains("`drill none'"))
      #expect(try await serve.terminate().code == 0)
      _ = try await mock.terminate()
      #expect(try await setup.run(["drill"]).code == 69)
    }
  }

  @Test func aKilledServiceComesBackDisarmedAndWithItsDrillFromTheBeginning() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(serving(setup, "--positions", "-"))
      _ = try await serve.next("link", state: "ready")
      _ = try await setup.run(["drill", "two-corners", "--level", "beginner"])
      _ = try await setup.run(["arm", "--countdown", "0"])
      let player = Ticker { [program = serve.program] _ in
        program.write(#"{"x": 4, "y": 9}"# + "\n")
      }
      _ = try await serve.next("dispatch")
      player.cancel()
      try await setup.logs(#""ball":1,"#, times: 1)
      serve.program.send(signal: SIGKILL)
      _ = await serve.program.result()
      var again = try setup.start(serving(setup, "--positions", "-"))
      _ = try await again.next("link", state: "ready")
      let status = try #require(
        try ProgramEvent.all(try await setup.run(["status", "--json"]).output).first
      )
      #expect(status.safety?.state == "disarmed")
      #expect(status.training?.drill == "two-corners" && status.training?.level == "beginner")
      // How far it came is in the log.
      let session = try await setup.run(["session", "last"])
      #expect(session.code == 0 && session.errors == "")
      #expect(session.output.contains("two-corners"), "\(session.output)")
      #expect(session.output.contains("set 1 of 4, ball 1 of 8"), "\(session.output)")
      let armed = try await setup.run(["arm"])
      let name = "  two-corners (beginner)  profile"
      #expect(armed.output.contains("countdown") && armed.output.contains(name), "\(armed.output)")
      #expect(try await again.terminate().code == 0)
      #expect(try await mock.terminate().ballWrites().count == 1)
    }
  }

  /// Nobody asks for the plain, faster balls: they come only with `level --none`.
  @Test func aDrillIsLoadedAgainWhileItsFileIsThere() async throws {
    try await CommandLineSetup.with { setup in
      try setup.makeFolder("drills")
      let yaml = "aim: random\nzones: [3-0, 3-3]\nseed: 5\ninterval: 9\nballs: 2\n"
      let drill = try setup.write(yaml, to: "drills/mine.yaml")
      let config = try setup.write("{}\n", to: "config.yaml")
      let arguments = serving(setup, "--positions", "-", "--config", config)
      var serve = try setup.start(arguments)
      #expect(try await serve.next("start").interval == 3)
      #expect(try await setup.run(["drill", "mine", "--level", "beginner"]).code == 0)
      #expect(try await serve.terminate().code == 0)
      // The file's seed is the file's.
      let kept = try String(contentsOfFile: setup.path("state/training.json"), encoding: .utf8)
      #expect(!kept.contains("seed"), "\(kept)")

      var again = try setup.start(arguments)
      #expect(try await again.next("start").interval == 9)
      #expect(try await again.terminate().code == 0)

      try FileManager.default.removeItem(atPath: drill)
      var without = try setup.start(arguments)
      let lost = try await without.next("start")
      #expect(lost.drill == nil && lost.level == nil)
      #expect(try await setup.run(["level", "--none"]).code == 0)
      let ending = try await without.terminate()
      #expect(ending.code == 0)
      let warning = "warning: the drill mine and the level beginner can't be loaded again"
      #expect(ending.errors.contains(warning), "\(ending.errors)")
      var plain = try setup.start(arguments)
      #expect(try await plain.next("start").interval == 3)
      #expect(try await plain.terminate().code == 0)
      #expect(access(setup.path("state/training.json"), F_OK) != 0)
    }
  }

  /// The player's walk, the drill's balls: the same every time.
  @Test func aRecordedPlayerGetsADrill() async throws {
    try await CommandLineSetup.with { setup in
      let rows = (0..<600).map { "\(Double($0) / 10),4.0,9.0" }
      let track = try setup.write("timestamp,x,y\n" + rows.joined(separator: "\n"), to: "track.csv")
      let drill = ["replay", track, "--dry-run", "--json", "--drill", "two-corners"]
      let replay = try await setup.run(drill + ["--level", "beginner"])
      #expect(replay.code == 0 && replay.errors == "")
      let decisions = try ProgramEvent.all(replay.output).named("decision")
      // Eight balls 7 s apart, and a rest of 30 s, which the track doesn't see the end of.
      #expect(decisions.map(\.t) == [0, 7, 14, 21, 28, 35, 42, 49])
      #expect(
        decisions.map(\.target) == Array(repeating: ["3-0", "3-3"], count: 4).flatMap(\.self)
      )
      #expect(decisions.allSatisfy { $0.zone == "3-1" })
      let random = [
        "replay", track, "--dry-run", "--drill", "three-to-the-backhand", "--seed", "5",
      ]
      let once = try await setup.run(random)
      #expect(try await setup.run(random).output == once.output && once.code == 0)
      // The drill's own seed counts, unless another one is given.
      try setup.makeFolder("drills")
      let yaml = "aim: random\nzones: [3-0, 3-1, 3-2, 3-3]\nseed: 7\ninterval: 3\nballs: 20\n"
      _ = try setup.write(yaml, to: "drills/mine.yaml")
      let config = try setup.write("{}\n", to: "config.yaml")
      let mine = ["replay", track, "--dry-run", "--drill", "mine", "--config", config]
      let own = try await setup.run(mine)
      #expect(try await setup.run(mine + ["--seed", "7"]).output == own.output && own.code == 0)
      #expect(try await setup.run(mine + ["--seed", "0"]).output != own.output)
    }
  }

  @Test func aLevelOnTheCommandLine() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(serving(setup))
      _ = try await serve.next("link", state: "ready")
      let level = try await setup.run(["level", "beginner"])
      #expect(level.output == "SIM  follow, no drill (beginner)  a ball every 5 s\n")
      // It stays until another one is set.
      let drill = try await setup.run(["drill", "two-corners"])
      #expect(drill.output == "SIM  two-corners (beginner)  4 × 8 balls  a ball every 7 s\n")
      let advanced = try await setup.run(["level", "advanced"])
      #expect(
        advanced.output == "SIM  two-corners (advanced)  4 × 16 balls  a ball every 3.5 s\n"
      )
      let slower = try await setup.run(["drill", "two-corners", "--level", "beginner"])
      #expect(slower.output == drill.output)
      let follow = try await setup.run(["drill", "--none"])
      #expect(follow.output == level.output)
      #expect(try await setup.run(["level", "--none"]).code == 0)
      let plain = try await setup.run(["drill", "two-corners"])
      #expect(plain.output == "SIM  two-corners  4 × 12 balls  a ball every 5 s\n")
      #expect(try await setup.run(["level", "expert"]).code == 64)
      #expect(try await serve.terminate().code == 0)
      _ = try await mock.terminate()
    }
  }

  private let command = "110001060014004500\n"

  /// A row of a command table for each zone.
  ///
  /// - Parameter column: the level's or the spin's content.
  private func rows(with column: String = "") -> String {
    (0..<16).map { "\($0 / 4)-\($0 % 4),\(column),\(command)" }.joined()
  }

  @Test func whereTheTableLacksTheKeptLevelTheWayOutIsNamed() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      try setup.makeFolder("drills")
      let yaml = "aim: plan\nshots: [3-0]\ninterval: 3\nballs: 3\n"
      _ = try setup.write(yaml, to: "drills/mine.yaml")
      let table = rows() + "3-0,beginner,\(command)"
      _ = try setup.write("zone,level,command\n" + table, to: "table.csv")
      let config = try setup.write("court:\n  table: table.csv\n", to: "config.yaml")
      var serve = try setup.start(serving(setup) + ["--config", config])
      _ = try await serve.next("link", state: "ready")
      #expect(try await setup.run(["drill", "mine", "--level", "beginner"]).code == 0)
      let kept = try await setup.run(["drill", "--none"])
      #expect(
        kept.code == 75 && kept.errors.contains("none: `ballmachine level --none`"),
        "\(kept)"
      )
      // A reload that takes the level away names the same way.
      _ = try setup.write("court:\n  table: other.csv\n", to: "config.yaml")
      let other = rows() + "3-0,advanced,\(command)"
      _ = try setup.write("zone,level,command\n" + other, to: "other.csv")
      let reload = try await setup.run(["reload"])
      #expect(
        reload.code == 75 && reload.errors.contains("run `level --none' first"),
        "\(reload)"
      )
      #expect(try await setup.run(["level", "--none"]).code == 0)
      #expect(try await setup.run(["reload"]).code == 0)
      #expect(try await setup.run(["drill", "--none"]).code == 0)
      #expect(try await serve.terminate().code == 0)
      _ = try await mock.terminate()
    }
  }

  // MARK: A table that loses its levels

  /// A service whose table has a beginner's commands, or has lost all levels.
  private struct LevelledService {
    let setup: CommandLineSetup
    let plain: String
    let levelled: String
    let config: String

    func write(hasLevels: Bool) throws {
      _ = try setup.write(hasLevels ? levelled : plain, to: "table.csv")
    }

    func start() async throws -> (events: ProgramEvents, start: ProgramEvent) {
      var serve = try setup.start(serving(setup, "--arm", "--positions", "-", "--config", config))
      let start = try await serve.next("start")
      return (serve, start)
    }

    /// Disarmed, so that something can be loaded.
    func startWithLevels() async throws -> ProgramEvents {
      try write(hasLevels: true)
      let (events, _) = try await start()
      #expect(try await setup.run(["disarm"]).code == 0)
      return events
    }
  }

  private func levelled(_ setup: CommandLineSetup) throws -> LevelledService {
    LevelledService(
      setup: setup,
      plain: "zone,level,command\n" + rows(),
      levelled: "zone,level,command\n" + rows() + rows(with: "beginner"),
      config: try setup.write("court:\n  table: table.csv\n", to: "config.yaml")
    )
  }

  /// The plain balls, which are faster, come only if a person asks for them.
  @Test func whereTheTableHasLostAllLevelsNothingIsArmed() async throws {
    try await CommandLineSetup.with { setup in
      _ = try await setup.mock()
      let service = try levelled(setup)
      let first = try await service.startWithLevels()
      #expect(try await setup.run(["level", "beginner"]).code == 0)
      #expect(try await first.terminate().code == 0)

      try service.write(hasLevels: false)
      var (serve, start) = try await service.start()
      #expect(start.armed == false && start.level == nil)
      _ = try await serve.next("link", state: "ready")
      let refused = try await setup.run(["arm"])
      #expect(refused.code == 75 && refused.errors.contains("`ballmachine reload`"), "\(refused)")
      #expect(try await setup.run(["status"]).output.contains("the level beginner is lost"))
      // Each would have the plain commands.
      for plain in [["drill", "two-corners"], ["level", "beginner"], ["level", "advanced"]] {
        let refused = try await setup.run(plain)
        #expect(refused.code == 75, "\(refused)")
        #expect(refused.errors.contains("has no command for"), "\(refused)")
      }
      // Once the table is mended, a reload loads it.
      try service.write(hasLevels: true)
      #expect(try await setup.run(["reload"]).code == 0)
      let status = try await setup.run(["status"]).output
      #expect(status.contains("(beginner)") && !status.contains("is lost"), "\(status)")
      #expect(try await setup.run(["arm"]).code == 0)
      #expect(try await serve.terminate().code == 0)
    }
  }

  @Test func onlyAPersonGivesUpALevelThatTheTableHasLost() async throws {
    try await CommandLineSetup.with { setup in
      _ = try await setup.mock()
      let service = try levelled(setup)
      let first = try await service.startWithLevels()
      let drill = ["drill", "two-corners", "--level", "beginner"]
      #expect(try await setup.run(drill).code == 0)
      // Nor does a reload take it away.
      try service.write(hasLevels: false)
      let reload = try await setup.run(["reload"])
      #expect(reload.code == 75 && reload.errors.contains("`level --none' first"), "\(reload)")
      #expect(try await first.terminate().code == 0)

      var (serve, start) = try await service.start()
      #expect(start.armed == false && start.drill == nil && start.level == nil)
      _ = try await serve.next("link", state: "ready")
      #expect(try await setup.run(["arm"]).code == 75)
      #expect(try await setup.run(["level", "--none"]).code == 0)
      // In a table without levels all have the same commands, and a person knows it now.
      #expect(try await setup.run(["level", "beginner"]).code == 0)
      #expect(try await setup.run(["arm"]).code == 0)
      #expect(try await serve.terminate().code == 0)
      let (again, known) = try await service.start()
      #expect(known.armed == true && known.level == "beginner")
      #expect(try await again.terminate().code == 0)
    }
  }

  /// The level was loaded with a table without levels, or by a version that did not keep it.
  @Test(arguments: [false, true])
  func commandsThatALevelGetsLaterAreKnownAgain(byReload: Bool) async throws {
    try await CommandLineSetup.with { setup in
      let service = try levelled(setup)
      try setup.makeFolder("state")
      let kept = #"{"version": 1, "drill": "two-corners", "level": "beginner"}"#
      _ = try setup.write(kept, to: "state/training.json")
      try service.write(hasLevels: !byReload)
      let (first, start) = try await service.start()
      #expect(start.armed == true && start.level == "beginner")
      if byReload {
        try service.write(hasLevels: true)
        #expect(try await setup.run(["reload"]).code == 0)
      }
      #expect(try await first.terminate().code == 0)
      try service.write(hasLevels: false)
      let (second, lost) = try await service.start()
      #expect(lost.armed == false && lost.level == nil)
      #expect(try await second.terminate().code == 0)
      // What could not be loaded meanwhile is kept, too.
      let text = try String(contentsOfFile: setup.path("state/training.json"), encoding: .utf8)
      #expect(text.contains("two-corners"))
    }
  }

  /// What was loaded with a table without levels has the plain commands, and a person knows it.
  @Test(arguments: [false, true])
  func aLevelWithoutCommandsOfItsOwnIsLostOnlyForTheWrongTable(byReload: Bool) async throws {
    try await CommandLineSetup.with { setup in
      _ = try await setup.mock()
      let service = try levelled(setup)
      try setup.makeFolder("state")
      _ = try setup.write(#"{"version": 1, "level": "beginner"}"#, to: "state/training.json")
      _ = try setup.write(service.plain + rows(with: "advanced"), to: "table.csv")
      var (serve, start) = try await service.start()
      #expect(start.armed == false && start.level == nil)
      _ = try await serve.next("link", state: "ready")
      try service.write(hasLevels: false)
      if byReload {
        let reload = try await setup.run(["reload"])
        let loaded = "\nloaded again: follow, no drill (beginner)  a ball every 5 s\n"
        #expect(reload.code == 0 && reload.output.hasSuffix(loaded), "\(reload)")
        let armed = try await setup.run(["arm"])
        #expect(armed.code == 0, "\(armed)")
      }
      #expect(try await serve.terminate().code == 0)
      let (again, known) = try await service.start()
      #expect(known.armed == true && known.level == "beginner")
      #expect(try await again.terminate().code == 0)
    }
  }

  /// It may have been a beginner's level, who would get the plain, faster balls.
  @Test func whatWasLoadedAndCantBeReadIsChosenByAPerson() async throws {
    try await CommandLineSetup.with { setup in
      _ = try await setup.mock()
      let service = try levelled(setup)
      try service.write(hasLevels: true)
      try setup.makeFolder("state")
      _ = try setup.write(#"{"version": 1, "level": "begin"#, to: "state/training.json")
      // Nobody has chosen: the second start knows as little.
      for _ in 0..<2 {
        let (idle, start) = try await service.start()
        #expect(start.armed == false && start.level == nil)
        #expect(try await idle.terminate().code == 0)
      }
      var (serve, _) = try await service.start()
      _ = try await serve.next("link", state: "ready")
      let status = try await setup.run(["status"])
      #expect(status.output.contains("can't be read"), "\(status)")
      for request in [["arm"], ["drill", "two-corners"]] {
        let refused = try await setup.run(request)
        #expect(refused.code == 75 && refused.errors.contains("level --none"), "\(refused)")
      }
      #expect(try await setup.run(["level", "beginner"]).code == 0)
      let aside = try String(
        contentsOfFile: setup.path("state/training.json.broken"),
        encoding: .utf8
      )
      #expect(aside.hasSuffix("begin"))
      #expect(try await setup.run(["arm"]).code == 0)
      #expect(try await serve.terminate().code == 0)
      let (again, known) = try await service.start()
      #expect(known.armed == true && known.level == "beginner")
      #expect(try await again.terminate().code == 0)
    }
  }

  @Test func aReloadThatFindsALostLevelLoadsItsDrillToo() async throws {
    try await CommandLineSetup.with { setup in
      let service = try levelled(setup)
      try setup.makeFolder("state")
      let kept = #""drill": "two-corners", "level": "beginner", "levelHasCommands": true"#
      _ = try setup.write(#"{"version": 1, \#(kept)}"#, to: "state/training.json")
      try service.write(hasLevels: false)
      let (first, lost) = try await service.start()
      #expect(lost.armed == false && lost.level == nil)
      try service.write(hasLevels: true)
      let reload = try await setup.run(["reload"])
      #expect(reload.code == 0, "\(reload)")
      let text = "two-corners (beginner)  4 × 8 balls  a ball every 7 s"
      #expect(
        reload.output == "configuration read: now in force: court.table\nloaded again: \(text)\n",
        "\(reload)"
      )
      #expect(try await setup.run(["status"]).output.contains(text))
      // It is said once.
      let same = try await setup.run(["reload"])
      #expect(same.output == "configuration read: nothing new is in force\n")
      #expect(try await first.terminate().code == 0)
      let known = try String(contentsOfFile: setup.path("state/training.json"), encoding: .utf8)
      #expect(known.contains("\"two-corners\""))
    }
  }

  /// Its level alone, or the plain balls, are others than those that were chosen.
  @Test(arguments: [nil, "beginner"])
  func aDrillThatIsGoneWaitsForAPerson(level: String?) async throws {
    try await CommandLineSetup.with { setup in
      _ = try await setup.mock()
      let service = try levelled(setup)
      try service.write(hasLevels: true)
      try setup.makeFolder("state")
      let kept = level.map { #", "level": "\#($0)""# } ?? ""
      let lost = #"{"version": 1, "drill": "gone"\#(kept)}"#
      let state = try setup.write(lost, to: "state/training.json")
      var (serve, start) = try await service.start()
      #expect(start.armed == false && start.drill == nil && start.level == nil)
      _ = try await serve.next("link", state: "ready")
      let name = level.map { "gone (\($0))" } ?? "gone"
      for state in ["disarmed", "stopped"] {
        if state == "stopped" { #expect(try await setup.run(["stop"]).code == 0) }
        let status = try await setup.run(["status"]).output
        #expect(status.contains(state) && status.contains("the drill \(name) is lost"), "\(status)")
      }
      #expect(try await setup.run(["reset"]).code == 0)
      // Neither finds it.
      #expect(try await setup.run(["reload"]).code == 0)
      let refused = try await setup.run(["arm"])
      #expect(
        refused.code == 75 && refused.errors.contains("`ballmachine drill --none`"),
        "\(refused)"
      )
      #expect(try String(contentsOfFile: state, encoding: .utf8) == lost)
      // A person chooses none: at the level that was chosen before.
      #expect(try await setup.run(["drill", "--none"]).code == 0)
      #expect(try await setup.run(["arm"]).code == 0)
      #expect(try await serve.terminate().code == 0)
      let (again, known) = try await service.start()
      #expect(known.armed == true && known.drill == nil && known.level == level)
      #expect(try await again.terminate().code == 0)
    }
  }

  @Test func aReloadNamesTheCommandThatUnloadsADrill() async throws {
    try await CommandLineSetup.with { setup in
      try setup.makeFolder("drills")
      let yaml = "aim: plan\nshots: [3-0 topspin]\ninterval: 3\nballs: 3\n"
      _ = try setup.write(yaml, to: "drills/spin.yaml")
      let plain = "zone,spin,command\n" + rows()
      _ = try setup.write(plain + "3-0,topspin,\(command)", to: "table.csv")
      let config = try setup.write("court:\n  table: table.csv\n", to: "config.yaml")
      var serve = try setup.start(serving(setup) + ["--config", config])
      _ = try await serve.next("start")
      #expect(try await setup.run(["drill", "spin", "--level", "advanced"]).code == 0)
      let same = try await setup.run(["reload"])
      #expect(same.output == "configuration read: nothing new is in force\n")
      _ = try setup.write(
        yaml.replacing("interval: 3", with: "interval: 9"),
        to: "drills/spin.yaml"
      )
      let changed = try await setup.run(["reload"])
      #expect(
        changed.output.contains("`ballmachine drill spin' loads the changed file"),
        "\(changed)"
      )
      #expect(try await setup.run(["drill", "spin"]).output.contains("a ball every 9 s"))
      _ = try setup.write(plain, to: "table.csv")
      let reload = try await setup.run(["reload"])
      #expect(reload.code == 75 && reload.errors.contains("run `drill --none' first"), "\(reload)")
      #expect(try await setup.run(["drill", "--none"]).code == 0)
      #expect(try await setup.run(["reload"]).code == 0)
      #expect(try await serve.terminate().code == 0)
    }
  }

  @Test(arguments: [["--dry-run"], []])
  func aLevelThatTheTableLacksIsRefusedBeforeTheTrackBegins(options: [String]) async throws {
    try await CommandLineSetup.with { setup in
      let track = try setup.write("timestamp,x,y\n0,4,9\n1,4,9\n", to: "track.csv")
      let content = "zone,level,command\n" + rows() + rows(with: "advanced")
      let table = try setup.write(content, to: "table.csv")
      let replay = ["replay", track, "--table", table, "--level", "beginner"]
      let result = try await setup.run(replay + options + ["--bus", setup.address])
      #expect(result.code == 64 && result.output == "")
      #expect(result.errors.contains("has no command for 0-0 beginner"), "\(result)")
    }
  }

  @Test func wrongDrills() async throws {
    try await CommandLineSetup.with { setup in
      let path = try setup.write(
        "aim: plan\nshots: [3-0, 3-9]\nintervall: 3\nballs: 3\n",
        to: "wrong.yaml"
      )
      let wrong = try await setup.run(["check-drill", path])
      #expect(wrong.code == 65)
      #expect(
        wrong.output == """
          \(path):2:14: shots: `3-9` is not a zone such as 3-0 or 3-0 topspin
          \(path):3:1: there is no key `intervall`; did you mean `interval`?

          """
      )
      #expect(try await setup.run(["check-drill", setup.path("none.yaml")]).code == 66)
      let misnamed = try setup.write(
        "aim: plan\nshots: [3-0]\ninterval: 3\nballs: 3\n",
        to: "My Drill.yaml"
      )
      let checked = try await setup.run(["check-drill", misnamed])
      #expect(checked.code == 0)
      #expect(checked.errors.contains("“My Drill” is not a drill's name"), "\(checked)")
      let json = try await setup.run(["check-drill", "run", "--json"])
      #expect(
        json.code == 0 && json.output.hasPrefix(#"{"drills":[{"about":"Where you are not.","#)
      )
      #expect(try await setup.run(["explain", "--drill", "none"]).code == 66)
      #expect(try await setup.run(["explain", "--balls", "3"]).code == 64)
      #expect(try await setup.run(["drill", "--level", "beginner"]).code == 64)
      #expect(try await setup.run(["drill", "run", "--none"]).code == 64)
    }
  }

}
