package import Configuration
import Glibc
package import Programs

extension Finding {
  /// Whether the groups with a role on the control socket exist.
  ///
  /// - Parameter exists: whether the system has a group of this name.
  package static func groups(
    of settings: ControlSettings,
    exists: (String) -> Bool = { getgrnam($0) != nil }
  ) -> Finding {
    let groups = [settings.readerGroup, settings.operatorGroup, settings.technicianGroup]
    let missing = groups.filter { !exists($0) }
    guard let first = missing.first else {
      return .ok(.groupsPresent, "these groups exist: " + groups.joined(separator: ", "))
    }
    return .note(
      .groupsMissing,
      "of the groups that may use the control socket, these do not exist: "
        + missing.joined(separator: ", "),
      "run `addgroup --system \(first)`, or name another group in the configuration"
    )
  }
}
