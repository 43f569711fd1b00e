import Bridge
import Configuration
import ControlProtocol
import CourtLogic
import Drills
import Host
import JSON
import Programs
import Training

/// Loads drills and levels into the running service, on request on the control socket.
struct TrainingLoader: TrainingLibrary {
  let service: BridgeService
  let library: DrillLibrary
  let configuration: RunningConfiguration
  /// Drills are read from the disk.
  let disk: DiskWait
  /// Of what is loaded; nil keeps nothing.
  var memory: TrainingMemory?

  func drills() async -> Result<DrillsRecord, ControlError> {
    do {
      return .success(
        try await read { [library] _ in DrillsRecord(drills: try library.records()) }
      )
    } catch {
      return .failure(refusal(error))
    }
  }

  /// A choice without a level keeps the loaded one: the plain balls are faster than a beginner's.
  func load(_ choice: ControlRequest.DrillChoice?) async -> TrainingReply {
    let loaded = await service.snapshot.training.plan.level
    return await load(choice?.name, choice?.level ?? loaded, seed: choice?.seed)
  }

  /// The level of what is loaded: a drill's, or without one that of the player's own zone.
  func loadLevel(_ level: SkillLevel?) async -> TrainingReply {
    switch await service.snapshot.training.plan {
    case .follow: await load(nil, level, seed: nil)
    case .drill(let drill, let seed): await load(drill.name, level, seed: seed)
    }
  }

  /// - Parameter drill: nil: none.
  private func load(_ drill: String?, _ level: SkillLevel?, seed: Int?) async -> TrainingReply {
    do {
      let plan = try await read { [library] configuration in
        try library.plan(drill, level, seed: seed, in: configuration)
      }
      try await service.load(plan)
      await memory?.keep(service)
      return .loaded(await service.snapshot.training)
    } catch {
      return .refused(refusal(error))
    }
  }

  private func read<Value: Sendable>(
    _ work: @escaping @Sendable (EffectiveConfiguration) throws -> Value
  ) async throws -> Value {
    try await disk { [configuration] in try await configuration.read(work) }
  }

  private func text(of refusal: TrainingRefusal) -> String {
    if case .noCommand = refusal {
      "\(refusal); choose another level, or none: `ballmachine level --none`"
    } else {
      "\(refusal)"
    }
  }

  private func refusal(_ error: any Error) -> ControlError {
    switch error {
    case let error as TrainingRefusal:
      ControlError(.refused, text(of: error), data: ["code": .string(error.code)])
    case is DiskWait.Stuck:
      ControlError(.refused, "the drills' disk does not answer: check the disk or the mount")
    case is CancellationError: ControlError(.refused, "the service is ending")
    default: ControlError(.refused, "\(error)", data: ["code": .string("noDrill")])
    }
  }
}
