import Glibc
import Host
import WebPage

/// Where the page's service has its socket and its state.
enum WebPlaces {
  /// For tests, and for two pages on one box.
  private static let variable = "BALLMACHINE_WEB_DIR"

  private static func path(_ variable: String) -> String? {
    getenv(variable).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  static var socket: String {
    let directory = path(variable) ?? path("RUNTIME_DIRECTORY") ?? "/run/ballmachine-web"
    return directory + "/" + PhoneSocket.name
  }

  static func state() throws(StateDirectoryError) -> StateDirectory {
    guard let directory = path(variable) else {
      return try StateDirectory(of: "ballmachine-web")
    }
    return try StateDirectory(variable: { _ in directory })
  }

  /// Where the state is of the service, if it is installed; otherwise of a page that this user runs.
  static func stateOfService() throws(StateDirectoryError) -> String {
    let installed = "/var/lib/ballmachine-web"
    return path(variable) == nil && access(installed, F_OK) == 0 ? installed : try state().path
  }
}
