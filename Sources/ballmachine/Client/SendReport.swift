import ControlProtocol
import Host
import Programs
import Reports

/// The outcome of a command by hand.
struct SendReport: Report {
  /// When it was asked for, in seconds on the clock of who has sent it.
  var t: Double
  var time: WallTime
  /// `service` if the service sent it.
  var through: String?
  /// `SIM` or `REAL`.
  var mode: String?
  var machine: String?
  /// Not for machines.
  var machineText: String?
  var profile: String?
  /// The UUID of the characteristic that it was written to.
  var characteristic: String?
  /// The service's number of it.
  var number: Int?
  var command: String
  /// Whether it is the machine's stop command.
  var isStop = false
  var outcome: OutcomeRecord
  /// The time from the request to the outcome, in seconds.
  var latency: Double
  /// The machine's own, if it has one.
  var answer: String?

  var text: String {
    [
      mode, machineText, LinkRecord.wayText(profile, characteristic), command, outcome.text,
      latency.milliseconds, answer.map(answerText),
    ]
    .compactMap(\.self).joined(separator: "  ")
  }

  /// Throws unless the command was delivered or queued.
  func check() throws {
    switch outcome.outcome {
    case "delivered" where answer == "refused", "queued" where answer == "refused":
      throw Failure(.unavailable, "the machine refused the command")
    case "delivered" where answer == "none", "queued" where answer == "none":
      throw Failure(
        .temporary,
        "the machine has the command, and did not answer; sending it again may throw a second ball"
      )
    case "delivered", "queued": break
    case "notSent":
      let remedy = outcome.remedy.map { "; \($0)" } ?? ""
      let doubt = isStop ? "NOTHING was stopped: use the machine's switch if it moves; " : ""
      throw Failure(.unavailable, doubt + "the command was not sent: \(outcome.text)\(remedy)")
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
    case event, t, time, through, mode, machine, profile, characteristic, number, command, latency,
      answer
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode("manual", forKey: .event)
    try object.encode(t, forKey: .t)
    try object.encode(time.preciseISO8601, forKey: .time)
    try object.encodeIfPresent(through, forKey: .through)
    try object.encodeIfPresent(mode, forKey: .mode)
    try object.encodeIfPresent(machine, forKey: .machine)
    try object.encodeIfPresent(profile, forKey: .profile)
    try object.encodeIfPresent(characteristic, forKey: .characteristic)
    try object.encodeIfPresent(number, forKey: .number)
    try object.encode(command, forKey: .command)
    try outcome.encode(to: encoder)
    try object.encode(latency, forKey: .latency)
    try object.encodeIfPresent(answer, forKey: .answer)
  }
}
