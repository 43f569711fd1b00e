import Host

/// A phone that watches: what it is sent next.
///
/// Of what is a state the newest counts, so a slow phone misses some. Events stay in order; a phone
/// that leaves too many of them is dropped, and gets the present state when it comes back.
package final class Viewer: HTTPStream {
  /// A state, of which the newest counts.
  package enum Newest: String, CaseIterable, Sendable {
    case status, service, position
  }

  private struct State: Sendable {
    var wake: (@Sendable () -> Void)?
    /// Ready to be sent, in order.
    var events: [UInt8] = []
    var newest: [Newest: [UInt8]] = [:]
    var isOver = false
  }

  /// Events that say what a status does, and later.
  static let newerThanStatus: Set<String> = ["safety", "link", "training"]
  /// The most bytes that wait for a viewer: some hundred events.
  private static let room = 65_536

  /// The number of the paired phone; nil: not paired.
  package let phone: Int?
  /// Where it is.
  package let address: ClientAddress?
  private let state = Locked(State())
  private let left: @Sendable (Viewer) -> Void

  /// - Parameter left: called once, when the phone has left or was dropped.
  package init(
    phone: Int?,
    address: ClientAddress? = nil,
    left: @escaping @Sendable (Viewer) -> Void
  ) {
    self.phone = phone
    self.address = address
    self.left = left
    // How soon the browser comes back, in milliseconds.
    state.withLock { $0.events = Array("retry: 1000\n\n".utf8) }
  }

  /// - Parameters:
  ///   - name: of the event.
  ///   - json: one line.
  package func send(_ name: String, _ json: [UInt8]) {
    add { state in
      if Self.newerThanStatus.contains(name) { state.newest[.status] = nil }
      state.events += Self.event(name, json)
      if state.events.count > Self.room {
        state.events = []
        state.isOver = true
      }
    }
  }

  package func send(_ kind: Newest, _ json: [UInt8]) {
    add { state in
      state.newest[kind] = Self.event(kind.rawValue, json)
      // A status says that the service is there, the service's news that it isn't: each ends the
      // other.
      switch kind {
      case .status: state.newest[.service] = nil
      case .service: state.newest[.status] = nil
      case .position: break
      }
    }
  }

  /// The browser is to come again, as another phone or as none.
  package func drop() { add { $0.isOver = true } }

  private func add(_ change: (inout State) -> Void) {
    let wake = state.withLock { state in
      change(&state)
      return state.wake
    }
    wake?()
  }

  private static func event(_ name: String, _ json: [UInt8]) -> [UInt8] {
    Array("event: \(name)\ndata: ".utf8) + json + Array("\n\n".utf8)
  }

  package func begin(wake: @escaping @Sendable () -> Void) {
    state.withLock { $0.wake = wake }
  }

  package func next() -> HTTPStreamPart {
    state.withLock { state in
      var bytes = state.events
      state.events = []
      for kind in Newest.allCases {
        if let event = state.newest.removeValue(forKey: kind) { bytes += event }
      }
      if !bytes.isEmpty { return .bytes(bytes) }
      return state.isOver ? .end : .nothing
    }
  }

  package func end() {
    state.withLock { $0.wake = nil }
    left(self)
  }
}
