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
  typealias Work<Value> = @Sendable (EffectiveConfiguration) throws -> Value

  let service: BridgeService
  let library: DrillLibrary
  /// Reads a drill with the configuration in force, where waiting for a disk holds nothing up.
  let read: @Sendable (@escaping Work<Found>) async throws -> Found

  enum Found: Sendable {
    case plan(TrainingPlan)
    case drills(DrillsRecord)
  }

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
      guard
        case .drills(let record) = try await read({ [library] _ in
          .drills(DrillsRecord(drills: try library.records()))
        })
      else { throw Failure(.internalError, "no drills") }
      return record
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

  private func load(_ plan: @escaping Work<TrainingPlan>) async -> TrainingReply {
    do {
      guard case .plan(let plan) = try await read({ .plan(try plan($0)) }) else {
        throw Failure(.internalError, "no plan")
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
