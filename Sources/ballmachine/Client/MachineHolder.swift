import Glibc
import Host

/// The process that controls the machine, and who may end it.
struct MachineHolder {
  var process: Int32
  /// nil when the process has just ended.
  var user: UInt32?

  /// The process that has the machine's lock now.
  static var current: MachineHolder? {
    MachineLock.holder().map { MachineHolder(process: $0, user: MachineLock.user(of: $0)) }
  }

  /// The process's user; nil if it is ours.
  var otherUser: UserName? { user.flatMap { $0 == geteuid() ? nil : UserName($0) } }

  /// A text that says that the process controls the machine, and how to end it.
  var end: String {
    let owner = otherUser.map { " of the user \($0)" } ?? ""
    let doers = geteuid() == 0 ? nil : otherUser.map { ", as \($0) or root" }
    return "process \(process)\(owner) controls the machine: end it with `kill \(process)`"
      + (doers ?? "") + "; it sends the stop command on its way out"
  }
}
