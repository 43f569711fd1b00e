import Bridge

/// What became of a stop.
struct StopReport: Report {
  var stop: ServiceStop

  var text: String { "stop  \(stop.reason)" }

  private enum Key: CodingKey {
    case event
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode("stop", forKey: .event)
    try stop.encode(to: encoder)
  }

  /// Why the machine may go on; nil where it has the stop command.
  var failure: Failure? {
    switch stop.outcome {
    case "confirmed", "alreadyStopped": nil
    case "notDelivered": Failure(.unavailable, stop.reason)
    // Also an outcome that this program doesn't know: when in doubt, it is not stopped.
    default: Failure(.temporary, stop.reason)
    }
  }

  /// Stops the machine through the service's own socket for that.
  static func perform() async throws -> StopReport {
    do {
      let answer = try await ControlClient.stop(in: .ofRunningBridge())
      return StopReport(stop: try answer.decoded(as: ServiceStop.self))
    } catch {
      throw failed(error, holder: MachineLock.holder())
    }
  }

  /// Says that nothing was stopped, or that nobody knows, and what stops the machine instead.
  ///
  /// - Parameter holder: the process that controls the machine, if one does.
  static func failed(_ error: any Error, holder: Int32?) -> Failure {
    let reason: String
    var doubt = "NOTHING was stopped"
    switch (error, holder) {
    case (ControlClientError.noService, let holder?):
      reason =
        "no service runs, but process \(holder) controls the machine: end it with"
        + " `kill \(holder)`, and it sends the stop command on its way out"
    case (ControlClientError.noService, nil):
      reason =
        "no service runs; `ballmachine safe-stop' sends the stop command without one"
    case (ControlClientError.silent, _), (ControlClientError.lost, _):
      doubt = "it is NOT KNOWN whether the machine was stopped"
      reason = "\(error)"
    default:
      reason = "\(error)"
    }
    return Failure(
      ExitCode(for: error),
      "\(doubt): use the machine's switch if it moves; \(reason)"
    )
  }
}
