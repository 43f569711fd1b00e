import Foundation
import Glibc
import TestSupport
import Testing

/// What the command line says of sessions, from logs that a service has left.
@Suite(.onEitherSetup, .mustEnd)
struct CommandLineSessionsTests {
  private static let name = "000007-20261121T165737Z-001.ndjson"

  /// A session of two balls, and one of the next run that its service didn't survive.
  private static func lines(drill: String = "corners", label: String = "Anna") -> String {
    let time = "\"time\":\"2026-11-21T16:57:37.000Z\""
    let training =
      "\"aim\":\"plan\",\"drill\":\"\(drill)\",\"event\":\"training\",\"interval\":3,"
      + "\"label\":\"\(label)\",\"level\":\"beginner\",\"seed\":7"
    func ball(_ number: Int, _ t: Int, _ target: String) -> String {
      "{\"command\":\"110001060014004500\",\"event\":\"dispatch\",\"latency\":0.1,"
        + "\"number\":\(number),\"outcome\":\"delivered\",\"samples\":9,\"t\":\(t),"
        + "\"target\":\"\(target)\",\(time),\"x\":4,\"y\":11,\"zone\":\"3-1\"}"
    }
    let positions = (0..<70).map { step in
      let x = step < 30 ? 4.0 : 4 + Double(step - 30) / 10
      return "{\"connection\":\"a\",\"event\":\"position\",\"t\":\(13 + Double(step) / 10),"
        + "\"x\":\(x),\"y\":12}"
    }
    return
      ([
        "{\"event\":\"link\",\"mode\":\"SIM\",\"state\":\"ready\",\"t\":1,\(time)}",
        "{\(training),\"t\":10,\(time),\"set\":1,\"sets\":2,\"ball\":0,\"ballsPerSet\":12}",
        "{\"balls\":0,\"code\":\"arming\",\"event\":\"safety\",\"holds\":[],\"state\":\"countdown\","
          + "\"t\":10,\(time)}",
        "{\"balls\":0,\"event\":\"safety\",\"holds\":[],\"state\":\"live\",\"t\":13,\(time)}",
        ball(1, 13, "3-0"),
      ] + positions + [
        ball(2, 16, "3-3"),
        "{\(training),\"t\":16,\(time),\"set\":1,\"sets\":2,\"ball\":2,\"ballsPerSet\":12}",
        "{\"balls\":2,\"code\":\"operator\",\"event\":\"safety\",\"holds\":[],"
          + "\"reason\":\"a user disarmed it\",\"state\":\"disarmed\",\"t\":20,\(time)}",
      ]).map { $0 + "\n" }.joined()
  }

  private static func with(
    _ body: (CommandLineSetup, _ folder: String) async throws -> Void
  ) async throws {
    try await CommandLineSetup.with { setup in
      let folder = setup.path("logs")
      try FileManager.default.createDirectory(
        atPath: folder,
        withIntermediateDirectories: true
      )
      try await body(setup, folder)
    }
  }

  @Test(.mockOnly("it needs no machine"))
  func sessionsAreListedAndSummedUp() async throws {
    try await Self.with { setup, folder in
      _ = try setup.write(Self.lines(), to: "logs/\(Self.name)")
      _ = try setup.write(
        Self.lines() + "{\"connection\":",
        to: "logs/000012-20261122T165737Z-001.ndjson"
      )
      let list = try await setup.run(["sessions", "--logs", folder])
      #expect(list.code == 0 && list.errors == "", "\(list)")
      #expect(list.lines.count == 2)
      #expect(
        list.lines.last?.hasSuffix("0:10  2 balls: 2 delivered  corners (beginner)  Anna") == true,
        "\(list)"
      )
      #expect(
        list.lines.map { $0.prefix(10) } == ["7       SIM", "12      SIM"].map { $0.prefix(10) }
      )
      let session = try await setup.run(["session", "last", "--logs", folder])
      #expect(session.code == 0 && session.errors == "", "\(session)")
      #expect(session.lines.allSatisfy { $0.count <= 80 }, "\(session)")
      for text in [
        "Session 12  ", "  SIM", "corners (beginner), seed 7", "set 1 of 2, ball 2 of 12",
        "a user disarmed it (operator)", "median of 1", "The last 1 like it",
        "seen after 1 of 2 balls",
      ] { #expect(session.output.contains(text), "\(text): \(session)") }
      let json = try await setup.run(["session", "7", "--json", "--logs", folder])
      let record = try #require(
        try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
      )
      #expect(record["event"] as? String == "trainingSession" && record["balls"] as? Int == 2)
      #expect(record["mode"] as? String == "SIM" && record["before"] == nil, "\(json)")
      let latest = try await setup.run(["session", "12", "--json", "--logs", folder])
      #expect(latest.output.contains("\"before\":{\"balls\":2"), "\(latest)")
      let all = try await setup.run(["sessions", "--json", "--all", "--logs", folder])
      #expect(
        try ProgramEvent.all(all.output).map(\.event) == ["trainingSession", "trainingSession"]
      )
      let table = try await setup.run(["sessions", "--csv", "--logs", folder])
      let columns = table.lines.map { $0.split(separator: ",", omittingEmptySubsequences: false) }
      #expect(columns.count == 3 && Set(columns.map(\.count)).count == 1, "\(table)")
      #expect(columns[0][0] == "session" && columns[1][0] == "7" && columns[2][0] == "12")
      let row = try await setup.run(["session", "12", "--csv", "--logs", folder])
      #expect(row.lines == [table.lines[0], table.lines[2]])
    }
  }

  @Test(.mockOnly("it needs no machine"))
  func aSessionIsDrawnIntoAFile() async throws {
    try await Self.with { setup, folder in
      _ = try setup.write(Self.lines(label: "Anna & Ben"), to: "logs/\(Self.name)")
      let path = try setup.write("old", to: "session.svg")
      let drawn = try await setup.run(["session", "7", "--svg", path, "--logs", folder])
      #expect(drawn.code == 0 && drawn.lines.first?.hasPrefix("Session 7") == true, "\(drawn)")
      let picture = try String(contentsOfFile: path, encoding: .utf8)
      #expect(picture.contains(">Anna &amp; Ben</text>") && picture.contains("SIM: simulated"))
      let printed = try await setup.run(["session", "7", "--svg", "-", "--logs", folder])
      #expect(printed.code == 0 && printed.output == picture, "\(printed)")
      let nowhere = setup.path("nothing/session.svg")
      let failed = try await setup.run(["session", "7", "--svg", nowhere, "--logs", folder])
      #expect(failed.code == 73 && failed.errors.contains(nowhere), "\(failed)")
      let full = try await setup.run(["session", "7", "--svg", "/dev/full", "--logs", folder])
      #expect(full.code == 74 && full.errors.contains("No space left"), "\(full)")
      #expect(try await setup.run(["session", "7", "--svg", "-", "--json"]).code == 64)
    }
  }

  @Test func theLogOfAServiceThatIsKilledIsSummedUp() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      let config = try setup.write(
        "court: {apron: 3}\nsafety: {countdown: 0}\n",
        to: "config.yaml"
      )
      var serve = try setup.start(
        ["serve", "--json", "--bus", setup.address, "--config", config])
      _ = try await serve.next("link", state: "ready")
      let feeder = try SocketFeeder(setup.path("positions.sock"))
      let feeding = Ticker { _ in feeder.writeNow("{\"x\": 4.5, \"y\": 12.5}\n") }
      #expect(try await setup.run(["arm"]).code == 0)
      _ = try await serve.next("dispatch")
      _ = try await serve.next("dispatch")
      #expect(try await setup.run(["disarm"]).code == 0)
      _ = try await serve.next("safety", state: "disarmed")
      #expect(try await setup.run(["arm"]).code == 0)
      let number = try #require(try await serve.next("dispatch").number)
      try await setup.logs(#""event":"dispatch""#, times: number)
      serve.program.send(signal: SIGKILL)
      _ = await serve.ending()
      withExtendedLifetime(feeding) {}
      let list = try await setup.run(["sessions", "--config", config])
      #expect(list.lines.count == 2, "\(list)")
      let first = try await setup.run(["session", "1", "--json", "--config", config])
      let record = try #require(
        try JSONSerialization.jsonObject(with: Data(first.output.utf8)) as? [String: Any]
      )
      #expect((record["targets"] as? [String: Int])?["3-2"] ?? 0 >= 2, "\(first)")
      #expect((record["ending"] as? [String: String])?["code"] == "operator", "\(first)")
      #expect(record["distance"] as? Double == 0 && record["lacks"] == nil, "\(first)")
      let second = try await setup.run(["session", "1.2", "--config", config])
      #expect(second.output.contains("the log ends here"), "\(second)")
      #expect(second.output.contains("1 delivered"), "\(second)")
      _ = mock
    }
  }

  /// As for the service's folder, which its group may read.
  @Test(.mockOnly("it needs no machine"), .enabled(if: geteuid() == 0, "it becomes another user"))
  func aMissingRightNamesTheGroup() async throws {
    try await Self.with { setup, folder in
      let log = try setup.write(Self.lines(), to: "logs/\(Self.name)")
      #expect(chmod(setup.directory, 0o755) == 0)
      for path in [folder, log] { #expect(chown(path, 0, getgrnam("daemon").pointee.gr_gid) == 0) }
      let outsider = #"exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@""#
      func run(_ command: [String]) async throws -> BuiltProgram.Result {
        try await setup.run(
          command + ["--logs", folder, "--config", "/dev/null"],
          script: outsider
        )
      }
      for (mode, blocked) in [(mode_t(0o750), folder), (0o755, log)] {
        #expect(chmod(folder, mode) == 0 && chmod(log, 0o640) == 0)
        for command in [["sessions"], ["session", "last"], ["session", "7", "--csv"]] {
          let refused = try await run(command)
          #expect(refused.code == 77 && refused.output == "", "\(refused)")
          #expect(refused.errors.contains("\(blocked): Permission denied"), "\(refused)")
          #expect(refused.errors.contains("run `adduser USER daemon` as root"), "\(refused)")
        }
      }
      #expect(chmod(log, 0o644) == 0)
      #expect(try await run(["sessions"]).lines.count == 1)
    }
  }

  /// The service's own state directory is looked at without `--logs`.
  @Test(.mockOnly("it needs no machine"))
  func whatIsNotThereIsSaid() async throws {
    try await Self.with { setup, folder in
      let empty = try await setup.run(["sessions"])
      #expect(empty.code == 0 && empty.output == "", "\(empty)")
      #expect(empty.errors == "no training sessions in \(setup.path("state"))/sessions\n")
      let none = try await setup.run(["session", "last", "--logs", folder])
      #expect(none.code == 66, "\(none)")
      // One that is not mounted has no sessions either, but a table without rows would hide it.
      let nowhere = setup.path("nowhere")
      for command in [["sessions", "--csv"], ["sessions"], ["session", "last"]] {
        let lost = try await setup.run(command + ["--logs", nowhere])
        #expect(lost.code == 66 && lost.output == "", "\(lost)")
        #expect(lost.errors.contains("\(nowhere): No such file or directory"), "\(lost)")
      }
      _ = try setup.write(Self.lines(), to: "logs/\(Self.name)")
      for name in ["8", "7.2"] {
        let missing = try await setup.run(["session", name, "--logs", folder, "--json"])
        #expect(missing.code == 66 && missing.errors.contains("there is no session \(name) in"))
        #expect(try ProgramEvent.all(missing.output).map(\.event) == ["error"])
      }
      #expect(try await setup.run(["session", "7.x", "--logs", folder]).code == 64)
      #expect(try await setup.run(["session", "7", "--csv", "--json"]).code == 64)
    }
  }
}
