import Foundation
import TestSupport
import Testing

/// The author of a detector feeds a simulation with it.
@Suite(.mockOnly("an author has no machine"), .mustEnd)
struct DetectorAuthorStory {
  /// The README's detector, which misses one coordinate now and then, from its first line on: when a
  /// player is seen, a line has been refused.
  private static let detector = """
    import itertools, json, time

    for number in itertools.count():
        position = {"x": 4.1} if number % 20 == 0 else {"x": 4.1, "y": 9.8}
        print(json.dumps(position), flush=True)
        time.sleep(0.1)

    """

  @Test func anAuthorPipesADetectorIntoTheSimulationAndReadsWhatWasRefused() async throws {
    try await CommandLineSetup.with { setup in
      _ = try setup.write(Self.detector, to: "detector.py")
      let (left, right) = (try Terminal(on: setup), try Terminal(on: setup))
      try await left.types("python3 detector.py | ballmachine simulate --positions -")
      try await left.sees("Link      ready", "Player    x 4.10  y 9.80", "Zone      3-1")
      try await left.sees("Last      118001076018008500", "delivered, ")

      try await right.types("ballmachine status --simulate")
      try await right.sees("Arming   LIVE\n", "Player   x 4.10 y 9.80 of ", "zone 3-1\n")
      try await right.sees(" refused, the last ", " ago: stdin, line ", "“{\"x\": 4.1}”: “y”")
      left.presses(Terminal.ctrlC)
      try await left.sees(
        " positions (SIM)\n",
        "not used: ",
        " bad line",
        "stop: the machine has acknowledged the stop command\n"
      )
    }
  }

  /// The README's own, word for word: it ends with the simulation, without a word.
  @Test func theDetectorOfTheReadmeEndsQuietly() async throws {
    let page = try String(
      contentsOf: URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("../../../README.md").standardized,
      encoding: .utf8
    )
    let found = try #require(
      try /<!-- file detector\.py -->\n```python\n(?<code>[^`]*)```/.firstMatch(in: page)
    )
    try await CommandLineSetup.with { setup in
      _ = try setup.write(String(found.code), to: "detector.py")
      let desk = try Terminal(on: setup)
      try await desk.types(
        "python3 detector.py | ballmachine simulate --positions - --duration 3 | cat"
      )
      try await desk.sees("ball 1  x 4.10 y 9.80", "the mock machine received 1 ball command")
      let end = try await desk.sees("[0] $ ")
      #expect(!end.contains("Error") && !end.contains("Traceback"), "\(end)")
      desk.presses("exit\n")
    }
  }

  @Test func anAuthorIsToldWhatWasRefusedAndSeesThePlayerOverTheSockets() async throws {
    try await CommandLineSetup.with { setup in
      _ = try setup.write(Self.detector, to: "detector.py")
      let (left, right) = (try Terminal(on: setup), try Terminal(on: setup))
      try await left.types("ballmachine simulate --positions unix:detector.sock")
      try await left.sees("Player    not seen")
      try await right.types(
        #"(echo '{"replies": true}'; python3 detector.py) | socat -t 1 - UNIX-CONNECT:detector.sock"#
      )
      try await right.sees(#"{"replies":true}"#, "“y” is missing")
      try await left.sees("Link      ready", "Player    x 4.10  y 9.80", "delivered, ")

      let third = try Terminal(on: setup)
      let subscription = #"{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"player":0.5}}"#
      try await third.types(
        "echo '\(subscription)' | socat -t 60 - UNIX-CONNECT:ballmachine-simulation/control.sock"
          + " | grep -m 1 '\"position\"'"
      )
      try await third.sees("9.8")
      try await third.types("ballmachine status --simulate")
      try await third.sees("Player   x 4.10 y 9.80 of ", " ago: client 1, line ")

      right.presses(Terminal.ctrlC)
      try await left.sees("Player    not seen")
      left.presses(Terminal.ctrlC)
      try await left.sees(
        " positions (SIM)\n",
        "stop: the machine has acknowledged the stop command\n"
      )
      try await left.types("exit")
    }
  }

  /// There is no other machine: ssh runs the manual's command here.
  @Test func anAuthorFeedsFromAnotherMachineAsTheManualSays() async throws {
    try await CommandLineSetup.with { setup in
      _ = try setup.write(Self.detector, to: "detector.py")
      let (box, other) = (try Terminal(on: setup), try Terminal(on: setup))
      try await box.types("ballmachine serve --positions tcp:5000")
      try await box.sees("there is no network here", " through ssh and socat, see ballmachine(1), ")
      try await box.sees("“\(Self.section)”\n")
      try await box.types("ballmachine simulate", after: 64)
      try await box.sees("Link      ready", "delivered, ")
      try await other.types(#"ssh() { shift; "$@"; }"#)
      try await other.types(
        try Self.command.replacing("detect-player", with: "python3 detector.py")
          .replacing("/run/ballmachine/", with: "ballmachine-simulation/")
      )
      try await box.sees(
        "Player    x 4.10  y 9.80",
        "Zone      3-1",
        "Last      118001076018008500"
      )
      other.presses(Terminal.ctrlC)
      try await box.sees("Player    not seen", "Next ball paused: no player is⌫", "seen⌫")
      box.presses(Terminal.ctrlC)
      try await box.sees(
        " positions (SIM)\n",
        "stop: the machine has acknowledged the stop command\n"
      )
      try await box.types("exit")
    }
  }

  private static let section = "Positions from another machine"

  /// The manual's example of that section, as a person would type it.
  private static var command: String {
    get throws {
      let manual = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../tools/man/ballmachine.1")
      let text = try String(contentsOf: manual, encoding: .utf8)
      let lines = text.split(separator: "\n").drop { $0 != ".Ss \(section)" }
        .drop { !$0.hasPrefix(".Bd ") }.dropFirst().prefix { $0 != ".Ed" }
      return lines.joined().replacing("\\e", with: "").replacing("\\-", with: "-")
    }
  }
}
