import Clocks
import ControlProtocol
import Host
import JSON
import Safety

/// Answers and events for the thread that serves the control socket, in bounded memory. There are
/// no more answers than requests. Events go through ``EventLanes``; they wait only on a box that
/// stands still, because the thread is never blocked.
final class ControlMailbox: Sendable {
  struct Content: Sendable {
    var answers: [(call: ControlCall, answer: ControlAnswer)] = []
    var events: [(event: BridgeEvent, instant: MonotonicInstant)] = []
    var lostEvents = 0
    /// The player's newest position.
    var player: BridgeEvent?
  }

  private struct State: Sendable {
    var answers: [(call: ControlCall, answer: ControlAnswer)] = []
    var events = EventLanes<(event: BridgeEvent, instant: MonotonicInstant)>()
    var player: BridgeEvent?
  }

  /// Of both sockets.
  let stops = StopCount()
  private let state = Locked(State())
  private let bell: Doorbell

  init() throws(SystemError) {
    bell = try Doorbell()
  }

  /// Readable when there is something.
  var announcement: FileDescriptor { bell.descriptor }

  func post(_ answer: ControlAnswer, to call: ControlCall) {
    state.withLock { $0.answers.append((call, answer)) }
    bell.ring()
  }

  func post(_ event: BridgeEvent, at instant: MonotonicInstant) {
    state.withLock { state in
      if case .dropped(let count) = event { return state.events.miss(count) }
      state.events.append((event, instant), event.kind)
    }
    bell.ring()
  }

  func post(player event: BridgeEvent) {
    state.withLock { $0.player = event }
    bell.ring()
  }

  /// Counts a stop that was read, and lets the thread know at once.
  func stopCame() {
    stops.raise()
    bell.ring()
  }

  /// Takes everything.
  func empty() -> Content {
    bell.answer()
    return state.withLock { state in
      var content = Content(answers: state.answers, lostEvents: state.events.takeLost())
      swap(&content.player, &state.player)
      while let event = state.events.popFirst() { content.events.append(event) }
      state.answers = []
      return content
    }
  }
}

/// A request to the service.
struct ControlCall: Sendable {
  /// The client that asks.
  let client: ClientPresence
  /// Nil where no answer is wanted.
  let id: JSONValue?
  let request: ControlRequest
  /// Its place among the stops.
  var mark: StopCount.Mark?

  var isStop: Bool { request == .stop }

  /// Whether balls may fly because of it, and only while its client is connected.
  var needsClient: Bool {
    switch request {
    case .arm(_, _, let whileConnected), .resume(let whileConnected): whileConnected
    default: false
    }
  }

  /// Whether balls may fly because of it: then it is dropped if its client has gone.
  var mayFeed: Bool {
    switch request {
    case .arm, .resume, .reset, .reload, .drill, .level, .send: true
    case .status, .subscribe, .table, .metrics, .drills, .disarm, .pause, .stop: false
    }
  }

  /// Whether balls end or pause because of it.
  var pauses: Bool { request == .pause || request == .disarm }
}

extension ControlRequest {
  /// Whether its answer may wait for a disk.
  var readsDisk: Bool {
    switch self {
    case .drills, .drill, .level, .reload: true
    default: false
    }
  }
}
