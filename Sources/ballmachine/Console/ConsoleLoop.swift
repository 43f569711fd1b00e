import ControlProtocol
import CourtLogic
import Host
import Options
import Programs
import Reports

/// Carries out a technician's lines, one by one.
struct ConsoleLoop {
  let service: ServiceConnection
  let output: Output
  /// Whether commands by hand are sent without a question.
  let isConfirmed: Bool
  /// Lets Ctrl-C, or a typed line, end a ball that waits.
  let interruption: Interruption
  let input: ConsoleInput

  /// Runs to the end of the input. At a terminal, an error is printed and the loop goes on; a
  /// script ends at its first error: when in doubt, no ball.
  func run() async throws {
    var number = 0
    while let lines = await nextLines() {
      number += 1
      do {
        guard lines.count < 2 else {
          _ = await stops(at: lines)
          Output.complain(
            "\(lines.count) lines at once: nothing but a stop among them is carried out;"
              + " type them one by one"
          )
          continue
        }
        guard let line = lines.first, let command = try ConsoleCommand(line) else { continue }
        if command == .quit { return }
        try await perform(command)
      } catch ControlClientError.lost {
        throw ControlClientError.lost
      } catch let error as Output.ReaderGone {
        throw error
      } catch is CancellationError, ControlClientError.cancelled {
        guard input.isTerminal else {
          throw Failure(.temporary, "line \(number): it was interrupted")
        }
      } catch {
        guard input.isTerminal else {
          throw Failure(ExitCode(for: error), about: "line \(number)", error)
        }
        Output.complain(linesForPeople(error))
      }
    }
    if Task.isCancelled, !input.isTerminal {
      throw Failure(.temporary, "line \(number + 1): it was interrupted")
    }
  }

  /// The prompt shows SIM or REAL, so that they can't be confused. It must not delay a stop.
  private func nextLines() async -> [String]? {
    let mode = input.isTerminal ? await service.mode(within: .milliseconds(200)) : nil
    return await input.lines("\(mode ?? "?")> ")
  }

  private func perform(_ command: ConsoleCommand) async throws {
    switch command {
    case .request(.status):
      try await output.write(StatusReport(try await service.client.call(.status)))
    case .request(.table):
      try await output.write(try await service.table().report)
    case .request(let request) where request.method == .reload:
      try await output.write(try await service.ask(request, for: ReloadRecord.self).report)
    case .request(.drills):
      try await output.write(try await service.ask(.drills, for: DrillsRecord.self).report)
    case .request(let request): try await output.write(await service.change(request))
    case .loaded(.drill):
      try await service.showLoaded(
        .drill,
        output,
        hint: "to change it: `drill DRILL' or `drill none'; `drills' lists them"
      )
    case .loaded(.level):
      try await service.showLoaded(
        .level,
        output,
        hint: "to change it: `level' beginner, intermediate, advanced or none"
      )
    case .stop: try await stop()
    case .send(let ball):
      guard let (command, zones) = try await service.ball(ball) else { return try await stop() }
      try await confirm(command, of: zones)
      try await send(command)
    case .help: try await output.write(HelpReport())
    case .quit: break
    }
  }

  /// Ctrl-C ends a ball that waits. At a terminal, each line that is typed does, too, and only a stop
  /// is carried out.
  private func send(_ command: MachineCommand) async throws {
    let sending = { @Sendable [service, output] in
      try await StateWatch.run(on: service) { watch in
        try await HandFeeding(service: service, output: output, watch: watch).send(command)
      }
    }
    guard case .terminal(let editor) = input else { return try await interruption.run(sending) }
    let end = try Doorbell()
    let pieces = editor.typedLines(until: end)
    let reading = OneThread.task {
      for await lines in pieces {
        _ = interruption.interrupt()
        _ = await stops(atTypedAhead: lines)
      }
    }
    var failure: (any Error)?
    do { try await interruption.run(sending) } catch { failure = error }
    end.ring()
    await reading.value
    if let failure { throw failure }
  }

  private func stop() async throws {
    let report = try await StopReport.aloud { try await StopReport.perform(service.place) }
    try await output.confirm(report)
    if !input.isTerminal, let failure = report.failure { throw failure }
  }

  private func confirm(_ command: MachineCommand, of zones: [Zone]) async throws {
    guard !isConfirmed else { return }
    guard case .terminal(let editor) = input else {
      throw UsageError("standard input is not a terminal: give --yes to send without confirmation")
    }
    Output.complain(try await service.linkForQuestion().question(on: command, of: zones))
    // A line that waits already is no answer.
    if await stops(atTypedAhead: editor.waitingLines()) { throw Self.stopped }
    let answer = await input.lines("Type yes to send it: ", isQuestion: true) ?? []
    if await stops(at: answer) { throw Self.stopped }
    guard answer == ["yes"] else {
      throw Failure(.temporary, "not sent: it was not confirmed with yes")
    }
  }

  private static let stopped = Failure(.temporary, "not sent: it was stopped")

  /// Carries out a stop among the lines, and no other line.
  ///
  /// - Returns: whether there is one.
  private func stops(at lines: [String]) async -> Bool {
    guard lines.contains(where: ConsoleCommand.isStop) else { return false }
    do { try await stop() } catch { Output.complain(linesForPeople(error)) }
    return true
  }

  /// Carries out a stop among lines that were typed ahead. Says which other lines are not carried out.
  ///
  /// - Returns: whether there is a stop.
  private func stops(atTypedAhead lines: [String]) async -> Bool {
    let isStop = await stops(at: lines)
    for line in lines where !line.isEmpty && !ConsoleCommand.isStop(line) {
      Output.complain("`\(line)': not done; type it again if you mean it")
    }
    return isStop
  }
}

private struct HelpReport: LinedReport {
  var event = "help"
  var text = ConsoleVerb.help.joined(separator: "\n")
  var lines: [String] { ConsoleVerb.help }
}
