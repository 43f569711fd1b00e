import ControlProtocol
import JSON

/// A request to the service.
struct ControlCall: Sendable {
  /// The client that asks.
  let client: ClientPresence
  /// Nil where no answer is wanted.
  let id: JSONValue?
  let request: ControlRequest
  /// The request's place among the stops: whether one has come after it.
  var mark: StopCount.Mark?

  var isStop: Bool { request == .stop }

  /// Whether balls may fly because of it, and only while its client is connected.
  var needsClient: Bool {
    switch request {
    case .arm(_, _, let whileConnected), .resume(_, let whileConnected): whileConnected
    default: false
    }
  }

  /// Whether balls may fly because of it: then it is dropped if its client has gone.
  var mayFeed: Bool {
    switch request {
    case .arm, .resume, .reset, .reload, .drill, .level, .send: true
    case .status, .subscribe, .table, .metrics, .feed, .drills, .disarm, .pause, .stop, .adopt:
      false
    }
  }

  /// Whether balls end or pause because of it.
  var pauses: Bool { request == .pause || request == .disarm }
}

extension ControlRequest {
  /// Whether its answer may wait for a disk.
  var readsDisk: Bool {
    switch self {
    case .drills, .drill, .level, .reload, .adopt: true
    default: false
    }
  }
}
