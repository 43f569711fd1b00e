import Configuration
import Glibc
import Host
import Programs
import SessionLog
import SessionSummary

/// Where the session logs are, for the subcommands that sum them up.
struct SessionLogOptions {
  var configuration = ConfigurationOptions()
  /// Nil: the service's or this user's.
  var folder: String?

  static let options: [Option<SessionLogOptions>] =
    [
      .value(
        "logs",
        .text("FOLDER"),
        \.folder,
        "Read the session logs in this folder (default: the service's, or this user's)"
      )
    ] + ConfigurationOptions.options.within(\.configuration)

  func path() async throws -> String {
    if let folder { return folder }
    let settings = try configuration.effective().values.log
    guard let path = await SessionFolder.path(settings) else {
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
      return try body(SessionArchive(SessionDirectory(path: path)))
    } catch {
      guard [EACCES, EPERM].contains(error.code) else {
        throw Failure(ExitCode(opening: error), "\(error)")
      }
      throw Failure(.noPermission, "\(error)" + Self.advice(path))
    }
  }

  private static func advice(_ path: String) -> String {
    var status = stat()
    guard stat(path, &status) == 0, let group = getgrgid(status.st_gid) else { return "" }
    let name = String(cString: group.pointee.gr_name)
    return "; session logs are for the group \(name): run `adduser USER \(name)` as root,"
      + " and log in again"
  }
}
