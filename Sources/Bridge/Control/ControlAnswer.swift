import ControlProtocol
import CourtLogic
import Safety

/// The service's answer, before it is encoded for the client.
enum ControlAnswer: Sendable {
  case status(BridgeSnapshot)
  case metrics(BridgeSnapshot)
  case table(CommandsInForce)
  case safety(SafetyReply)
  case manual(ManualReply)
  case reload(ReloadReply)
  case failed(ControlError)
}

extension ControlMethod {
  /// Asks the service to do it. Never called for ``subscribe``, which the server does itself.
  func answer(
    by service: any ControlledService,
    reload: (@Sendable () async -> ReloadReply)?
  ) async -> ControlAnswer {
    switch self {
    case .status, .subscribe: return .status(await service.snapshot)
    case .metrics: return .metrics(await service.snapshot)
    case .table: return .table(await service.commands)
    case .safety(let request): return .safety(await service.perform(request))
    case .send(let manual):
      switch manual {
      case .command(let command):
        return .manual(await service.sendManually(command))
      case .zone(let zone):
        return .manual(await service.sendManually(await service.commands.table[zone]))
      }
    case .reload:
      guard let reload else {
        return .failed(
          ControlError(.unavailable, "this service has no configuration to read again")
        )
      }
      return .reload(await reload())
    }
  }
}
