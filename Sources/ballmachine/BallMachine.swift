import Programs

/// The program of the bridge.
@main
enum BallMachine: Program {
  static let name = "ballmachine"
  static let summary = "Drives a tennis ball machine over Bluetooth Low Energy"

  /// The subcommands, grouped by what people do, in the order of the help.
  static let groups: [(title: String, members: [any Subcommand.Type])] = [
    (
      "Play",
      [
        Status.self, Watch.self, SayCues.self, Arm.self, Disarm.self, Pause.self, Resume.self,
        Stop.self, Reset.self, ListDrills.self, LoadDrill.self, SetLevel.self,
      ]
    ),
    ("Look back", [Sessions.self, ShowSession.self]),
    ("Send by hand", [Send.self, Console.self, Replay.self, ShowTable.self]),
    (trial, [Explain.self]),
    (
      "Set up and run the service",
      [
        Scan.self, Adopt.self, CheckConfig.self, CheckTable.self, CheckDrill.self, CheckTrack.self,
        CheckCalibration.self,
        Serve.self, Reload.self, ShowMetrics.self, SafeStop.self,
      ]
    ),
    ("Find out what is wrong", [Doctor.self, BugReport.self, Help<BallMachine>.self]),
  ]

  private static let trial = "Try it without a machine"

  static let others = [
    OtherProgram(
      "simulate",
      of: "mock",
      "Run the bridge against a mock machine, without any Bluetooth",
      in: trial
    ),
    OtherProgram("mock", of: "mock", "Run a mock machine behind a fake BlueZ on a bus", in: trial),
    OtherProgram("camera", "Find the player in a camera's picture"),
    OtherProgram("mqtt", "Put the court on an MQTT broker, and stop it from there"),
    OtherProgram("web", "Show the session on a phone, and stop it"),
    OtherProgram("pair-phone", of: "web", "Let a phone arm"),
    OtherProgram("phones", of: "web", "List the phones that may arm; revoke them"),
  ]

  static func resolve<Command: Subcommand>(_ command: Command) async throws -> Command {
    try await (command as? any AdapterSubcommand)?.withAdapterAddress() as? Command ?? command
  }

  /// Verbs that have another form here.
  static let synonyms = [
    "zone": "send --zone", "fields": "send --upper", "repeat": "send",
  ]
}
