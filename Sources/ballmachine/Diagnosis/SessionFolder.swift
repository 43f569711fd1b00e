import Bridge
import Glibc

/// Where the session logs are that a person would ask for: those of the service, if there is one.
enum SessionFolder {
  /// - Returns: nil when this user has no state directory.
  static func path(_ options: LogOptions, isInstalled: Bool) -> String? {
    if let directory = options.directory { return directory }
    let isRedirected = getenv("BALLMACHINE_STATE_DIRECTORY") != nil
    let state =
      isInstalled && !isRedirected ? "/var/lib/ballmachine" : (try? StateDirectory())?.path
    return state.map { $0 + "/sessions" }
  }
}
