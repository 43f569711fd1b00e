package import ControlProtocol
import Host
package import JSON
package import Programs

/// The outcome of a stop.
package struct StopReport: Report {
  package var stop: StopRecord
  /// The service's event; nil of a service that doesn't say when.
  private var record: EventRecord?

  /// - Parameter claimant: a user who is not believed, and whose process has the machine: the answer is
  ///   quoted as this user's, and never counts as a success.
  package init(stop: StopRecord, claimant: UInt32? = nil) {
    self.stop = stop
    guard let claimant else { return }
    self.stop = StopRecord(
      outcome: "unconfirmed",
      reason:
        "it is NOT KNOWN whether the machine was stopped: use the machine's switch if it moves;"
        + " a process of the user \(UserName(claimant)) holds the machine's claim, which proves nothing,"
        + " and answers “\(stop.reason.printable)”"
    )
  }

  package var text: String { "stop  \(stop.reason)" }

  /// Reads what a service of any version answers.
  package init(answer: JSONValue, claimant: UInt32? = nil) throws {
    self.init(stop: try answer.decoded(as: StopRecord.self), claimant: claimant)
    record = try? answer.decoded(as: EventRecord.self)
  }

  package func encode(to encoder: any Encoder) throws {
    guard var record else { return try encoder.encode(stop, as: "stop") }
    record.event = .stop(stop)
    try record.encode(to: encoder)
  }

  /// Why the machine may go on; nil if it has the stop command.
  package var failure: Failure? { Failure(ofStop: stop.outcome, stop.reason) }
}
