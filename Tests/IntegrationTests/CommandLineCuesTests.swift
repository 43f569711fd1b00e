import Foundation
import TestSupport
import Testing

/// `cues`: what is heard at the court.
@Suite(.mockOnly("what is said has nothing to do with the stack"), .mustEnd)
struct CommandLineCuesTests {
  /// A program that speaks, to its own taste.
  ///
  /// A process of its own writes it: a child of another test could inherit the open file, and as long
  /// as that is open for writing it can't be run.
  private func speaker(_ script: String, in setup: CommandLineSetup) async throws -> String {
    let text = try setup.write("#!/bin/sh\n\(script)\n", to: "speaker.text")
    let path = setup.path("speaker")
    let written = try await setup.run([], script: "install -m 755 \(text) \(path)")
    try #require(written.code == 0, "\(written.errors)")
    return path
  }

  /// `cues`, once it waits for a service: one that starts later would miss what it is to say. What it
  /// says to people is in the file `waits`.
  private func waitingCues(
    _ options: [String],
    in setup: CommandLineSetup
  ) async throws -> ProgramEvents {
    let cues = try setup.start(
      ["cues", "--json"] + options,
      script: """
        exec "$@" 2> >(while read -r line; do echo "$line" >> "\(setup.path("waits"))"; done)
        """
    )
    try await setup.appears("waits")
    return cues
  }

  @Test func aSessionIsHeardFromOneServiceToTheNext() async throws {
    try await CommandLineSetup.with { setup in
      let heard = setup.path("heard")
      let speaker = try await speaker(#"echo "$@" >> \#(heard)"#, in: setup)
      var cues = try await waitingCues(["--speaker", speaker, "--volume", "50"], in: setup)
      _ = try await setup.mock()
      var serve = try setup.start(serving(setup))
      _ = try await serve.next("link", state: "ready")
      #expect(try await setup.run(["stop"]).code == 0)
      var cue = try await cues.next("cue")
      if cue.cue == "stopping" { cue = try await cues.next("cue") }
      #expect(cue.cue == "stopped" && cue.text == "Stopped.")
      #expect(try await setup.run(["reset"]).code == 0)
      #expect(try await cues.next("cue").cue == "disarmed")
      #expect(try await setup.run(["arm", "--countdown", "1"]).code == 0)
      let countdown = try await cues.next("cue")
      #expect(countdown.cue == "countdown" && countdown.seconds == 1, "\(countdown)")
      #expect(try await cues.next("cue").cue == "live")
      // Balls could fly when it went.
      serve.program.send(signal: SIGKILL)
      #expect(try await cues.next("cue").text == "The bridge is gone. Use the switch!")
      // Its sockets close before its lock is free.
      #expect(await serve.ending().code == 128 + SIGKILL)
      serve = try setup.start(serving(setup))
      #expect(try await cues.next("cue").cue == "disarmed")
      #expect(try await cues.terminate().code == 0)
      let waits = try String(contentsOfFile: setup.path("waits"), encoding: .utf8)
      #expect(waits.split(separator: "\n").allSatisfy { $0.contains("waiting: no service runs ") })
      // Others may have been cut off before they could write.
      let lines = try String(contentsOfFile: heard, encoding: .utf8).split(separator: "\n")
      #expect(lines.contains("-v en -a 50 -- Balls in 1."), "\(lines)")
    }
  }

  @Test func aLinkThatIsLostDoesntKeepTheStopsWarningBack() async throws {
    try await CommandLineSetup.with { setup in
      var cues = try await waitingCues(["--speaker", "true"], in: setup)
      let mock = try await setup.mock()
      var serve = try setup.start(serving(setup))
      _ = try await serve.next("link", state: "ready")
      try await mock.perform("hang-writes \(CommandLineSetup.machine) lost always")
      async let stop = setup.run(["stop"])
      #expect(try await cues.next("cue").cue == "stopping")
      try await mock.perform("vanish \(CommandLineSetup.machine)")
      // On a busy box the two seconds of patience may be over before the link is.
      let heard = [try await cues.next("cue").cue, try await cues.next("cue").cue]
      #expect(Set(heard) == ["link-lost", "stop-unconfirmed"])
      #expect(try await stop.code != 0)
    }
  }

  @Test func aDrillIsHeardToItsEnd() async throws {
    try await CommandLineSetup.with { setup in
      var cues = try await waitingCues(["--simulate", "--speaker", "true"], in: setup)
      // It looks for a service once a second.
      let simulation = try setup.start(
        [
          "simulate", "--json", "--drill", "two-corners", "--level", "advanced",
          "--countdown", "3", "--speed", "10",
        ]
      )
      var heard: Set<String> = []
      var rests: [Double] = []
      while !heard.contains("drill-over") {
        let cue = try await cues.next("cue")
        heard.insert(cue.cue ?? "")
        if cue.cue == "rest" { rests.append(cue.seconds ?? 0) }
      }
      // Of 30 s, the last 3 are a countdown's. The first 3.5 are the last ball's.
      #expect(!rests.isEmpty && rests.allSatisfy { (20..<27).contains($0) }, "\(rests)")
      #expect(heard.isSuperset(of: ["rest", "next-set", "live", "last-ball"]), "\(heard)")
      #expect(try await simulation.result().code == 0)
      #expect(try await cues.terminate().code == 0)
    }
  }

  @Test(arguments: ["en", "de"]) func espeakSaysIt(_ language: String) async throws {
    try await CommandLineSetup.with { setup in
      // As a sound file, because a box for tests has no loudspeaker, and only the longer cue.
      let file = setup.path("said")
      let speaker = try await speaker(
        """
        case "$*" in *"! "*) espeak-ng -w \(file).part "$@" && mv \(file).part \(file).wav ;; esac
        """,
        in: setup
      )
      var serve = try setup.start(serving(setup))
      _ = try await serve.next("start")
      // There is no machine.
      #expect(try await setup.run(["stop"]).code == 69)
      var cues = try setup.start(["cues", "--json", "--speaker", speaker, "--language", language])
      #expect(try await cues.next("cue").cue == "stop-not-delivered")
      try await setup.appears("said.wav")
      let bytes = try Data(contentsOf: URL(fileURLWithPath: file + ".wav"))
      #expect(bytes.prefix(4) == Data("RIFF".utf8))
      // 22,050 samples a second of two bytes, behind a header of 44.
      let seconds = Double(bytes.count - 44) / 44_100
      #expect((1...5).contains(seconds), "\(seconds) s")
      // Its own end is none of the service's.
      let (code, events, _) = try await cues.terminate()
      #expect(code == 0 && events.map(\.cue) == ["stop-not-delivered"])
      _ = try await serve.terminate()
    }
  }

  @Test func whatIsWrongWithTheSoundIsSaidOnceAndCuesGoOn() async throws {
    try await CommandLineSetup.with { setup in
      var serve = try setup.start(serving(setup))
      _ = try await serve.next("start")
      var cues = try setup.start(["cues", "--json", "--speaker", "/proc/none"])
      _ = try await setup.run(["stop"])
      #expect(try await cues.next("cue").cue?.hasPrefix("stop") == true)
      #expect(try await setup.run(["reset"]).code == 0)
      while try await cues.next("cue").cue != "disarmed" {}
      let (code, _, errors) = try await cues.terminate()
      #expect(code == 0)
      let lines = errors.split(separator: "\n").filter { !$0.contains("waiting") }
      #expect(
        lines == [
          "ballmachine cues: can't run /proc/none: No such file or directory; cues go on as text"
        ]
      )
      let wrong = try setup.write("en: {lvie: a}\n", to: "cues.yaml")
      let refused = try await setup.run(["cues", "--texts", wrong])
      #expect(refused.code == 78)
      #expect(refused.errors.contains("\(wrong):1:6: there is no key `lvie` in en"))
    }
  }

  @Test func itEndsWhenItsReaderHasLeft() async throws {
    try await CommandLineSetup.with { setup in
      var serve = try setup.start(serving(setup))
      _ = try await serve.next("start")
      // There is no machine.
      #expect(try await setup.run(["stop"]).code == 69)
      var cues = try setup.start(
        ["cues", "--json", "--speaker", "true"],
        script: #""$@" | head -n 1; echo '{"event":"ended"}'"#
      )
      #expect(try await cues.next("cue").cue == "stop-not-delivered")
      // The first of these may come before the reader has gone.
      let others = Task {
        while !Task.isCancelled {
          for verb in ["reset", "stop"] { _ = try await setup.run([verb]) }
        }
      }
      defer { others.cancel() }
      _ = try await cues.next("ended")
    }
  }

  private func serving(_ setup: CommandLineSetup) -> [String] {
    ["serve", "--json", "--bus", setup.address]
  }
}
