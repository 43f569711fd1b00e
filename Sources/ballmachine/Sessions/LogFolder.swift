import Glibc
import Host
import RunLog

/// Where the run logs are: the service's if it is installed, otherwise this user's.
enum LogFolder {
  /// - Returns: nil when this user has no state directory.
  static func path(_ options: LogSettings) async -> String? {
    path(
      options,
      isInstalled: await isServiceInstalled
    )
  }

  /// - Returns: nil when this user has no state directory.
  static func path(_ options: LogSettings, isInstalled: Bool) -> String? {
    options.directory ?? state(isInstalled: isInstalled)?.path(of: "sessions")
  }

  /// - Returns: nil when this user has no state directory, or may not read it.
  static func readableState() async -> StateDirectory? {
    await state(isInstalled: isServiceInstalled).flatMap { $0.isReadable ? $0 : nil }
  }

  private static var isServiceInstalled: Bool {
    get async { await SystemdUnit.named("ballmachine.service")?.isInstalled == true }
  }

  /// What the bridge keeps, only to be read: an installed service's belongs to the service's user.
  ///
  /// - Returns: nil when this user has no state directory.
  static func state(isInstalled: Bool) -> StateDirectory? {
    let isRedirected = getenv("BALLMACHINE_STATE_DIRECTORY") != nil
    // Every user believes there what root believes: only root can have made it.
    return isInstalled && !isRedirected
      ? try? StateDirectory(variable: { _ in nil }, userID: 0) : try? StateDirectory()
  }
}
