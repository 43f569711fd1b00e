package import CourtLogic

/// What the control socket controls: the bridge's service, or a test's.
package protocol ControlledService: Sendable {
  /// A stop answers when its outcome is known, a few seconds later at most.
  func perform(_ request: SafetyRequest) async -> SafetyReply

  /// The command is one that somebody has confirmed.
  func sendManually(_ command: MachineCommand) async -> ManualReply

  var snapshot: BridgeSnapshot { get async }

  /// The command of each zone, and that for a player out of court.
  var commands: (table: CommandTable, fallback: MachineCommand) { get async }

  /// The present state of link and safety, then all that happens.
  ///
  /// - Parameter backlog: how many events the reader may be behind before it misses the oldest.
  func subscribe(backlog: Int) async -> AsyncStream<BridgeEvent>
}

/// What came of reading the configuration again.
package enum ReloadReply: Hashable, Sendable {
  /// The keys that have changed: those that apply at once, and those that a restart takes.
  case loaded(applied: [String], atRestart: [String])
  /// The old one stays; why, a line an error.
  case refused(String)
}
