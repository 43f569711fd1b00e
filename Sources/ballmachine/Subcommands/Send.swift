import CourtLogic

/// `ballmachine send`: one command by hand.
struct Send: CommandOptions {
  var command: MachineCommand?
  var upper: Int?
  var lower: Int?
  var pitch: Int?
  var yaw: Int?
  var zone: Zone?
  var yes = false
  var court = CourtOptions()
  var machine = MachineOptions()
  var output = OutputOptions()

  static let usage = Usage<Self>(
    name: "send",
    summary: "Send one command to the machine by hand",
    alternatives: ["DIGITS", "--upper N --lower N --pitch N --yaw N", "--zone ZONE"],
    options: [
      .value("upper", .field(.upperMotor), \.upper, "Upper motor, raw, 0 to 99999"),
      .value("lower", .field(.lowerMotor), \.lower, "Lower motor, raw, 0 to 99999"),
      .value("pitch", .field(.pitch), \.pitch, "Pitch, raw, 0 to 9999"),
      .value("yaw", .field(.yaw), \.yaw, "Yaw, raw, 0 to 9999"),
      .value("zone", .zone, \.zone, "The command of this zone: 0 to 15, or row-column such as 1-1"),
      .flag("yes", short: "y", \.yes, "Don't ask before sending"),
    ] + [CourtOptions.tableOption.within(\.court)]
      + MachineOptions.options.within(\.machine) + OutputOptions.options.within(\.output),
    arguments: [.optional(.command, \.command)],
    details: """
      DIGITS are the 18 digits of a command: upper motor (5), lower motor (5), pitch (4), yaw (4). \
      18 zeros stop the machine.

      A command may throw a ball at once: keep out of the way.
      """
  )

  func validate() throws(UsageError) {
    let fields = [upper, lower, pitch, yaw]
    let forms = [command != nil, fields.contains { $0 != nil }, zone != nil]
    guard forms.count(where: { $0 }) == 1 else {
      throw UsageError("give either 18 digits, or --upper, --lower, --pitch and --yaw, or --zone")
    }
    guard fields.allSatisfy({ $0 != nil }) || fields.allSatisfy({ $0 == nil }) else {
      throw UsageError("--upper, --lower, --pitch and --yaw go together: none has a default")
    }
  }

  /// What the command line asks to send.
  func requestedCommand() throws -> MachineCommand {
    if let command { return command }
    if let zone { return try court.table()[zone] }
    guard let upper, let lower, let pitch, let yaw else { throw UsageError("no command given") }
    return try MachineCommand(upperMotor: upper, lowerMotor: lower, pitch: pitch, yaw: yaw)
  }
}
