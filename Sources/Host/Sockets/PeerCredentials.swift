import Glibc

/// The user and groups of a Unix socket's peer, from the kernel: the peer can't forge them.
package struct PeerCredentials: Hashable {
  /// The process that connected, or for a client the one that listens; 0 where this process can't see it.
  package let process: Int32
  package let user: UInt32
  /// The primary group first, then all others.
  package let groups: [UInt32]

  package init(process: Int32 = 0, user: UInt32, groups: [UInt32]) {
    self.process = process
    self.user = user
    self.groups = groups
  }

  /// - Returns: nil when the kernel doesn't say.
  package init?(of socket: FileDescriptor) {
    // Source: unix(7), SO_PEERCRED: struct ucred is pid, uid, gid, 32 bits each.
    var credentials: (pid: UInt32, user: UInt32, group: UInt32) = (0, 0, 0)
    var length = socklen_t(MemoryLayout.size(ofValue: credentials))
    guard getsockopt(socket.number, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else {
      return nil
    }
    process = Int32(bitPattern: credentials.pid)
    user = credentials.user
    groups = [credentials.group] + Self.otherGroups(of: socket)
  }

  private static func otherGroups(of socket: FileDescriptor) -> [gid_t] {
    var groups = [gid_t](repeating: 0, count: 1 << 8)
    while true {
      var length = socklen_t(groups.count * MemoryLayout<gid_t>.stride)
      if getsockopt(socket.number, SOL_SOCKET, SO_PEERGROUPS, &groups, &length) == 0 {
        return Array(groups.prefix(Int(length) / MemoryLayout<gid_t>.stride))
      }
      // Source of the maximum: Linux, NGROUPS_MAX.
      guard errno == ERANGE, groups.count < 1 << 16 else { return [] }
      groups = Array(repeating: 0, count: 1 << 16)
    }
  }
}
