import ControlProtocol
import Fleet
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
      written, but not acknowledged, or no outcome came (75); the court was not reached (69). \
      Unless it ends with 0, use the machine's switch. The switch is the emergency stop in any case.
      """
  )

  func run(_ output: Output) async throws {
    let settings = try broker.settings()
    let outcome: CourtStop.Outcome
    do {
      outcome = try await CourtStop(court, at: settings).perform()
    } catch let error as MQTTFailure {
      throw Failure(error.exitCode, "NOTHING was stopped: \(Self.switchHint); \(error)")
    }
    guard case .answered(let stop) = outcome else { throw failure(outcome) }
    let failure = Failure(ofStop: stop.outcome, stop.reason)
    if failure == nil || output.style == .json {
      // As `ballmachine stop` prints it.
      try await output.confirm(RecordReport("stop", stop, text: "stop  \(stop.reason)"))
    }
    if let failure { throw failure }
  }

  private static let switchHint = "use the machine's switch if it moves"

  private func failure(_ outcome: CourtStop.Outcome) -> Failure {
    let unreached = "\(court) was NOT reached: \(Self.switchHint)"
    let unknown = "it is NOT KNOWN whether the machine was stopped: \(Self.switchHint)"
    return switch outcome {
    case .offline: Failure(.unavailable, "\(unreached); its box is off or has lost the broker")
    case .unknown: Failure(.unavailable, "\(unreached); the broker knows no court of this name")
    case .unheard:
      Failure(
        .unavailable,
        "\(unreached); no box is subscribed to its stop: the box is off or has lost the broker, or no "
          + "court has this name"
      )
    case .refused(let words): Failure(.noPermission, "\(unreached); the broker says: \(words)")
    case .lost(let error): Failure(.temporary, "\(unknown); \(error)")
    case .silent, .answered: Failure(.temporary, "\(unknown); \(court) has not answered")
    }
  }
}
