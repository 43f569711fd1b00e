import Host

extension MachineHolder {
  /// The processes that have a machine, or the runtime directory of a bridge. Where the environment names
  /// that, only a bridge there is meant.
  static func current() -> [MachineHolder] {
    let claims = MachineClaim.holders()
    guard let process = MachineLock.holder() else { return RuntimeDirectory.isGiven ? [] : claims }
    guard RuntimeDirectory.isGiven else {
      return claims.contains { $0.process == process } ? claims : [ofLock(process)] + claims
    }
    let own = claims.filter { $0.process == process }
    return own.isEmpty ? [ofLock(process)] : own
  }

  private static func ofLock(_ process: Int32) -> MachineHolder {
    MachineHolder(name: nil, process: process, user: MachineLock.user(of: process))
  }

  /// A text that says that the process controls the machine, and how to end it.
  var end: String { "\(whatToDo); it sends the stop command on its way out" }
}
