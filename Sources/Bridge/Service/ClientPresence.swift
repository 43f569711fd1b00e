import Host

/// Whether a client of the control socket is still connected. The thread that serves the socket says
/// so at once; the service looks before every ball that depends on the client.
package final class ClientPresence: Sendable {
  /// Never used again.
  let number: Int
  private let ended = Locked(false)

  package init(number: Int) { self.number = number }

  var hasEnded: Bool { ended.withLock(\.self) }

  package func end() { ended.withLock { $0 = true } }
}
