import Bridge
import CourtLogic
import Glibc
import MachineLink

/// `ballmachine send`: one command by hand.
struct Send: Subcommand {
  var command: MachineCommand?
  var upper: Int?
  var lower: Int?
  var pitch: Int?
  var yaw: Int?
  var zone: Zone?
  var yes = false
  var wait = Duration.seconds(60)
  var configuration = ConfigurationOptions()
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
      .value(
        "wait",
        .seconds,
        \.wait,
        "Give up when the machine is not ready after this many seconds (default 60)"
      ),
    ] + ConfigurationOptions.options.within(\.configuration)
      + [CourtOptions.tableOption.within(\.court)]
      + MachineOptions.options.within(\.machine) + OutputOptions.options.within(\.output),
    arguments: [.optional(.command, \.command)],
    details: """
      DIGITS are the 18 digits of a command: upper motor (5), lower motor (5), pitch (4), yaw (4). \
      18 zeros stop the machine.

      A command may throw a ball at once: keep out of the way.

      \(MachineOptions.memory)
      """
  )

  func validate() throws(UsageError) {
    try machine.validate()
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
  func requestedCommand(from table: CommandTable) throws -> MachineCommand {
    if let command { return command }
    if let zone { return table[zone] }
    guard let upper, let lower, let pitch, let yaw else { throw UsageError("no command given") }
    return try MachineCommand(upperMotor: upper, lowerMotor: lower, pitch: pitch, yaw: yaw)
  }

  func run(_ output: Output) async throws {
    let (command, settings) = try prepare()
    let lock = try MachineLock(in: RuntimeDirectory())
    defer { lock.release() }
    let clock = SystemClock()
    let memory = MachineMemory(of: "send")
    let link = BallMachineLink(
      configuration: await machine.link(for: settings, with: memory),
      central: BlueZCentral(bus: settings.bus),
      clock: clock
    )
    let endSignals = EndSignals()
    defer { withExtendedLifetime(endSignals) {} }
    let signals = endSignals.signals

    let report = await withTaskGroup(of: Void.self) { group in
      group.addTask { await link.run() }
      group.addTask {
        for await _ in signals { await link.end() }
      }
      group.addTask { await Self.tellFaults(of: link) }
      group.addTask { [wait] in
        guard (try? await clock.sleep(for: wait)) != nil else { return }
        if await link.status.phase != .ready { await link.end() }
      }
      guard await link.waitUntilReady() else {
        group.cancelAll()
        return SendReport?.none
      }
      let status = await link.status
      let start = clock.now
      let outcome: WriteOutcome
      if command == .stop {
        // It goes out again and again until the machine acknowledges it, but not for ever.
        group.addTask { [timeout = Self.stopPatience] in
          guard (try? await clock.sleep(for: timeout)) != nil else { return }
          await link.end()
        }
        outcome = await link.sendStop()
      } else {
        outcome = await link.send(command, decidedAt: start)
      }
      let latency = start.duration(to: clock.now)
      await link.end()
      group.cancelAll()
      return SendReport(command: command, status: status, outcome: outcome, latency: latency)
    }
    await memory.keep(link.status.proven)
    guard let report else { throw Failure(notReady: await link.status) }
    try output.write(report)
    try report.check()
  }

  /// What to send and to whom, once it is allowed and confirmed.
  private func prepare() throws -> (MachineCommand, MachineSettings) {
    if command == .stop {
      let machine = try configuration.machineToStop(machine, complaining: "ballmachine send")
      return (.stop, machine)
    }
    let configuration = try configuration.effective(machine: machine, court: court)
    let command = try requestedCommand(from: configuration.table)
    try configuration.values.limits.check(command)
    try confirm(command, in: configuration.table)
    return (command, configuration.values.machine)
  }

  /// How long a stop command by hand may stay unacknowledged.
  private static let stopPatience = Duration.seconds(10)

  /// Tells why it takes so long. Without a bus it is no use to wait.
  private static func tellFaults(of link: BallMachineLink) async {
    var told: LinkFault?
    for await status in await link.statuses() where status.phase != .ready {
      guard let fault = status.fault, fault != told else { continue }
      told = fault
      if case .busUnreachable = fault { return await link.end() }
      if status.phase != .shuttingDown, status.phase != .ended {
        Output.complain("ballmachine send: \(status.phase.words): \(status.trouble ?? "")")
      }
    }
  }

  /// A command may throw a ball: somebody must mean it. A stop command needs no question.
  private func confirm(_ command: MachineCommand, in table: CommandTable) throws {
    guard !yes, command != .stop else { return }
    guard isatty(STDIN_FILENO) == 1 else {
      throw UsageError("nobody is there to be asked: give --yes to send without a question")
    }
    let zones = Zone.allCases.filter { table[$0] == command }
    Output.complain("\(Explanation(subject: .command(zones), command: command).text)")
    Output.complain("This may throw a ball at once. Is the court clear? Type yes to send it:")
    guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else {
      throw Failure(.temporary, "not sent: it was not confirmed")
    }
  }
}

/// What became of a command by hand.
struct SendReport: Report {
  var command: MachineCommand
  var status: LinkStatus
  var outcome: WriteOutcome
  var latency: Duration

  var text: String {
    [
      status.mode ?? "", status.machineText ?? "", command.digits, outcome.text,
      latency.milliseconds,
    ].filter { !$0.isEmpty }.joined(separator: "  ")
  }

  /// Only what was taken is a success.
  func check() throws {
    switch outcome {
    case .delivered, .queued: break
    case .notSent: throw Failure(.unavailable, "the command was not sent: \(outcome.text)")
    case .unknown where command == .stop:
      throw Failure(
        .temporary,
        "whether the machine has the stop command is not known: switch the machine off by hand"
      )
    case .unknown:
      throw Failure(
        .temporary,
        "whether the machine has the command is not known; sending it again may throw a second ball"
      )
    }
  }
}

extension SendReport: Encodable {
  private enum Key: CodingKey {
    case event, mode, machine, profile, digits, outcome, reason, latency
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode("sent", forKey: .event)
    try object.encodeIfPresent(status.mode, forKey: .mode)
    try object.encodeIfPresent(status.machine.map { "\($0)" }, forKey: .machine)
    try object.encodeIfPresent(status.profile, forKey: .profile)
    try object.encode(command.digits, forKey: .digits)
    try object.encode(outcome.word, forKey: .outcome)
    try object.encodeIfPresent(outcome.explanation, forKey: .reason)
    try object.encode(latency.seconds.rounded(places: 6), forKey: .latency)
  }
}
