import ControlProtocol
import Glibc
import Host
import Options
import Programs

/// `ballmachine bugreport`: collects what others need to find out what is wrong here.
struct BugReport: AdapterSubcommand {
  var configuration = ConfigurationOptions()
  var machine = MachineOptions()
  var isFolder = false
  var target: String?
  var needsAdapter: Bool { false }

  static let usage = Usage<Self>(
    name: "bugreport",
    summary: "Write a report of this box's state, for a bug report",
    options: ConfigurationOptions.options.within(\.configuration)
      + MachineOptions.linkOptions.within(\.machine) + [
        .flag("folder", \.isFolder, "Write a folder instead of a .tar.gz")
      ],
    arguments: [.optional(.text("PATH"), \.target)],
    details: """
      It writes PATH, by default ballmachine-bugreport-TIME.tar.gz in the current folder, and \
      lists its files. It sends nothing. Only its owner may read it.

      It contains what `doctor' finds, versions, the values of the configuration, the end of the \
      last session's log, and of a newer one in which nothing was armed, the logs of the service, \
      of bluetoothd and of the kernel's Bluetooth, the service's state, and BlueZ's objects. Run it \
      as root: other users may not read all logs.

      It leaves out the configuration files themselves, because their comments may be private, \
      the name of this box in logs, and bluetoothd's pairing keys. The Bluetooth addresses of \
      unrelated devices are replaced by numbers, and their names left out; those of this box's \
      adapters and of ball machines stay.
      """
  )

  func run(_ output: Output) async throws {
    let clock = SystemClock()
    let time = WallTime(of: clock.now, on: clock)
    let name = "ballmachine-bugreport-" + time.iso8601.filter { $0.isNumber || $0 == "T" }
    let path = target ?? name + (isFolder ? "" : ".tar.gz")
    // Never overwrite what is there.
    guard access(path, F_OK) != 0 else {
      throw Failure(.inputOutput, "\(path): exists already; give another path")
    }
    let folder: String
    let scratch: String?
    if isFolder {
      folder = path
      scratch = nil
    } else {
      let made: String
      do { made = try Directory.makeTemporary(named: "ballmachine-bugreport") } catch {
        throw Failure(.inputOutput, error)
      }
      folder = "\(made)/\(name)"
      scratch = made
    }
    defer { if let scratch { Directory.removeAll(scratch) } }
    guard mkdir(folder, 0o700) == 0 else {
      throw Failure(.inputOutput, "\(SystemError("create \(folder)"))")
    }
    let parts = try await BugReportFolder(
      path: folder,
      configuration: configuration,
      machine: machine,
      time: time
    ).fill()
    if let scratch { try await Self.pack(name, of: scratch, into: path) }
    for part in parts { try await output.write(part) }
    try await output.write(BugReportSummary(file: path, parts: parts.count))
  }

  private static func pack(_ name: String, of scratch: String, into path: String) async throws {
    // Only the owner may read what tar makes.
    let former = umask(0o077)
    defer { umask(former) }
    let end: ChildProcess.End
    do throws(SystemError) {
      end = try await ChildProcess.runUnlessCancelled(["tar", "-czf", path, "-C", scratch, name])
    } catch {
      throw Failure(.inputOutput, "\(error); --folder needs no tar")
    }
    guard end.status == 0 else {
      let reason = end.errors.split(separator: "\n").first ?? "failed"
      throw Failure(.inputOutput, "tar: \(reason)")
    }
  }
}

/// Where the bug report is.
struct BugReportSummary: LinedReport {
  var event = "bugReport"
  /// The file, or the folder.
  var file: String
  /// How many files it has.
  var parts: Count

  var lines: [String] {
    [
      "\(file) has these \(parts) files. Nothing has been sent.",
      "Look through it before you share it: README.txt in it lists what was left out.",
    ]
  }
}
