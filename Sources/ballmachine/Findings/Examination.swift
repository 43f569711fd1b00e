import Configuration
import Doctor
import Host
import MachineLink
import Options
import Programs
import RunLog

/// All that the doctor looks at, and all that it finds.
struct Examination: Sendable {
  var configuration: ConfigurationOptions
  var machine: MachineOptions
  var connects: Bool

  struct Result: Sendable {
    /// The findings in the order of `Finding.Subject`.
    var findings: [Finding]
    /// The findings of the programs beside this one, as far as they are in use.
    var others: [Finding] = []
    /// Whether a mock plays bluetoothd; nil when BlueZ could not be asked.
    var isSimulated: Bool?
    /// What BlueZ has.
    var diagnosis: Diagnosis
    /// Where the run logs are; nil when this user has no folder for them.
    var logs: String?
  }

  func result() async -> Result {
    let (effective, settings, values) = configured()
    var link = settings.link
    let unit = await SystemdUnit.named("ballmachine.service")
    let isInstalled = unit?.isInstalled == true
    let state = LogFolder.state(isInstalled: isInstalled)
    let known = state?.isReadable == true ? state : nil
    let warn: @Sendable (String) -> Void = { Output.complain("ballmachine doctor: warning: \($0)") }
    link.remembered = await MachineMemory(in: known, warn: warn).recall(onlyLooking: true)
    link.adopted = await AdoptedMachines(in: known, warn: warn).recall(onlyLooking: true)
    var diagnosis = await Diagnosis(
      through: BlueZCentral(bus: settings.bus),
      configuration: link,
      holder: MachineLock.holder()
    )
    let directory = Swift.Result { try RuntimeDirectory.ofRunningBridge() }
    let answer: ServiceAnswer? =
      if case .success(let directory) = directory { await ServiceAnswer(in: directory) } else {
        nil
      }
    if case .state(let state) = answer { diagnosis.service = state }
    diagnosis.isServed = answer?.isThere == true
    diagnosis.board = BoardView(sysfs: "/sys")
    await diagnosis.testSignals(through: BlueZCentral(bus: settings.bus))
    if connects { diagnosis.trial = await trial(diagnosis, on: settings.bus) }

    var findings = effective + diagnosis.findings + diagnosis.board.findings
    if settings.bus == "system", diagnosis.isSimulated != true {
      let bluetooth = await SystemdUnit.named("bluetooth.service")
      findings.append(.supervision(of: bluetooth))
      findings += [.restarts(of: bluetooth, version: diagnosis.daemonVersion)].compactMap(\.self)
    }
    let logs = LogFolder.path(values.log, isInstalled: isInstalled)
    switch directory {
    case .success(let directory): findings += service(unit, answer, in: directory, values)
    case .failure(let error): findings.append(.problem(.socketsMissing, "\(error)", nil))
    }
    findings += Finding.stopsOwed(
      await StopDebts(in: known, warn: warn).recall(),
      answer: answer,
      holder: diagnosis.holder
    )
    if let state, known == nil { findings.append(.stopsUnknown(in: state)) }
    findings.append(disk(values.log, logs, isUsed: values.logsRuns))
    let subjects = Finding.Subject.allCases
    return Result(
      findings: subjects.flatMap { subject in findings.filter { $0.subject == subject } },
      others: await OtherExamination.findings(values.court.calibration),
      isSimulated: diagnosis.isSimulated,
      diagnosis: diagnosis,
      logs: logs
    )
  }

  /// The configuration; defaults where it is wrong, so that the other checks still run.
  private func configured() -> ([Finding], MachineSettings, BridgeConfiguration) {
    do {
      let effective = try configuration.effective(machine: machine)
      return (Finding.findings(on: .success(effective)), effective.values.machine, effective.values)
    } catch let error as ConfigurationError {
      return (Finding.findings(on: .failure(error)), error.machine, BridgeConfiguration())
    } catch {
      // Only an error in a --table option, which the doctor does not have.
      preconditionFailure("\(error)")
    }
  }

  /// Tries a connection, unless that could do harm.
  private func trial(_ diagnosis: Diagnosis, on bus: String) async -> Diagnosis.Trial {
    if let obstacle = diagnosis.obstacleToTrial { return .left(obstacle) }
    do {
      let lock = try MachineLock(in: RuntimeDirectory())
      defer { lock.release() }
      return .made(
        await ConnectionTrial(configuration: diagnosis.configuration) { BlueZCentral(bus: bus) }
      )
    } catch {
      return .left("\(error)")
    }
  }

  private func service(
    _ unit: SystemdUnit?,
    _ answer: ServiceAnswer?,
    in directory: RuntimeDirectory,
    _ values: BridgeConfiguration
  ) -> [Finding] {
    guard let answer else { return [] }
    let service = ServiceDiagnosis(unit: unit, answer: answer, version: Version.number)
    var findings = [service.finding] + service.answerFindings
    if let detector = service.detectorFinding { findings.append(detector) }
    if answer.isThere { findings += sockets(of: directory, values) }
    if service.isInstalled { findings.append(.groups(of: values.control)) }
    return findings
  }

  private func sockets(
    of directory: RuntimeDirectory,
    _ values: BridgeConfiguration
  ) -> [Finding] {
    let expected = RuntimeView.sockets(values.positions)
    return RuntimeView(of: directory, names: expected.map(\.name)).findings(expecting: expected)
  }

  private func disk(_ options: LogSettings, _ path: String?, isUsed: Bool) -> Finding {
    guard isUsed else { return .ok(.diskUnused, "sessions are not logged") }
    guard let path else {
      return .note(.diskUnknown, "this user has no folder for session logs")
    }
    return DiskView(of: path).finding(within: options)
  }
}
