import ControlProtocol
import Host
import JSON
import Programs

/// The outcome of a stop.
struct StopReport: Report {
  var stop: StopRecord
  /// The service's event; nil of a service that doesn't say when.
  private var record: EventRecord?

  /// - Parameter claimant: a user whose bridge has the machine, but only a lock says so: the answer
  ///   is quoted as this user's, and never counts as a success.
  init(stop: StopRecord, claimant: UInt32? = nil) {
    self.stop = stop
    guard let claimant else { return }
    self.stop = StopRecord(
      outcome: "unconfirmed",
      reason:
        "it is NOT KNOWN whether the machine was stopped: use the machine's switch if it moves;"
        + " a process of the user \(UserName(claimant)) holds the machine's lock, which proves nothing,"
        + " and answers “\(stop.reason.printable)”"
    )
  }

  var text: String { "stop  \(stop.reason)" }

  /// Reads what a service of any version answers.
  init(answer: JSONValue, claimant: UInt32? = nil) throws {
    self.init(stop: try answer.decoded(as: StopRecord.self), claimant: claimant)
    record = try? answer.decoded(as: EventRecord.self)
  }

  func encode(to encoder: any Encoder) throws {
    guard var record else { return try encoder.encode(stop, as: "stop") }
    record.event = .stop(stop)
    try record.encode(to: encoder)
  }

  /// Why the machine may go on; nil if it has the stop command.
  var failure: Failure? { Failure(ofStop: stop.outcome, stop.reason) }

  /// Reports it. People see it once: here, or as an error.
  func confirm(to output: Output) async throws {
    if failure == nil || output.style == .json { try await output.confirm(self) }
    if let failure { throw failure }
  }

  /// Stops the machine wherever a bridge can be reached, or else a simulation alone.
  static func perform(_ place: ServiceOptions) async throws -> StopReport {
    if place.simulate { return try await stopSimulation() }
    guard let report = try await performByBridge() else {
      throw failed(ControlClientError.noService(ControlSockets.stop), holder: nil)
    }
    return report
  }

  /// Says soon to a person who waits that a stop has no answer yet.
  static func aloud<Value>(_ stop: () async throws -> Value) async throws -> Value {
    let silence = Task {
      guard (try? await Task.sleep(for: .seconds(2))) != nil else { return }
      Output.complain("ballmachine stop: no answer yet: use the machine's switch if it moves")
    }
    defer { silence.cancel() }
    return try await stop()
  }

  /// - Returns: nil where no service runs, and no process controls the machine.
  static func performByBridge() async throws -> StopReport? {
    let holder = MachineHolder.current
    var failures: [any Error] = []
    // `noService` comes last: a bridge that answers wrongly, or not at all, may have the machine.
    var telling: (any Error)? {
      failures.first { ($0 as? ControlClientError)?.isNoService != true }
    }
    do {
      let places = try RuntimeDirectory.forStop(holder: holder?.user)
      for place in places {
        do {
          let answer = try await ControlClient.stop(in: place)
          let report = try StopReport(answer: answer, claimant: place.claimant)
          if let telling { Output.complain("ballmachine stop: \(telling)") }
          return report
        } catch { failures.append(error) }
      }
    } catch { failures.append(error) }
    if telling == nil, holder == nil { return nil }
    throw failed(telling ?? failures[0], holder: holder)
  }

  private static func stopSimulation() async throws -> StopReport {
    do {
      return try StopReport(answer: await ControlClient.stop(in: .ofSimulation()))
    } catch let error as ControlClientError where error.isNoService {
      throw Failure(.unavailable, "NOTHING was stopped: \(ServiceConnection.noSimulation)")
    }
  }

  /// Says that nothing was stopped, or that it is not known, and what stops the machine instead.
  ///
  /// - Parameter holder: the process that controls the machine, if one does.
  static func failed(_ error: any Error, holder: MachineHolder?) -> Failure {
    let reason: String
    var doubt = "NOTHING was stopped"
    switch (error, holder) {
    case (ControlClientError.noService, let holder?):
      reason = "no service can be reached, but \(holder.end)"
    case (ControlClientError.noService, nil):
      reason =
        "no service runs; `ballmachine safe-stop' sends the stop command without one"
        + ServiceConnection.simulationHint
    case (ControlClientError.silent, _), (ControlClientError.lost, _):
      doubt = "it is NOT KNOWN whether the machine was stopped"
      reason = "\(error)"
    case (ControlClientError.noPermission, let holder?):
      reason = holder.end
    case (_, let holder?):
      reason = "\(error); \(holder.end)"
    case (_, nil):
      reason = "\(error)"
    }
    return Failure(
      ExitCode(for: error),
      "\(doubt): use the machine's switch if it moves; \(reason)"
    )
  }
}
