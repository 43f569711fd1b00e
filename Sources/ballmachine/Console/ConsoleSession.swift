import ControlProtocol
import CourtLogic

/// A technician's session with the service, line by line.
struct ConsoleSession {
  let service: ServiceConnection
  let output: Output
  /// Whether commands by hand are sent without a question.
  let isConfirmed: Bool
  /// Lets Ctrl-C end a repetition.
  let interruption: Interruption
  var input: ConsoleInput

  /// Runs to the end of the input. At a terminal, an error is printed and the session goes on; a
  /// script ends at its first error: when in doubt, no ball.
  mutating func run() async throws {
    var number = 0
    while let line = await input.line(prompt) {
      number += 1
      do {
        guard let command = try ConsoleCommand(line) else { continue }
        if command == .quit { return }
        try await perform(command)
      } catch ControlClientError.lost {
        throw ControlClientError.lost
      } catch let error as Output.ReaderGone {
        throw error
      } catch {
        guard input.isTerminal else {
          throw Failure(ExitCode(for: error), "line \(number): \(error)")
        }
        Output.complain("\(error)")
      }
    }
  }

  /// Shows SIM or REAL, so that they can't be confused.
  private var prompt: String { "\(service.mode ?? "?")> " }

  private func perform(_ command: ConsoleCommand) async throws {
    switch command {
    case .request(.status):
      try await output.write(StatusReport(try await service.client.call(.status)))
    case .request(.table):
      try await output.write(ServiceTableReport(table: try await service.table()))
    case .request(.reload):
      try await output.write(ReloadReport(record: try await service.ask(.reload)))
    case .request(let request): try await output.write(await service.change(request))
    case .stop: try await stop()
    case .send(let ball):
      let command = try await self.command(ball)
      guard try await !service.isStop(command) else { return try await stop() }
      try await confirm(command, to: "send it")
      try await feeding.send(command)
    case .repeat(let count, let interval, let ball):
      let command = try await self.command(ball)
      guard try await !service.isStop(command) else { throw ConsoleCommand.noRepeatedStop }
      try await confirm(command, to: "send it \(counted(count, "time"))")
      try await interruption.run { [feeding] in
        try await feeding.send(command, count: count, interval: interval)
      }
    case .help: try await output.write(HelpReport())
    case .quit: break
    }
  }

  private var feeding: HandFeeding { HandFeeding(service: service, output: output) }

  private func stop() async throws {
    let report = try await StopReport.perform(service.place)
    try await output.confirm(report)
    if !input.isTerminal, let failure = report.failure { throw failure }
  }

  private func command(_ ball: ConsoleCommand.Ball) async throws -> MachineCommand {
    switch ball {
    case .command(let command): command
    case .zone(let zone): try await service.command(of: zone)
    }
  }

  private func confirm(_ command: MachineCommand, to action: String) async throws {
    guard !isConfirmed else { return }
    guard input.isTerminal else {
      throw UsageError("standard input is not a terminal: give --yes to send without confirmation")
    }
    let zones = try await service.zones(of: command)
    Output.complain(Explanation(subject: .command(zones), command: command).text)
    let question = "It may throw a ball at once. If the court is clear, type yes to \(action):"
    guard await input.confirm(question)
    else { throw Failure(.temporary, "not sent: it was not confirmed") }
  }
}

/// Sends commands by hand, after they were confirmed.
private struct HandFeeding {
  let service: ServiceConnection
  let output: Output

  func send(_ command: MachineCommand) async throws {
    let report = try await service.send(command)
    try await output.confirm(report, needsReader: true)
    try report.check()
  }

  /// Ends with the first command that is refused or fails.
  ///
  /// - Parameter interval: from one command's outcome to the next command. Only the service knows
  ///   when a ball left, which is before its outcome. Counted from an earlier moment, the shortest
  ///   allowed interval would be too short if a request is slower than the next one.
  func send(_ command: MachineCommand, count: Int, interval: Duration) async throws {
    for index in 0..<count {
      if index > 0 { try await Task.sleep(for: interval) }
      // In a task of its own: after an interruption, the last outcome is still reported.
      try await Task { try await send(command) }.value
    }
  }
}

/// The commands in force.
struct ServiceTableReport: Report {
  var table: TableRecord

  func encode(to encoder: any Encoder) throws {
    try encoder.encode(table, as: "table")
  }

  var text: String {
    let zones = table.zones.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return (zones + [("out of court", table.outOfCourt), ("stop", table.stop)])
      .map { "\(padded($0.0, to: 12))  \($0.1)" }.joined(separator: "\n")
  }
}

private struct HelpReport: Report {
  var event = "help"

  var text: String { ConsoleVerb.help }
}
