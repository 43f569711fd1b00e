package import ControlProtocol
package import CourtLogic
package import Safety

/// What the control socket controls: the bridge's service, or a test's.
package protocol ControlledService: Sendable {
  /// A stop answers when its outcome is known, a few seconds later at most.
  ///
  /// - Parameters:
  ///   - client: balls that the request allows fly only while it is connected; nil: they need none.
  ///   - mark: refused if a stop has come after it; nil: carried out in any case.
  func perform(
    _ request: SafetyRequest,
    while client: ClientPresence?,
    asOf mark: StopCount.Mark?
  ) async -> SafetyReply

  /// A client on which balls may depend has gone.
  func clientGone() async

  /// Does all that a stop does, and doesn't wait for its outcome.
  func beginStop() async

  /// Sends a command that a person has confirmed.
  ///
  /// - Parameter mark: refused if a stop has come after it.
  func sendManually(_ command: MachineCommand, asOf mark: StopCount.Mark?) async -> ManualReply

  var snapshot: BridgeSnapshot { get async }

  /// The same, with what feeders send.
  var feed: FeedSnapshot { get async }

  /// The commands in force.
  var commands: TableRecord { get async }

  func command(for zone: Zone) async -> MachineCommand

  /// The present state of link and safety, then all that happens.
  ///
  /// - Parameter backlog: how many events of a kind may wait; nil: ``EventKind/room``.
  func subscribe(backlog: Int?) async -> BridgeEvents

  /// The player's positions; a reader that is behind gets the newest alone.
  func followPlayer() async -> BridgeEvents
}

extension ControlledService {
  package func perform(
    _ request: SafetyRequest,
    while client: ClientPresence? = nil
  ) async -> SafetyReply {
    await perform(request, while: client, asOf: nil)
  }
}
