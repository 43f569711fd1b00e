@testable package import Host

extension RuntimeDirectory {
  /// As `BALLMACHINE_RUNTIME_DIR` names it.
  package init(at path: String) throws {
    try self.init(in: Environment(variable: { $0 == "BALLMACHINE_RUNTIME_DIR" ? path : nil }))
  }
}
