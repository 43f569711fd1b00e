/// A listening socket that is made again when its file has gone, for ``SocketKeeper``.
package final class KeptListener: Sendable {
  package let path: String
  private let mode: UInt32
  private let state: Locked<State>

  private struct State: Sendable {
    var socket: ListeningSocket
    var renewed: (@Sendable (ListeningSocket) -> Void)?
  }

  /// Listens at `path`, as ``ListeningSocket``.
  package init(path: String, mode: UInt32 = ListeningSocket.mode) throws(UnixSocketError) {
    self.path = path
    self.mode = mode
    state = Locked(State(socket: try ListeningSocket(path: path, mode: mode)))
  }

  /// The present socket.
  package var socket: ListeningSocket { state.withLock { $0.socket } }

  /// - Parameter body: gets each further socket, on the keeper's thread.
  package func onRenewal(_ body: @escaping @Sendable (ListeningSocket) -> Void) {
    state.withLock { $0.renewed = body }
  }

  var isInPlace: Bool { socket.isInPlace }

  /// Clients that are connected, or that wait at the old socket, go on.
  func renew() throws(UnixSocketError) {
    let socket = try ListeningSocket(path: path, mode: mode)
    let renewed = state.withLock { state in
      state.socket = socket
      return state.renewed
    }
    renewed?(socket)
  }
}
