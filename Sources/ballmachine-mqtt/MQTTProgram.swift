import Programs

/// `ballmachine-mqtt`, which `ballmachine mqtt` runs.
@main
enum MQTTProgram: Program {
  static let name = "ballmachine mqtt"
  static let summary = "Puts the court on an MQTT broker, and stops it from there"
  static let usual: String? = "run"
  static let workers: [any Subcommand.Type] = [StopWorker.self]
  static let groups: [(title: String, members: [any Subcommand.Type])] = [
    ("A court", [Run.self]),
    ("The office", [ShowCourts.self, StopCourt.self]),
    ("Find out what is wrong", [MQTTDoctor.self, Help<MQTTProgram>.self]),
  ]
}
