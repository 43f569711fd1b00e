import ControlProtocol
import Fleet
import Host
import Programs

/// `ballmachine mqtt stop COURT`: stops a court's machine from afar.
struct StopCourt: Subcommand {
  var court = ""
  var broker = BrokerOptions()

  static let usage = Usage<Self>(
    name: "stop",
    summary: "Stop a court's machine over the broker",
    options: BrokerOptions.options.within(\.broker),
    arguments: [.required(ValueKind("COURT", .court), \.court)],
    details: """
      It publishes to the court's topic `stop', and waits for the outcome, as long as \
      \(CourtStop.timeout.components.seconds) s. The outcome is one of these: the machine has \
      acknowledged the stop command, or was stopped already (it ends with 0); the command was \
      written, but not acknowledged, or no outcome came (75); the court was not reached, or the \
      broker shows no such court (69). \
      Unless it ends with 0, use the machine's switch. The switch is the emergency stop in any case. \
      However it ends, an error begins with whether the machine was reached: a child talks to the \
      broker, whose bytes may make Debian 12's libmosquitto abort.
      """
  )

  func run(_ output: Output) async throws {
    let outcome = try await outcome()
    guard case .answered(let stop) = outcome else {
      throw failure(outcome, user: try? broker.settings().user)
    }
    let failure = Failure(ofStop: stop.outcome, words(stop))
    if failure == nil || output.style == .json {
      // Prints it as `ballmachine stop` does.
      try await output.confirm(RecordReport("stop", stop, text: "stop  \(stop.reason)"))
    }
    if let failure { throw failure }
  }

  /// What the child that talks to the broker says. However it ends, the error begins with whether the
  /// machine was reached.
  private func outcome() async throws -> CourtStop.Outcome {
    let program: String
    let signals: AsyncStream<Int32>
    do {
      // A wrong option or file is told by this process.
      _ = try broker.settings()
      program = try StopWorker.program()
      signals = try endSignals()
    } catch {
      throw Failure(ExitCode(for: error), "\(Self.nothing); \(error)")
    }
    let end = await end(of: program, unless: signals)
    switch end.result {
    case .success(let outcome): return outcome
    case .failure(let error): throw Failure(error.exitCode, "\(Self.nothing); \(error)")
    case nil:
      throw Failure(.temporary, "\(end.mayHaveSent ? Self.unknown : Self.nothing); \(end.reason)")
    }
  }

  /// A signal kills the child, which has said how far it was.
  private func end(of program: String, unless signals: AsyncStream<Int32>) async -> StopWorker.End {
    let worker = OneThread.task { await StopWorker.end(of: program, stopping: court, by: broker) }
    let isInterrupted = Locked(false)
    let watch = OneThread.task {
      guard await signals.first(where: { _ in true }) != nil else { return }
      isInterrupted.withLock { $0 = true }
      worker.cancel()
    }
    defer { watch.cancel() }
    var end = await worker.value
    if end.result == nil, isInterrupted.withLock({ $0 }) { end.reason = "interrupted" }
    return end
  }

  private static let switchHint = "use the machine's switch if it moves"
  private static let nothing = "NOTHING was stopped: \(switchHint)"
  private static let unknown = "it is NOT KNOWN whether the machine was stopped: \(switchHint)"

  /// The answer of a court. Advice in it is for the court's box, not for this one.
  private func words(_ stop: StopRecord) -> String {
    switch stop.outcome {
    case "notDelivered":
      "\(court): the machine was NOT reached: \(Self.switchHint); its box says: \(stop.reason)"
    default: "\(court): \(Self.unknown); its box says: \(stop.reason)"
    }
  }

  /// - Parameter user: the user's name at the broker.
  private func failure(_ outcome: CourtStop.Outcome, user: String?) -> Failure {
    let remedy = NoCourt.remedy(
      reading: "ballmachine/#",
      writing: CourtTopic.stop.path(of: "+"),
      by: user
    )
    let unreached = "\(court) was NOT reached: \(Self.switchHint)"
    return switch outcome {
    case .offline: Failure(.unavailable, "\(unreached); its box is off or has lost the broker")
    case .unseen:
      Failure(
        .unavailable,
        "\(Self.unknown); the broker shows no \(court): there is none, or this user may not read it, and "
          + "perhaps not stop it: \(remedy)"
      )
    case .unheard:
      Failure(
        .unavailable,
        "\(unreached); no box is subscribed to its stop: the box is off or has lost the broker, no "
          + "court has this name, or the box may not read its stop"
      )
    case .refused(let words):
      Failure(.noPermission, "\(unreached); the broker says: \(words): \(remedy)")
    case .lost(let error): Failure(.temporary, "\(Self.unknown); \(error)")
    case .silent, .answered:
      Failure(
        .temporary,
        "\(Self.unknown); \(court) has not answered, or this user may not stop it, of which a broker with "
          + "MQTT 3.1.1 says nothing"
      )
    }
  }
}
