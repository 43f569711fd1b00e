package import Bridge
import Configuration
package import ControlProtocol
package import CourtLogic
package import Drills
import Host
import JSON
import Programs
import Safety
package import Training

/// Loads drills and levels into the running service, on request on the control socket.
package struct TrainingLoader: TrainingLibrary {
  let service: BridgeService
  let library: DrillLibrary
  let configuration: RunningConfiguration
  /// Drills are read from the disk.
  let disk: DiskWait
  /// The memory of what is loaded; nil keeps nothing.
  let memory: TrainingMemory?

  package func drills() async throws(ControlError) -> DrillsRecord {
    do {
      return try await read { [library] configuration in
        DrillsRecord(drills: try library.records(in: configuration))
      }
    } catch {
      throw refusal(error)
    }
  }

  /// A choice without a level keeps the loaded one: the plain balls are faster than a beginner's.
  package func load(
    _ choice: ControlRequest.DrillChoice?
  ) async throws(ControlError) -> TrainingStatus {
    if let seed = choice?.seed, !Drill.seeds.contains(seed) {
      throw .invalidParameters(
        "“seed” is not a whole number from 0 to \(Drill.seeds.upperBound)"
      )
    }
    if choice?.level == nil, await service.lostTraining == .unknown {
      throw refusal(TrainingRefusal.safety(.trainingLost(.unknown)))
    }
    return try await load { library, loaded, configuration in
      var asked = TrainingMemory.Choice(
        drill: choice?.name,
        level: choice?.level ?? loaded.level,
        seed: choice?.seed
      )
      do throws(DrillError) { return try library.plan(asked, in: configuration) } catch {
        guard choice?.level == nil, let level = asked.level else { throw error }
        asked.level = nil
        guard (try? library.plan(asked, in: configuration)) != nil else { throw error }
        throw KeptLevelRefusal(error: error, level: level)
      }
    }
  }

  /// The level of what is loaded: a drill's, or without one that of the player's own zone. No level
  /// unloads a drill that can't be thrown without one: there is always a way back to the plain balls.
  package func loadLevel(_ level: SkillLevel?) async throws(ControlError) -> TrainingStatus {
    try await load { library, loaded, configuration in
      var asked = loaded
      asked.level = level
      do throws(DrillError) { return try library.plan(asked, in: configuration) } catch {
        guard level == nil else { throw error }
        return .follow(nil)
      }
    }
  }

  /// - Parameter plan: makes it from what is loaded, again if that changes while the disk is read.
  private func load(
    _ plan:
      @escaping @Sendable (
        DrillLibrary, TrainingMemory.Choice, EffectiveConfiguration
      ) throws -> TrainingPlan
  ) async throws(ControlError) -> TrainingStatus {
    do {
      while true {
        let old = await service.snapshot.training.plan
        var choice = TrainingMemory.Choice(old)
        if let lost = await service.lostTraining?.level { choice.level = lost }
        let new = try await read { [library, choice] configuration in
          try plan(library, choice, configuration)
        }
        guard let loaded = try await service.load(new, replacing: old) else { continue }
        await memory?.keep(service)
        return loaded
      }
    } catch {
      throw refusal(error)
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
      .refused(error.code, text(of: error))
    case is DiskWait.Stuck:
      ControlError(.refused, "the drills' disk does not answer: check the disk or the mount")
    case is CancellationError: ControlError(.refused, "the service is ending")
    default: .refused("noDrill", "\(error)")
    }
  }
}

/// The request names no level, and the drill can't be thrown at the loaded one.
private struct KeptLevelRefusal: Error, CustomStringConvertible {
  let error: DrillError
  let level: SkillLevel

  var description: String {
    """
    \(error)
    \(level.rawValue) is the loaded level: name another one with the drill, or run \
    `ballmachine level --none` first
    """
  }
}

extension TrainingLoader {
  /// Keeps nothing of what is loaded.
  package init(
    service: BridgeService,
    library: DrillLibrary,
    configuration: RunningConfiguration,
    disk: DiskWait
  ) {
    self.init(
      service: service,
      library: library,
      configuration: configuration,
      disk: disk,
      memory: nil
    )
  }
}
