package import ControlProtocol
import CourtLogic
import Safety
import Training

/// The service's answer, before it is encoded for the client.
enum ControlAnswer: Sendable {
  case status(BridgeSnapshot)
  case metrics(BridgeSnapshot)
  case feed(FeedSnapshot)
  case table(TableRecord)
  case safety(SafetyReply)
  case manual(ManualReply)
  case reload(ReloadRecord)
  case training(TrainingStatus)
  case drills(DrillsRecord)
  case adoption(AdoptionRecord)
  case failed(ControlError)
}

/// Makes a device our machine, and keeps that. It may wait for a disk.
package typealias Adopting =
  @Sendable (ControlRequest.Adoption) async throws(ControlError) -> AdoptionRecord

extension ControlRequest {
  /// Asks the service to do it. Never called for ``subscribe``, which the server does itself.
  func answer(
    by service: any ControlledService,
    for client: ClientPresence,
    mark: StopCount.Mark?,
    reload: (@Sendable (Bool) async throws(ControlError) -> ReloadRecord)?,
    training: (any TrainingLibrary)?,
    adopt: Adopting?
  ) async throws(ControlError) -> ControlAnswer {
    func library() throws(ControlError) -> any TrainingLibrary {
      guard let training else { throw ControlError(.unavailable, "this service has no drills") }
      return training
    }
    switch self {
    case .status, .subscribe: return .status(await service.snapshot)
    case .metrics: return .metrics(await service.snapshot)
    case .feed: return .feed(await service.feed)
    case .table: return .table(await service.commands)
    case .arm(let countdown, let label, let whileConnected):
      let request = SafetyRequest.arm(countdown: countdown, label: label)
      return .safety(
        await service.perform(request, while: whileConnected ? client : nil, asOf: mark)
      )
    case .drills: return .drills(try await library().drills())
    case .drill(let choice): return .training(try await library().load(choice))
    case .level(let level): return .training(try await library().loadLevel(level))
    case .disarm: return .safety(await service.perform(.disarm))
    case .pause: return .safety(await service.perform(.pause))
    case .resume(let countdown, let whileConnected):
      let request = SafetyRequest.resume(countdown: countdown)
      return .safety(
        await service.perform(request, while: whileConnected ? client : nil, asOf: mark)
      )
    case .stop: return .safety(await service.perform(.stop))
    case .reset: return .safety(await service.perform(.reset, while: nil, asOf: mark))
    case .send(.command(let command)):
      return .manual(await service.sendManually(command, asOf: mark))
    case .send(.zone(let zone)):
      return .manual(await service.sendManually(await service.command(for: zone), asOf: mark))
    case .adopt(let device):
      guard let adopt else {
        throw ControlError(.unavailable, "this service adopts no machines")
      }
      return .adoption(try await adopt(device))
    case .reload(let empty):
      guard let reload else {
        throw ControlError(.unavailable, "this service has no configuration to read again")
      }
      return .reload(try await reload(empty))
    }
  }
}
