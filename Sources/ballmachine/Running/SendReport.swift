import Clocks
import CourtLogic
import JSON
import MachineLink

/// The outcome of a command by hand.
struct SendReport: Report {
  var command: MachineCommand
  /// Whether it is the machine's stop command.
  var isStop: Bool
  var status: LinkStatus
  var outcome: WriteOutcome
  var latency: Duration

  var text: String {
    [
      status.mode ?? "", status.machineText ?? "", command.digits, outcome.text,
      latency.milliseconds,
    ].filter { !$0.isEmpty }.joined(separator: "  ")
  }

  /// Throws unless the command was delivered or queued.
  func check() throws {
    try Self.check(outcome.word, reason: outcome.explanation, isStop: isStop)
  }

  static func check(_ outcome: String, reason: String?, isStop: Bool) throws {
    switch outcome {
    case "delivered", "queued": break
    case "notSent":
      throw Failure(
        .unavailable,
        "the command was not sent: \(WriteOutcome.text(outcome, reason: reason))"
      )
    case _ where isStop:
      throw Failure(
        .temporary,
        "whether the machine has the stop command is not known: switch the machine off by hand"
      )
    default:
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
