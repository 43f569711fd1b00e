import Glibc

/// Where a program beside the bridge has its socket's folder and its state.
package struct ProgramPlaces: Sendable {
  private let program: String
  private let variable: String

  /// - Parameters:
  ///   - program: its name, such as `ballmachine-web`.
  ///   - variable: the environment's name for one folder in place of both: for tests, and for two of a
  ///     program on one box.
  package init(of program: String, unless variable: String) {
    self.program = program
    self.variable = variable
  }

  private static func path(_ variable: String) -> String? {
    getenv(variable).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// The folder that the environment names; nil: none.
  package var given: String? { Self.path(variable) }

  /// The folder of its socket.
  package var runtime: String { given ?? Self.path("RUNTIME_DIRECTORY") ?? "/run/\(program)" }

  package func state() throws(StateDirectoryError) -> StateDirectory {
    guard let given else { return try StateDirectory(of: program) }
    return try StateDirectory(variable: { _ in given })
  }

  /// The state directory of the service, if it is installed; otherwise of what this user runs.
  package func stateOfService() throws(StateDirectoryError) -> StateDirectory {
    let installed = "/var/lib/\(program)"
    guard given == nil, access(installed, F_OK) == 0 else { return try state() }
    return try StateDirectory(variable: { _ in installed })
  }
}
