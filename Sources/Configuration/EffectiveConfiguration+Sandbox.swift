import Positions
import RunLog
package import YAML

extension EffectiveConfiguration {
  /// Paths that may work in a shell, but not in the service.
  ///
  /// Source: ProtectHome=, PrivateTmp=, PrivateDevices= and ProtectSystem= of the service's unit.
  package var sandboxWarnings: [YAMLProblem] {
    let source = values.positions.source
    let file: String? = if case .file(let path) = source { path } else { nil }
    let socket: String? = if case .socket(let path) = source { path } else { nil }
    let hidden = ["/home", "/root", "/run/user", "/tmp", "/var/tmp", "/dev"]
    let writable = ["/run/ballmachine", "/var/lib/ballmachine"]
    let read = [
      ("court.table", values.court.table), ("court.calibration", values.court.calibration),
      ("positions.source", file),
    ]
    let written = [("positions.source", socket), ("log.directory", values.log.directory)]
    return read.compactMap { key, path in
      guard let path, let folder = hidden.first(where: path.isBelow) else { return nil }
      return warning(key, "can't see \(path): its sandbox hides \(folder)")
    }
      + written.compactMap { key, path in
        guard let path, !writable.contains(where: path.isBelow) else { return nil }
        let folders = writable.joined(separator: " and ")
        return warning(key, "can't write \(path): its sandbox allows only \(folders)")
      }
  }

  private func warning(_ key: String, _ text: String) -> YAMLProblem {
    YAMLProblem(
      at: origins[key]?.place,
      "\(key): the service \(text) (choose another path, or see Sandbox in ballmachine.yaml(5))"
    )
  }
}

extension String {
  fileprivate func isBelow(_ folder: String) -> Bool { self == folder || hasPrefix(folder + "/") }
}
