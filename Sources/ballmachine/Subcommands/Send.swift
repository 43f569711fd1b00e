import Configuration
import ControlProtocol
import CourtLogic
import Glibc
import Host
import Options
import Programs
import Reports

/// `ballmachine send`: one command by hand.
struct Send: AdapterSubcommand {
  var command: MachineCommand?
  var upper: Int?
  var lower: Int?
  var pitch: Int?
  var yaw: Int?
  var feed: Int?
  var zone: Zone?
  var yes = false
  var wait = Duration.seconds(60)
  var configuration = ConfigurationOptions()
  var court = CourtOptions()
  var machine = MachineOptions()
  var needsAdapter: Bool { !isStop }
  /// All zeros, in either form, whatever the configuration says.
  private var isStop: Bool {
    command?.isStop ?? ([upper, lower, pitch, yaw].allSatisfy { $0 == 0 } && feed ?? 0 == 0)
  }

  static let usage = Usage<Self>(
    name: "send",
    summary: "Send one command to the machine by hand",
    alternatives: ["COMMAND", "--upper N --lower N --pitch N --yaw N", "--zone ZONE"],
    options: [
      .value("upper", .field(.upper), \.upper, "Upper motor, 0 to 99999; framed 0 to 100 %"),
      .value("lower", .field(.lower), \.lower, "Lower motor, 0 to 99999; framed 0 to 100 %"),
      .value("pitch", .field(.pitch), \.pitch, "Pitch, 0 to 9999; framed 0 to 90°"),
      .value("yaw", .field(.yaw), \.yaw, "Yaw, 0 to 9999; framed 0 to 90°"),
      .value("feed", .field(.feed), \.feed, "Feed speed, 0 to 100 %: only of a framed command"),
      .value("zone", .zone, \.zone, "The command of this zone: 0 to 15, or row-column such as 1-1"),
      .flag("yes", short: "y", \.yes, "Don't ask before sending"),
      .value(
        "wait",
        .seconds,
        \.wait,
        "Without a service: give up if the machine is not ready in this time (default 60)"
      ),
    ] + ConfigurationOptions.options.within(\.configuration)
      + [CourtOptions.tableOption.within(\.court)]
      + MachineOptions.options.within(\.machine),
    arguments: [.optional(.commandWithoutZone, \.command)],
    details: """
      \(Explain.commands) All zeros stop the machine.

      A command may throw a ball at once: keep out of the way. Before it sends, it connects, names \
      the machine, says whether it is SIM or REAL, and asks: only `yes', in full, sends.

      If a service runs, the service sends the command, from its own table, and pauses its \
      automatic mode; that needs the group `ballmachine-technician'. Without a service, or with \
      an option for the configuration, the bus or the machine, this program sends the command \
      itself, unless another program controls the machine. Then the stop command that the ball \
      owes is left to the next program that reaches the machine; `safe-stop' sends it at once.

      \(MachineOptions.memory)
      """
  )

  func validate() throws(UsageError) {
    try machine.validate()
    let fields = [upper, lower, pitch, yaw]
    let forms = [command != nil, fields.contains { $0 != nil }, zone != nil]
    guard forms.count(where: { $0 }) == 1 else {
      throw UsageError("give either a command, or --upper, --lower, --pitch and --yaw, or --zone")
    }
    guard fields.allSatisfy({ $0 != nil }) || (fields + [feed]).allSatisfy({ $0 == nil }) else {
      throw UsageError("--upper, --lower, --pitch and --yaw go together: none has a default")
    }
  }

  /// What the command line asks to send.
  func requestedCommand(from table: CommandTable) throws -> MachineCommand {
    if let command { return command }
    if let zone { return table[zone] }
    guard let upper, let lower, let pitch, let yaw else { throw UsageError("no command given") }
    let values = [upper, lower, pitch, yaw, feed].compactMap(\.self)
    return try MachineCommand(MachineEncoding(hasFeed: feed != nil), values)
  }

  /// Through the service when one runs, directly when none does, never both: rule 6 of Design.md.
  /// The lock decides: the service holds it from its first moment to its last.
  func run(_ output: Output) async throws {
    if isStop { return try await sendStop(output) }
    try output.requirePlace()
    // A machine that is named on the command line is meant, not the service's.
    if !namesMachine, let service = try await ServiceConnection.find() {
      return try await send(try requestedBall(), through: service, output)
    }
    let prepared = try await prepare()
    do {
      try await report(try await sendDirectly(prepared), output)
    } catch MachineLockError.held(let holder) {
      try await give(prepared, toServiceInstead: holder, output)
    }
  }

  /// Sends a stop as `ballmachine stop` does; over a link of its own only where no bridge has the
  /// machine.
  private func sendStop(_ output: Output) async throws {
    if !namesMachine {
      let stop = try await StopReport.aloud { try await StopReport.performByBridge() }
      if let stop { return try await stop.confirm(to: output) }
    }
    let sent: SendReport
    do {
      sent = try await sendDirectly(try await prepare())
    } catch MachineLockError.held(let holder) {
      guard namesMachine else { return try await stop(output) }
      throw StopReport.failed(heldFromNamed(holder), holder: nil)
    } catch {
      throw StopReport.failed(error, holder: nil)
    }
    try await report(sent, output)
  }

  private func sendDirectly(_ prepared: Prepared) async throws -> SendReport {
    let lock = try MachineLock(in: RuntimeDirectory())
    defer { lock.release() }
    let direct = DirectSend(machine: machine, settings: prepared.settings, wait: wait)
    return try await direct.perform(prepared.command) { [self] link in
      try await confirm(prepared.command, among: prepared.zones, for: link)
    }
  }

  private func report(_ report: SendReport, _ output: Output) async throws {
    try await output.confirm(report)
    try report.check()
  }

  private var namesMachine: Bool { machine != MachineOptions() || configuration.file != nil }

  /// What the command line asks to send, by the service's table unless one is given.
  private func requestedBall() throws -> ControlRequest.ManualCommand {
    if let zone, court.tablePath == nil { return .zone(zone) }
    let table =
      court.tablePath == nil
      ? CommandTableFile.builtIn
      : try configuration.effective(machine: machine, court: court).table
    return .command(try requestedCommand(from: table))
  }

  private func send(
    _ ball: ControlRequest.ManualCommand,
    through service: ServiceConnection,
    _ output: Output
  ) async throws {
    guard let (command, zones) = try await service.ball(ball) else {
      return try await stop(output)
    }
    try requireAnswer()
    if !yes {
      try await confirm(command, among: zones, for: service.linkForQuestion())
    }
    try await report(try await service.send(command), output)
  }

  private func stop(_ output: Output) async throws {
    try await Stop().run(output)
  }

  /// Sends through a service that began since we looked; any other holder of the lock is an error.
  private func give(
    _ prepared: Prepared,
    toServiceInstead holder: Int32?,
    _ output: Output
  ) async throws {
    guard !namesMachine else { throw heldFromNamed(holder) }
    // The service's stop command may be another one.
    if prepared.settings.isStop(prepared.command) { return try await stop(output) }
    guard let service = try await ServiceConnection.find() else {
      throw MachineLockError.held(by: holder)
    }
    try await send(.command(prepared.command), through: service, output)
  }

  /// Another program has the machine that the command line names, or may have it.
  private func heldFromNamed(_ holder: Int32?) -> Failure {
    Failure(
      .temporary,
      "\(MachineLockError.held(by: holder)), or leave out the options that name a machine: then a"
        + " service sends it"
    )
  }

  private struct Prepared {
    var command: MachineCommand
    /// The zones that have the command.
    var zones: [Zone] = []
    var settings: MachineSettings
  }

  /// The command to send and its machine, once the command is allowed.
  private func prepare() async throws -> Prepared {
    if isStop {
      let machine = try await configuration.machineToStop(machine, complaining: "ballmachine send")
      return Prepared(command: machine.stopCommand, settings: machine)
    }
    let configuration = try configuration.effective(machine: machine, court: court)
    let command = try requestedCommand(from: configuration.table)
    let machine = configuration.values.machine
    if machine.isStop(command) {
      return Prepared(command: machine.stopCommand, settings: machine)
    }
    try configuration.limits.check(command)
    try requireAnswer()
    return Prepared(
      command: command,
      zones: configuration.table.zones(of: command),
      settings: machine
    )
  }

  /// Throws if the question of ``confirm(_:among:for:)`` could not be answered.
  private func requireAnswer() throws {
    guard yes || isatty(STDIN_FILENO) == 1 else {
      throw UsageError("standard input is not a terminal: give --yes to send without confirmation")
    }
  }

  /// A command may throw a ball, so the user must confirm it. A stop command needs no question.
  ///
  /// - Parameters:
  ///   - zones: the zones that have this command.
  ///   - link: of the machine that gets it.
  private func confirm(
    _ command: MachineCommand,
    among zones: [Zone],
    for link: LinkRecord
  ) async throws {
    guard !yes else { return }
    var question = link.question(on: command, of: zones)
    question[question.count - 1] += " Type yes to send it:"
    try await Confirmation.ask(question, orElse: "not sent")
  }
}
