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
struct TrainingLoader: Sendable {
  let service: BridgeService
  let library: DrillLibrary
  let reader: any DrillReader

  /// For the control socket.
  var sockets: TrainingLibrary {
    TrainingLibrary(
      drills: { await drills() },
      loadDrill: { choice in await load(choice?.name, choice?.level, seed: choice?.seed) },
      loadLevel: { level in await loadLevel(level) }
    )
  }

  private func drills() async -> Result<DrillsRecord, ControlError> {
    do {
      return .success(
        try await reader.read { [library] _ in DrillsRecord(drills: try library.records()) }
      )
    } catch {
      return .failure(refusal(error))
    }
  }

  /// The level of what is loaded: a drill's, or without one that of the player's own zone.
  private func loadLevel(_ level: SkillLevel?) async -> TrainingReply {
    switch await service.snapshot.training.plan {
    case .follow: await load(nil, level, seed: nil)
    case .drill(let drill, let seed): await load(drill.name, level, seed: seed)
    }
  }

  /// - Parameter drill: nil: none.
  private func load(_ drill: String?, _ level: SkillLevel?, seed: Int?) async -> TrainingReply {
    do {
      let plan = try await reader.read { [library] configuration in
        try library.plan(drill, level, seed: seed, in: configuration)
      }
      try await service.load(plan)
      return .loaded(await service.snapshot.training)
    } catch {
      return .refused(refusal(error))
    }
  }

  private func refusal(_ error: any Error) -> ControlError {
    switch error {
    case let error as TrainingRefusal:
      ControlError(.refused, "\(error)", data: ["code": .string(error.code)])
    case is DiskWait.Stuck:
      ControlError(.refused, "the drills' disk does not answer: check the disk or the mount")
    case is CancellationError: ControlError(.refused, "the service is ending")
    default: ControlError(.refused, "\(error)", data: ["code": .string("noDrill")])
    }
  }
}

/// Reads drills with the configuration in force.
protocol DrillReader: Sendable {
  func read<Value: Sendable>(
    _ work: @escaping @Sendable (EffectiveConfiguration) throws -> Value
  ) async throws -> Value
}

/// Waits for the disk where that holds nothing up.
struct ServiceDrillReader: DrillReader {
  let configuration: RunningConfiguration
  let disk: DiskWait

  func read<Value: Sendable>(
    _ work: @escaping @Sendable (EffectiveConfiguration) throws -> Value
  ) async throws -> Value {
    try await disk { [configuration] in try await configuration.read(work) }
  }
}

/// Of a simulation, which nothing waits for.
struct SimulationDrillReader: DrillReader {
  let configuration: EffectiveConfiguration

  func read<Value: Sendable>(
    _ work: @escaping @Sendable (EffectiveConfiguration) throws -> Value
  ) async throws -> Value {
    try work(configuration)
  }
}
