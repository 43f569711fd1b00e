import TestSupport
import Testing

/// A club's technician looks after the machine, and tries it by hand.
@Suite(.mockOnly("its machine is switched on and off"), .mustEnd)
struct TechnicianStory {
  @Test func aTechnicianFindsTheMachineOffAndTriesItByHandOnceItIsOn() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock("vanish \(CommandLineSetup.machine)")
      let desk = try Terminal(on: setup)
      try await desk.types("ballmachine status")
      try await desk.sees("ballmachine status: no service runs", "`systemctl start ballmachine`")
      try await desk.types("ballmachine doctor", after: 69)
      try await desk.sees("ok       adapter     hci0 ", "note     machine     BlueZ does not know")
      try await desk.sees("note     service     no service runs", "a link can be made; 0 problems")

      // As systemd does.
      var serve = try setup.start(["serve", "--json", "--bus", setup.address])
      _ = try await serve.next("link", state: "discovering")
      try await desk.types("ballmachine status")
      try await desk.sees("Arming   disarmed: every start is disarmed", "Link     discovering")
      try await desk.types("ballmachine send --zone 1-1")
      try await desk.sees("ballmachine send: the machine is not connected: try again when it is\n")
      try await desk.types("ballmachine watch", after: 75)
      try await desk.sees("Link      discovering")
      try await mock.perform("appear \(CommandLineSetup.machine)")
      try await desk.sees("Link      ready", "BallMachine \(CommandLineSetup.machine)")
      desk.presses("q")

      for (answer, outcome) in [
        ("y", "ballmachine send: not sent: it was not confirmed with yes\n"),
        ("yes", "abcd1234-1234-1234-1234-abcdef123456  110001060014004500  delivered  "),
      ] {
        try await desk.types("ballmachine send --zone 1-1", after: answer == "y" ? 0 : 75)
        try await desk.sees("zone     1-1", "upper motor  11000", "machine  SIM  BallMachine F0:")
        try await desk.types(answer, at: "Is the court clear? Type yes to send it:\n")
        try await desk.sees(outcome)
      }

      try await desk.types("ballmachine console")
      try await desk.types("zone 2-2", at: "SIM> ")
      try await desk.types("y", at: "Is the court clear?\nType yes to send it: ")
      try await desk.sees("\nnot sent: it was not confirmed with yes\n")
      try await desk.types("zone 2-2", at: "SIM> ")
      try await desk.types("yes", at: "\nType yes to send it: ")
      try await desk.sees("abcd1234-1234-1234-1234-abcdef123456  115001070017007000  delivered  ")
      try await desk.sees("SIM> ")
      desk.presses("zone 1-")
      try await desk.sees("zone 1-")
      desk.presses(Terminal.ctrlC)
      try await desk.sees(Terminal.erased)
      desk.presses("status\n")
      try await desk.sees(
        "by hand: delivered 2, ",
        "Last     by hand  115001070017007000  delivered"
      )
      try await desk.types("stop", at: "SIM> ")
      try await desk.sees("stop  the machine has acknowledged the stop command\n")
      try await desk.types("zone 1-1", at: "SIM> ")
      try await desk.sees("\nstop is latched: reset first\n")
      try await desk.types("reset", at: "SIM> ")
      try await desk.sees("SIM  disarmed: the stop was reset")
      try await desk.types("quit", at: "SIM> ")
      try await desk.types("exit")

      #expect(try await serve.terminate().code == 0)
      let balls = try ["1-1", "2-2"].map { try #require(CourtFacts.commands[$0]) }
      #expect(try await mock.terminate().ballWrites() == balls)
    }
  }
}
