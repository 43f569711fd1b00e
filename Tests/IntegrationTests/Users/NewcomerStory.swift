import TestSupport
import Testing

/// A newcomer has ten minutes, a terminal and the README.
@Suite(.mockOnly("a newcomer has no machine"), .mustEnd)
struct NewcomerStory {
  @Test func aNewcomerWatchesTheMockAndEndsItWithTheKeyOnTheScreen() async throws {
    try await CommandLineSetup.with { setup in
      let desk = try Terminal(on: setup)
      try await desk.types("ballmachine")
      try await desk.sees("Try it without a machine:\n  simulate     Run the bridge against a mock")

      try await desk.types("ballmachine simulate --sped 4")
      try await desk.sees("unrecognized option '--sped'", "Try `ballmachine simulate --help'")

      try await desk.types("ballmachine simulate --speed 4 --seed 7", after: 64)
      // The README's picture.
      try await desk.sees(
        " SIM   Ball machine bridge",
        " of 1:00  ×4",
        "══ net ══",
        "Link      ready"
      )
      try await desk.sees("Player    x ", "Zone      ", "Next ball ", "Last      1", "delivered, ")
      try await desk.sees("Ctrl-C ends it, with a stop command to the machine.")
      desk.presses(Terminal.ctrlC)
      try await desk.sees(
        "in ",
        " positions (SIM)\n",
        "outcomes: delivered ",
        "stop: the machine has acknowledged the stop command\n"
      )
      try await desk.sees("the mock machine received ", " ball command", " stop command")
      try await desk.types("exit")
    }
  }
}
