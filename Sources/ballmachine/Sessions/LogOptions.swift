import Configuration
import Glibc
import Host
import Options
import Programs
import RunLog
import SessionSummary

/// Where the run logs are, for the subcommands that sum them up.
struct LogOptions {
  var configuration = ConfigurationOptions()
  /// Nil: the service's or this user's.
  var folder: String?
  /// The simulations' of this user.
  var simulate = false

  static let options: [Option<LogOptions>] =
    [
      .value(
        "logs",
        .text("FOLDER"),
        \.folder,
        "Read the session logs in this folder (default: the service's, or this user's)"
      ),
      .flag("simulate", \.simulate, ServiceOptions.simulateHelp),
    ] + ConfigurationOptions.options.within(\.configuration)

  func validate() throws(UsageError) {
    guard folder == nil || !simulate else { throw UsageError("give either --logs or --simulate") }
  }

  func path() async throws -> String {
    if simulate { return try RuntimeDirectory.ofSimulation().path(of: LogDirectory.name) }
    if let folder {
      // The service's own folder may not be there yet; a named one is mistyped, or not mounted.
      guard access(folder, F_OK) == 0 else {
        let error = SystemError("open \(folder)")
        throw Failure(ExitCode(opening: error), error)
      }
      return folder
    }
    let settings = try configuration.effective().values.log
    guard let path = await LogFolder.path(settings) else {
      throw Failure(.noInput, "this user has no session logs: name their folder with --logs")
    }
    return path
  }

  /// Reads the archive in the folder at `path`.
  func read<Result>(
    _ path: String,
    _ body: (SessionArchive) throws(SystemError) -> Result
  ) throws -> Result {
    do throws(SystemError) {
      let directory = LogDirectory(path: path)
      for stranger in try directory.strangers() {
        Output.complain("warning: a session log is passed over: \(stranger)")
      }
      return try body(SessionArchive(directory))
    } catch {
      throw Failure(ExitCode(opening: error), "\(error)" + Self.advice(error, path))
    }
  }

  /// Says once that runs are left out, because their logs can't be read.
  static func complain(_ skipped: [SystemError], in path: String) {
    guard let error = skipped.first else { return }
    Output.complain("\(counted(skipped.count, "run")) skipped: \(error)" + advice(error, path))
  }

  private static func advice(_ error: SystemError, _ path: String) -> String {
    var status = stat()
    guard [EACCES, EPERM].contains(error.code), stat(path, &status) == 0,
      // Root's group gives more than the logs.
      status.st_gid != 0, !isMember(of: status.st_gid), let group = getgrgid(status.st_gid)
    else { return "" }
    let name = String(cString: group.pointee.gr_name)
    return "; session logs are for the group \(name): run `adduser USER \(name)` as root,"
      + " and log in again"
  }

  private static func isMember(of group: gid_t) -> Bool {
    var groups = [gid_t](repeating: 0, count: max(Int(getgroups(0, nil)), 0))
    let count = getgroups(Int32(groups.count), &groups)
    return group == getegid() || groups.prefix(max(Int(count), 0)).contains(group)
  }
}
