import Glibc
import Host
import SessionLog

/// Where the session logs are: the service's if it is installed, otherwise this user's.
enum SessionFolder {
  /// - Returns: nil when this user has no state directory.
  static func path(_ options: LogSettings) async -> String? {
    path(
      options,
      isInstalled: await SystemdUnit.named("ballmachine.service")?.isInstalled == true
    )
  }

  /// - Returns: nil when this user has no state directory.
  static func path(_ options: LogSettings, isInstalled: Bool) -> String? {
    if let directory = options.directory { return directory }
    let isRedirected = getenv("BALLMACHINE_STATE_DIRECTORY") != nil
    let state =
      isInstalled && !isRedirected ? "/var/lib/ballmachine" : (try? StateDirectory())?.path
    return state.map { $0 + "/sessions" }
  }
}
