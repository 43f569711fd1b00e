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
      drills: { () async throws(ControlError) in try await drills() },
      loadDrill: { choice in
        guard let choice else { return await load { _ in .follow(nil) } }
        return await load { configuration in
          let drill = try library.drill(choice, in: configuration)
          return .drill(drill, seed: choice.seed)
        }
      },
      loadLevel: { level in await loadLevel(level) }
    )
  }

  private func drills() async throws(ControlError) -> DrillsRecord {
    do {
      return try await reader.read { [library] _ in DrillsRecord(drills: try library.records()) }
    } catch {
      throw refusal(error)
    }
  }

  /// The level of what is loaded: a drill's, or without one that of the player's own zone.
  private func loadLevel(_ level: SkillLevel?) async -> TrainingReply {
    let plan = await service.snapshot.training.plan
    return await load { [library] configuration in
      switch plan {
      case .follow: return .follow(level.map { TrainingPlan.Level($0, in: configuration) })
      case .drill(let drill, let seed):
        let choice = ControlRequest.DrillChoice(drill.name, level: level)
        return .drill(try library.drill(choice, in: configuration), seed: seed)
      }
    }
  }

  private func load(
    _ plan: @escaping @Sendable (EffectiveConfiguration) throws -> TrainingPlan
  ) async -> TrainingReply {
    do {
      try await service.load(try await reader.read(plan))
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
