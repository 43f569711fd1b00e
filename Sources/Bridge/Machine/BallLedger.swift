import Clocks
import ControlProtocol
import CourtLogic
import JSON
import MachineLink
import Safety

/// The balls that have left: those whose outcome or answer is still to come, and the last ones.
struct BallLedger: Sendable {
  /// Without an outcome, or without the machine's answer that follows it.
  private var flights: [SafetyCore.Ball: Flight] = [:]
  /// The ball that was refused at the last moment, and its outcome, until that is handled.
  private var refused: (SafetyCore.Ball, WriteOutcome)?
  /// The last ball's command that may have arrived.
  var lastCommand: MachineCommand?
  var lastDispatch: DispatchRecord?
  var lastManual: TimedManualRecord?

  /// Why a ball is sent.
  enum Purpose: Sendable {
    /// With the drill's progress once it has left.
    case decision(DispatchRecord, SessionDrill?)
    case byHand(number: Int, BridgeMachine.RequestID)
  }

  /// A ball's command on its way: flying → landed, where the machine's answer follows.
  struct Flight: Sendable {
    let purpose: Purpose
    let command: MachineCommand
    let decidedAt: MonotonicInstant
    /// Once its write has its outcome.
    var landing: Landing?
  }

  struct Landing: Sendable {
    let outcome: WriteOutcome
    /// From the decision to the outcome.
    let latency: Duration
  }

  mutating func left(_ ball: SafetyCore.Ball, _ flight: Flight) { flights[ball] = flight }

  mutating func refuse(_ ball: SafetyCore.Ball, _ outcome: WriteOutcome) {
    refused = (ball, outcome)
  }

  mutating func takeRefused() -> (SafetyCore.Ball, WriteOutcome)? {
    defer { refused = nil }
    return refused
  }

  /// The write of this ball's command has its outcome.
  ///
  /// - Returns: the flight; nil if it had one before.
  mutating func land(
    _ ball: SafetyCore.Ball,
    _ outcome: WriteOutcome,
    expectsAnswer: Bool,
    at now: MonotonicInstant
  ) -> (Flight, Landing)? {
    guard var flight = flights[ball], flight.landing == nil else { return nil }
    let landing = Landing(outcome: outcome, latency: flight.decidedAt.duration(to: now))
    flight.landing = landing
    flights[ball] = expectsAnswer ? flight : nil
    return (flight, landing)
  }

  /// The machine has answered this ball's command.
  ///
  /// - Returns: the flight; nil if no answer was to come.
  mutating func answer(_ ball: SafetyCore.Ball) -> (Flight, Landing)? {
    guard let flight = flights[ball], let landing = flight.landing else { return nil }
    flights[ball] = nil
    return (flight, landing)
  }
}

extension BallLedger.Landing {
  /// A command by hand that ended so.
  func manual(
    _ number: Int,
    _ flight: BallLedger.Flight,
    answer: MachineAnswer? = nil
  ) -> ManualRecord {
    var record = ManualRecord(
      number: number,
      command: flight.command.text,
      outcome: OutcomeRecord(outcome),
      latency: latency.seconds.rounded(places: 6)
    )
    record.answer = answer?.rawValue
    return record
  }
}
