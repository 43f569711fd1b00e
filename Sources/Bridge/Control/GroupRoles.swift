import Configuration
import ControlProtocol
import Glibc
import Host

/// ``ControlSettings`` with the groups' numbers, as the system has them at the moment.
struct GroupRoles {
  private let roles: [gid_t: ControlRole]
  private let serviceUser: uid_t

  /// A group that doesn't exist gives no role.
  init(
    _ access: ControlSettings,
    serviceUser: uid_t = geteuid(),
    number: (String) -> gid_t? = { getgrnam($0)?.pointee.gr_gid }
  ) {
    var roles: [gid_t: ControlRole] = [:]
    for role in ControlRole.allCases {
      guard let group = access.group(for: role), let number = number(group) else { continue }
      // One group may have several roles.
      roles[number] = max(role, roles[number] ?? .none)
    }
    self.roles = roles
    self.serviceUser = serviceUser
  }

  /// - Parameter peer: nil where the kernel doesn't report it.
  func identity(of peer: PeerCredentials?) -> ControlIdentity {
    peer.map { ControlIdentity(user: $0.user, role: role(of: $0)) } ?? .unknown
  }

  func role(of peer: PeerCredentials) -> ControlRole {
    guard peer.user != 0, peer.user != serviceUser else { return .technician }
    return peer.groups.compactMap { roles[$0] }.max() ?? .none
  }
}
