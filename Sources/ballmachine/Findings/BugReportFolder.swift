import ControlProtocol
import Doctor
import Host
import MachineLink
import Options
import Programs

/// Fills a bug report's folder, file by file. A file whose contents can't be read says why.
struct BugReportFolder {
  var path: String
  var configuration: ConfigurationOptions
  var machine: MachineOptions
  var time: WallTime

  /// The most bytes of the run log: about half an hour at a camera's rate.
  private static let logBytes = 4 << 20
  /// More bytes than the requested lines of a log have.
  private static let mostBytes = 16 << 20

  /// - Returns: the files, in reading order.
  func fill() async throws -> [BugReportPart] {
    let examination = Examination(configuration: configuration, machine: machine, connects: false)
    let result = await examination.result()
    var mask = AddressMask(
      keeping: Set(result.diagnosis.ownAddresses.map { "\($0)".uppercased() })
    )
    var parts: [BugReportPart] = []

    func add(_ file: String, _ contents: String, _ text: String) throws {
      let masked = mask.masked(text)
      do throws(SystemError) {
        try ReplacedFile.write(Array(masked.utf8), to: "\(path)/\(file)", mode: 0o600)
      } catch {
        throw Failure(.inputOutput, "can't write \(path)/\(file): is the disk full?")
      }
      parts.append(BugReportPart(file: file, bytes: masked.utf8.count, contents: contents))
    }

    func addOutput(_ file: String, _ contents: String, of command: [String]) async throws {
      try add(file, contents, await outputText(of: command))
    }

    try add("README.txt", "what is in this report, and what is not", Self.readme(time))
    try add("doctor.txt", "the doctor's findings", findings(result))
    try add("versions.txt", "versions of the software involved", await versions(result))
    try add("configuration.yaml", "the values in force, without comments", values())
    try add("status.json", "the service's own state", await status())
    try await addOutput(
      "units.txt",
      "systemd's view of the service and of bluetoothd",
      of: ["systemctl", "show", "--no-pager", "ballmachine.service", "bluetooth.service", "-p"]
        + [Self.unitProperties]
    )
    try await addOutput(
      "service.log",
      "the service's and bluetoothd's last 3000 lines in the journal",
      of: Self.journal + ["-n", "3000", "-u", "ballmachine", "-u", "bluetooth"]
    )
    try await addOutput(
      "kernel.log",
      "the kernel's Bluetooth messages since the last boot",
      of: Self.journal + ["-n", "1000", "-k", "--grep", "bluetooth|hci[0-9]|rfkill|btusb"]
    )
    try add(
      "objects.txt",
      "BlueZ's adapters and devices",
      Output.clean(result.diagnosis.objectLines) + "\n"
    )
    let session = logEnd(.newestWithSession, in: result.logs)
    try add(
      "session.ndjson",
      "the end of the last session: positions and commands; \(session.name)",
      session.text
    )
    let newest = logEnd(.newest, in: result.logs)
    if newest.name != session.name {
      try add(
        "newest.ndjson",
        "the end of the newest log, of a run without a session; \(newest.name)",
        newest.text
      )
    }
    return parts
  }

  private static let journal = [
    "journalctl", "--quiet", "--no-pager", "--no-hostname", "-o", "short-iso-precise",
  ]

  /// Not the environment, which is private.
  private static let unitProperties =
    "Id,LoadState,ActiveState,SubState,UnitFileState,Result,ExecMainStatus,ExecMainCode,NRestarts,"
    + "Restart,WatchdogUSec,FragmentPath,DropInPaths,ActiveEnterTimestamp,InactiveEnterTimestamp"

  private static func readme(_ time: WallTime) -> String {
    """
    A report on a ball machine bridge, made by `ballmachine bugreport' at \(time.iso8601).

    Left out, or replaced:
    - Bluetooth addresses of unrelated devices: each is XX:XX:XX:XX:XX:nn, with its own number.
      Those of this box's adapters and of ball machines stay.
    - Names of unrelated devices in the list of BlueZ's objects. A log may still have one.
    - The configuration files, because their comments may be private: only the values in force are here.
      They hold no passwords. Paths in them stay, and may name people.
    - The name of this box in logs, and the keys of devices that it is paired with.

    What stays and may be personal:
    - where players stood on the court, and when, and for whom a session was (*.ndjson, status.json),
    - names and addresses of the phone's page and of an MQTT broker (doctor.txt).

    """
  }

  private func findings(_ result: Examination.Result) -> String {
    let lines = result.findings.flatMap { [$0.code] + $0.lines(showingCheck: true) }
    let others = result.others.flatMap { $0.lines(showingCheck: true) }
    return Output.clean(lines + others + DoctorSummary(result).lines) + "\n"
  }

  private func versions(_ result: Examination.Result) async -> String {
    let system = try? InputFile.bytes("/etc/os-release", longest: 4096)
    let packages = await outputText(of: [
      "dpkg-query", "-W", "-f", "${Package} ${Version} ${db:Status-Status}\\n", "ballmachine",
      "bluez", "dbus", "libbluetooth3", "libdbus-1-3", "systemd",
    ])
    return """
      ballmachine \(Version.full)
      libdbus \(BlueZCentral.libraryVersion)
      \(await outputText(of: ["uname", "-srvm"]))
      \(packages)
      \(String(decoding: system ?? [], as: UTF8.self))
      """
  }

  private func values() -> String {
    do {
      return try configuration.effective(machine: machine).file
    } catch {
      return "\(error)\n"
    }
  }

  private func status() async -> String {
    do {
      let client = try await ControlClient.connect(in: .ofRunningBridge())
      defer { client.close() }
      return try Output.json(try await client.call(.status)) + "\n"
    } catch {
      return "\(error)\n"
    }
  }

  private func logEnd(
    _ run: LogTail.Run,
    in folder: String?
  ) -> (name: String, text: String) {
    guard let folder else { return ("none", "this user has no folder for session logs\n") }
    do throws(SystemError) {
      return try LogTail.of(run, in: folder, longest: Self.logBytes)
        ?? ("none", "\(folder) has no session log\n")
    } catch {
      return ("none", "\(error)\n")
    }
  }

  /// A program's output and errors, within 20 s and ``mostBytes``.
  private func outputText(of command: [String]) async -> String {
    do throws(SystemError) {
      let end = try await ChildProcess.output(
        of: command,
        longest: Self.mostBytes,
        within: .seconds(20)
      )
      let text = String(decoding: end.output, as: UTF8.self) + end.errors
      return end.status == 0 ? text : text + "(\(command[0]) ended with \(end.status))\n"
    } catch {
      return "\(error)\n"
    }
  }
}
