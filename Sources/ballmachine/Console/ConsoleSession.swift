import Clocks
import ControlProtocol
import CourtLogic
import Host
import Programs

/// A technician's session with the service, line by line.
struct ConsoleSession {
  let service: ServiceConnection
  let output: Output
  /// Whether commands by hand are sent without a question.
  let isConfirmed: Bool
  /// Lets Ctrl-C, or a typed line, end a repetition.
  let interruption: Interruption
  var input: ConsoleInput
  /// Lines that were typed while a command ran.
  var typed: [String] = []
  /// Whether the present line was in ``typed``.
  var isTyped = false
  /// Why a script's rest, or ``typed``, throws no balls, by hand or by arming.
  var refusal: (any Error)?
  /// Watches the state from a command at the prompt to the last line of ``typed``.
  var watch: StateWatch?
  /// Whether a pause that the watch sees next may be the console's own.
  let ownPause = Locked(false)

  /// Runs to the end of the input. At a terminal, an error is printed and the session goes on; a
  /// script ends at its first error: when in doubt, no ball.
  mutating func run() async throws {
    var number = 0
    while let line = await nextLine() {
      number += 1
      do {
        guard let command = try ConsoleCommand(line) else { continue }
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
        refuseRest(Self.endedEarly)
      } catch {
        guard input.isTerminal else {
          throw Failure(ExitCode(for: error), about: "line \(number)", error)
        }
        if isTyped {
          Output.complain("`\(line)'", error)
        } else {
          Output.complain(linesForPeople(error))
        }
        refuseRest(Self.endedEarly)
        // The rest of a paste; a command that takes time has it already.
        typed += await input.waitingLines()
      }
    }
    if Task.isCancelled, !input.isTerminal {
      throw Failure(.temporary, "line \(number + 1): it was interrupted")
    }
  }

  /// The prompt shows SIM or REAL, so that they can't be confused. It must not delay a stop.
  private mutating func nextLine() async -> String? {
    isTyped = !typed.isEmpty
    if isTyped { return typed.removeFirst() }
    if input.isTerminal {
      refusal = nil
      watch?.close()
      watch = nil
    }
    let mode = input.isTerminal ? await service.mode(within: .milliseconds(200)) : nil
    return await input.line("\(mode ?? "?")> ")
  }

  private static let endedEarly = Failure(
    .temporary,
    "not done: a line before it failed or was ended; type it again if you mean it"
  )

  /// The first reason counts.
  private mutating func refuseRest(_ reason: any Error) { refusal = refusal ?? reason }

  private func checkRefusal() throws {
    if let refusal { throw refusal }
    try watch?.check()
  }

  private mutating func perform(_ command: ConsoleCommand) async throws {
    switch command {
    case .request(.status):
      try await output.write(StatusReport(try await service.client.call(.status)))
    case .request(.table):
      try await output.write(try await service.table().report)
    case .request(let request) where request.method == .reload:
      try await output.write(try await service.ask(request, for: ReloadRecord.self).report)
    case .request(.drills):
      try await output.write(try await service.ask(.drills, for: DrillsRecord.self).report)
    case .request(let request):
      switch request {
      case .arm, .resume, .reset: try checkRefusal()
      default: break
      }
      if input.isTerminal, [.disarm, .pause, .reset].contains(request) {
        refuseRest(StateWatch.stateChanged)
      }
      try await output.write(await service.change(request))
    case .stop: try await stop()
    case .send(let ball):
      guard let (command, zones) = try await service.ball(ball) else { return try await stop() }
      try await confirm(command, of: zones, to: "send it")
      try await feed(command, count: 1, interval: .zero)
    case .repeat(let count, let interval, let ball):
      guard let (command, zones) = try await service.ball(ball) else {
        throw ConsoleCommand.noRepeatedStop
      }
      try await confirm(command, of: zones, to: "send it \(counted(count, "time"))")
      try await feed(command, count: count, interval: interval)
    case .wait(let duration): try await wait(for: duration)
    case .help: try await output.write(HelpReport())
    case .quit: break
    }
  }

  private mutating func feed(
    _ command: MachineCommand,
    count: Int,
    interval: Duration
  ) async throws {
    try await interruptibly(isLong: count > 1) { [service, output, ownPause] in
      try await StateWatch.run(on: service, while: { $0.comesByHand(after: $1) }) { watch in
        let feeding = HandFeeding(
          service: service,
          output: output,
          watch: watch,
          ownPause: ownPause
        )
        try await feeding.send(command, count: count, interval: interval)
      }
    }
  }

  /// Runs what Ctrl-C ends. At a terminal, a typed `stop` ends it, too, and stops at once; a line
  /// that is no command also ends it, and any line does if this is long, or if lines wait already.
  /// After that, no line of ``typed`` throws a ball.
  private mutating func interruptibly(
    isLong: Bool,
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    guard case .terminal(let editor) = input else { return try await interruption.run(body) }
    if isLong { Output.complain("Enter or Ctrl-C ends it") }
    let end = try Doorbell()
    let pieces = editor.typedLines(until: end)
    let reading = OneThread.task { [service, output, interruption, isTyped] in
      var typed: [String] = []
      var isEnd = false
      for await lines in pieces {
        let endsAll = isLong || isTyped || !typed.isEmpty
        for line in lines {
          let command: ConsoleCommand?
          do {
            command = try ConsoleCommand(line)
            // A comment asks for nothing.
            if command == nil, !line.isEmpty { continue }
          } catch { command = nil }
          if endsAll || command == nil || command == .stop {
            isEnd = true
            _ = interruption.interrupt()
          }
          guard command == .stop else {
            typed.append(line)
            continue
          }
          do { _ = try await Self.stop(service, output) } catch {
            Output.complain(linesForPeople(error))
          }
        }
      }
      return (lines: typed, isEnd: isEnd)
    }
    let watched = Locked(watch)
    var failure: (any Error)?
    do {
      try await interruption.run { [service, ownPause] in
        if watched.withLock({ $0 == nil }) {
          ownPause.withLock { $0 = false }
          let watch = try await StateWatch.open(on: service) { new, old in
            guard new.comesByPerson(after: old) else { return true }
            return new.comesByHand(after: old) && ownPause.withLock { exchange(&$0, with: false) }
          }
          watched.withLock { $0 = watch }
        }
        try await body()
      }
    } catch { failure = error }
    end.ring()
    watch = watched.withLock(\.self)
    let new = await reading.value
    typed = new.lines + typed
    if new.isEnd { refuseRest(Self.endedEarly) }
    if let failure { throw failure }
  }

  /// A script's balls don't outlive what a person does meanwhile. All else that the script does goes on: it
  /// may be the `disarm` that ends what it armed.
  private mutating func wait(for duration: Duration) async throws {
    guard !input.isTerminal else {
      return try await interruptibly(isLong: true) { try await SystemClock().sleep(for: duration) }
    }
    let end = Locked<(any Error)?>(nil)
    let clock = SystemClock()
    let last = clock.now.advanced(by: duration)
    try await interruption.run { [service] in
      do {
        try await StateWatch.run(on: service, while: { !$0.comesByPerson(after: $1) }) { watch in
          try await watch.sleep(until: last, endsEarly: false)
          try watch.check()
        }
      } catch {
        try Task.checkCancellation()
        end.withLock { $0 = error }
      }
      try await clock.wait(until: last, tolerance: nil)
    }
    if let end = end.withLock(\.self) { refuseRest(end) }
  }

  private mutating func stop() async throws {
    if input.isTerminal { refuseRest(StateWatch.stateChanged) }
    let report = try await Self.stop(service, output)
    if !input.isTerminal, let failure = report.failure { throw failure }
  }

  private static func stop(
    _ service: ServiceConnection,
    _ output: Output
  ) async throws -> StopReport {
    let report = try await StopReport.aloud { try await StopReport.perform(service.place) }
    try await output.confirm(report)
    return report
  }

  private mutating func confirm(
    _ command: MachineCommand,
    of zones: [Zone],
    to action: String
  ) async throws {
    try checkRefusal()
    guard !isConfirmed else { return }
    guard input.isTerminal else {
      throw UsageError("standard input is not a terminal: give --yes to send without confirmation")
    }
    Output.complain(try await service.linkForQuestion().question(on: command, of: zones))
    // A line that waits already is no answer.
    if await stops(at: await input.waitingLines()) { throw Self.stopped }
    let answer = await input.answer(to: "Type yes to \(action):")
    if answer.flatMap({ try? ConsoleCommand($0) }) == .stop {
      try await stop()
      throw Self.stopped
    }
    guard answer == "yes" else {
      throw Failure(.temporary, "not sent: it was not confirmed with yes")
    }
    try checkRefusal()
  }

  private static let stopped = Failure(.temporary, "not sent: it was stopped")

  /// Stops if one of the lines is a stop, and says that the others are not done.
  private mutating func stops(at lines: [String]) async -> Bool {
    let rest = lines.filter { (try? ConsoleCommand($0)) != .stop }
    let isStop = rest.count < lines.count
    if isStop { do { try await stop() } catch { Output.complain(linesForPeople(error)) } }
    for line in rest { Output.complain("`\(line)': not done; type it again if you mean it") }
    return isStop
  }
}

extension SafetyRecord {
  /// Whether a person has stopped, paused or disarmed it, or released a stop: also where it was paused
  /// or disarmed already.
  fileprivate func comesByPerson(after old: SafetyRecord) -> Bool {
    state == "stopped" || code == "operator" || code == "reset"
      || !isFeeding && (state, code) == (old.state, old.code)
  }
}

private struct HelpReport: LinedReport {
  var event = "help"
  var text = ConsoleVerb.help.joined(separator: "\n")
  var lines: [String] { ConsoleVerb.help }
}
