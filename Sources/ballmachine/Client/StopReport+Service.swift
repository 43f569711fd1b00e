import ControlProtocol
import Host
import Programs
import Reports

extension StopReport {
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
    let silence = OneThread.task {
      guard (try? await SystemClock().sleep(for: .seconds(2))) != nil else { return }
      Output.complain("ballmachine stop: no answer yet: use the machine's switch if it moves")
    }
    defer { silence.cancel() }
    return try await stop()
  }

  /// Stops the bridge of the runtime directory. One that has no machine because another process has it
  /// is no success: then, and where no bridge answers, the processes that have a machine are stopped.
  ///
  /// - Returns: nil where no service runs, and no process controls the machine.
  static func performByBridge() async throws -> StopReport? {
    var own: StopReport?
    var failure: (any Error)?
    var asked: Int32?
    do {
      let (answer, process) = try await ControlClient.stopAndTell(in: .ofRunningBridge())
      let report = try StopReport(answer: answer)
      guard report.stop.outcome == "notDelivered" else { return report }
      (own, asked) = (report, process)
    } catch { failure = error }
    let holders = MachineHolder.current().filter { asked == nil || $0.process != asked }
    let reports = try await answers(of: holders).map { try $0.get() }
    // A bridge that has not stopped counts more than one that has.
    if let report = reports.first(where: { $0.failure != nil }) ?? reports.first {
      if let failure, (failure as? ControlClientError)?.isNoService != true {
        Output.complain("ballmachine stop: \(failure)")
      }
      return report
    }
    if let own { return own }
    guard let failure else { return nil }
    if holders.isEmpty, (failure as? ControlClientError)?.isNoService == true { return nil }
    throw failed(failure, holder: holders.first)
  }

  /// Stops all at once: one that hangs keeps no other waiting.
  private static func answers(of holders: [MachineHolder]) async -> [Result<StopReport, any Error>]
  {
    let believed = RuntimeDirectory.believed()
    return await withTaskGroup(of: Result<StopReport, any Error>?.self) { group in
      for holder in holders {
        guard let name = holder.name else { continue }
        group.addTask {
          do {
            let claimant = holder.user.flatMap { believed.contains($0) ? nil : $0 }
            return .success(
              try StopReport(answer: await ControlClient.stop(claim: name), claimant: claimant)
            )
          } catch ControlClientError.noService {
            // It has ended, or only has the name.
            return holder.process == nil ? .failure(notStopped(holder)) : nil
          } catch {
            return .failure(failed(error, holder: holder))
          }
        }
      }
      return await group.reduce(into: []) { results, result in
        if let result { results.append(result) }
      }
    }
  }

  private static func notStopped(_ holder: MachineHolder) -> Failure {
    Failure(.temporary, "NOTHING was stopped: use the machine's switch if it moves; \(holder.end)")
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
    case (ControlClientError.silent, nil), (ControlClientError.lost, nil):
      doubt = "it is NOT KNOWN whether the machine was stopped"
      reason = "\(error)"
    case (ControlClientError.noPermission, let holder?):
      reason = holder.end
    case (ControlClientError.silent, let holder?), (ControlClientError.lost, let holder?):
      doubt = "it is NOT KNOWN whether the machine was stopped"
      reason = "\(error); \(holder.end)"
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
