package import Configuration
import ControlProtocol
import Glibc
package import Host
package import Programs

/// What is in the runtime directory: the sockets on which the service is reached.
package struct RuntimeView: Hashable, Sendable {
  package let path: String
  /// Permission bits of the directory; nil while there is none.
  package var mode: UInt32?
  /// The permission bits of each socket, by its name; nil for what is no socket.
  package var files: [String: UInt32?] = [:]
  /// Which other users could put sockets there; see ``PathOwners/weakness``.
  package var weakness: String?
  /// Whether every user of the box may reach them.
  package var isOpenToAll = true
}

extension RuntimeView {
  /// - Parameter names: of the sockets to look for.
  package init(of directory: RuntimeDirectory, names: [String]) {
    let owners = PathOwners(of: directory.path)
    self.init(
      path: directory.path,
      mode: Self.status(directory.path).map { $0.st_mode & 0o7777 },
      weakness: owners.weakness,
      isOpenToAll: owners.isOpenToAll
    )
    for name in names {
      guard let status = Self.status(directory.path(of: name)) else { continue }
      let mode = status.st_mode & S_IFMT == S_IFSOCK ? status.st_mode & 0o7777 : nil
      files.updateValue(mode, forKey: name)
    }
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    // Not followed: a link may lead anywhere.
    return lstat(path, &status) == 0 ? status : nil
  }

  /// The sockets that a service has, and who must be able to connect.
  package static func sockets(_ positions: PositionSettings) -> [(name: String, mode: UInt32)] {
    let control: [(name: String, mode: UInt32)] = [
      (ControlSockets.control, 0o666), (ControlSockets.stop, 0o666),
    ]
    // Where positions come from elsewhere, there is no socket for them here.
    return positions.source == nil ? control + [(Self.positions, 0o660)] : control
  }

  private static let positions = "positions.sock"

  /// What it means for clients of a running service.
  ///
  /// - Parameter expected: by name, who must be able to connect.
  package func findings(expecting expected: [(name: String, mode: UInt32)]) -> [Finding] {
    guard mode != nil else {
      return [
        .problem(
          .socketsMissing,
          "\(path) is missing: no client can stop the machine",
          "restart the service, which creates it"
        )
      ]
    }
    let restart = "run `systemctl restart ballmachine`: it starts disarmed"
    var findings: [Finding] = []
    if let weakness {
      findings.append(
        .problem(
          .socketsUnsafe,
          "other users may create sockets in \(path): \(weakness)",
          "run `chmod go-w` or `chown` there"
        )
      )
    }
    for (name, wanted) in expected {
      switch files[name] {
      // The service makes a socket that was removed again: its command line names other positions.
      case nil where name == Self.positions: break
      case nil: findings.append(.problem(.socketsMissing, "\(path)/\(name) is missing", restart))
      case .some(nil):
        findings.append(.problem(.socketsMissing, "\(path)/\(name) is not a socket", restart))
      case let mode?? where mode & wanted != wanted:
        findings.append(
          .note(
            .socketsClosed,
            "permissions on \(path)/\(name) are too strict",
            "run `chmod \(String(wanted, radix: 8)) \(path)/\(name)`"
          )
        )
      case .some: break
      }
    }
    guard findings.isEmpty else { return findings }
    let names = expected.map(\.name).filter { files[$0] != nil }.joined(separator: ", ")
    // To stop, a client only has to reach the socket.
    let reach =
      isOpenToAll ? "" : "; only its owner and root can reach them, even to stop"
    return [.ok(.socketsPresent, "\(path) has \(names)\(reach)")]
  }
}
