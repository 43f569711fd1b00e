package import Bridge
import Configuration
package import ControlProtocol
import CourtLogic
package import CourtMapping
package import Drills
package import Host
package import Programs
import Reports
package import RunLog
import Training
import YAML

/// Reads the configuration again, on SIGHUP and on request on the control socket, and reports the
/// result.
///
/// The files may lie on a disk that hangs: the end of the service ends the wait.
package struct Reloading: Sendable {
  let configuration: RunningConfiguration
  let service: BridgeService
  let library: DrillLibrary
  /// What picture points are mapped with.
  let calibration: Locked<Calibration?>
  let log: RunLog?
  let notifier: ServiceNotifier
  let journal: JournalLog
  let output: Output

  let disk: DiskWait
  /// The memory of what is loaded; nil keeps nothing.
  let memory: TrainingMemory?
  /// What was to be loaded at the start; nil: nothing.
  let recalled: TrainingMemory.Choice?

  /// - Parameter empty: whether a file may have lost all that it had.
  package func perform(empty: Bool = false) async throws(ControlError) -> ReloadRecord {
    do {
      return try await disk { [self] in try await reload(empty) }
    } catch let error as ControlError {
      throw error
    } catch is DiskWait.Stuck {
      throw refusal(Self.stuck)
    } catch {
      throw .reloadRefused("the service ended before the configuration was read")
    }
  }

  private static let stuck =
    "the configuration can't be read now, because its disk does not answer: it applies once it is"
    + " read (check the disk or the mount)"

  private static let live =
    "court.calibration can't change while balls may fly: pause or disarm first, then reload"

  private func reload(_ takesEmpty: Bool) async throws(ControlError) -> ReloadRecord {
    notifier.reloading()
    defer { notifier.ready() }
    do {
      let wasLost = await service.lostTraining != nil
      let reload = try await configuration.reload(empty: takesEmpty) {
        [service, calibration] reload in
        do throws(TrainingRefusal) { try await service.check(reload.running.bridge) } catch {
          let plan = await service.snapshot.training.plan
          let remedy = plan.wayOut(
            to: reload.running.bridge,
            needsLevels: await service.levelHasCommands
          )
          throw Failure(.temporary, "\(error), for what is loaded: run `\(remedy)' first")
        }
        guard reload.changesCalibration else { return }
        guard await service.recalibrate(calibration, to: reload.running.calibration) else {
          throw Failure(.temporary, Self.live)
        }
      } applying: { [service, log, library, recalled] running in
        let lost = wasLost ? recalled : nil
        let plan = lost.flatMap { try? library.plan($0, in: running) }
        await service.reconfigure(running.bridge, finding: plan)
        log?.record(running.decisions)
      }
      await memory?.keepCommands(of: service)
      let isLost = await service.lostTraining != nil
      let record = ReloadRecord(
        reload,
        changedDrill: await changedDrill(),
        training: wasLost && !isLost ? TrainingRecord(await service.snapshot.training) : nil
      )
      announce(record.report)
      return record
    } catch {
      throw refusal("the configuration stays as it was: \(error)")
    }
  }

  /// The loaded drill, if its file has changed or is gone since.
  private func changedDrill() async -> String? {
    let loaded = await service.snapshot.training.plan
    guard let drill = loaded.drill else { return nil }
    let now = try? await configuration.read { [library] settings in
      try library.plan(TrainingMemory.Choice(loaded), in: settings)
    }
    return now == loaded ? nil : drill.name
  }

  /// Reports it too.
  private func refusal(_ reason: String) -> ControlError {
    for line in reason.split(separator: "\n") { journal.write(String(line), .error) }
    if output.style == .json { _ = output.writeLater(ReloadRefusal(reason: reason)) }
    return .reloadRefused(reason)
  }

  /// The reply does not wait for the reader of standard output. A reader that has gone is noticed
  /// with the next event, and ends the service.
  private func announce(_ report: some Report) {
    let isForJournal = journal.isStructured && output.style == .text
    if isForJournal || !output.writeLater(report) {
      for line in report.lines { journal.write(line, .notice) }
    }
  }
}

extension TrainingPlan {
  /// The command that unloads what doesn't fit these settings: the level if they lack its commands
  /// even without a drill, otherwise the drill.
  fileprivate func wayOut(to settings: BridgeSettings, needsLevels: Bool) -> String {
    guard drill != nil else { return "level --none" }
    let plain = TrainingPlan.follow(level.flatMap(settings.plan(at:)))
    let missing = settings.decisions.table
      .missing(for: plain.strokes, needsLevels: needsLevels)
    return missing.isEmpty ? "drill --none" : "level --none"
  }
}

extension Reloading {
  /// Keeps nothing of what is loaded.
  package init(
    configuration: RunningConfiguration,
    service: BridgeService,
    library: DrillLibrary,
    calibration: Locked<Calibration?>,
    log: RunLog?,
    notifier: ServiceNotifier,
    journal: JournalLog,
    output: Output,
    disk: DiskWait
  ) {
    self.init(
      configuration: configuration,
      service: service,
      library: library,
      calibration: calibration,
      log: log,
      notifier: notifier,
      journal: journal,
      output: output,
      disk: disk,
      memory: nil,
      recalled: nil
    )
  }
}

extension ReloadRecord {
  fileprivate init(_ reload: ConfigurationReload, changedDrill: String?, training: TrainingRecord?)
  {
    self.init(
      applied: reload.changes.filter { $0.effect == .atOnce }.map(\.path),
      atRestart: reload.waiting,
      changedDrill: changedDrill,
      training: training
    )
  }
}
