import TestSupport
import Testing

/// A coach gives a lesson, with a phone's terminal beside the court.
@Suite(.mockOnly("the lesson needs no real ball"), .mustEnd)
struct CoachStory {
  @Test func aCoachArmsPausesAndStopsALessonAndLooksAtItAfterwards() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(["serve", "--json", "--bus", setup.address])
      _ = try await serve.next("link", state: "ready")
      let player = StandingPlayer(in: setup.directory)
      player.stand(in: "3-1")
      defer { player.leave() }

      let (desk, phone) = (try Terminal(on: setup), try Terminal(on: setup, columns: 45))
      try await phone.types("ballmachine watch")
      try await phone.sees(
        "│░3-1░│",
        "Link      ready",
        "Arming    disarmed: every start is disarmed"
      )
      let picture = try await phone.sees("\n STOP  space or s    q leaves")
      #expect(picture.split(separator: "\n").allSatisfy { $0.count <= 45 })

      try await desk.types("ballmachine arm 1")
      try await desk.sees("SIM  countdown 1.0 s: balls fly when it ends")
      try await phone.sees("Arming    countdown ", "balls fly", "Arming    LIVE")
      try await desk.types("ballmachine watch | grep -m 1 zone")
      try await desk.sees("  ball ", "zone 3-1  118001076018008500  delivered  ")
      try await desk.types("ballmachine pause")
      try await desk.sees("SIM  paused: a user paused it")
      try await phone.sees("Arming    paused: a user paused it", "Next ball none")
      try await desk.types("ballmachine resume")
      try await desk.sees("SIM  countdown 3.0 s: feeding continues when it ends")
      try await phone.sees("Arming    countdown ", "Arming    LIVE")

      phone.presses(" ")
      try await phone.sees("Arming    stopped: ", "\nstop  the machine has acknowledged the stop")
      try await phone.sees("\n STOP  space or s    q leaves")
      try await desk.types("ballmachine status")
      try await desk.sees("Arming   stopped: the machine has acknowledged the stop command\n")
      try await desk.sees("Player   x ", "zone 3-1\n", " since it was armed", "Last     ball ")
      phone.presses("q")
      try await phone.sees("stop  the machine has acknowledged the stop command\n")
      try await phone.types("exit")
      try await desk.types("ballmachine arm")
      try await desk.sees("ballmachine arm: stop is latched: reset first\n")
      try await desk.types("ballmachine reset", after: 75)
      try await desk.sees("SIM  disarmed: the stop was reset")

      #expect(try await serve.terminate().code == 0)
      try await desk.types(
        "ballmachine replay $BALLMACHINE_STATE_DIRECTORY/sessions/*-001.ndjson --dry-run"
      )
      try await desk.sees("zone 3-1  118001076018008500\n", " from ", "zone 3-1: ")
      try await desk.types("exit")
      let writes = try await mock.terminate()
      #expect(Set(writes.ballWrites()) == [CourtFacts.commands["3-1"]])
      #expect(writes.writes().last == CourtFacts.stop)
    }
  }
}
