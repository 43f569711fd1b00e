import Clocks
import ControlProtocol

/// A client's requests, which wait for each other. Stops are not among them.
struct RequestQueue {
  /// Requests that may wait for the one before them.
  static let longest = 16
  /// Requests that are carried out a second, and at once after a rest. People need a few, a
  /// console's window ten.
  static let rate = 200.0

  private var waiting: [ControlCall] = []
  private var underWay: [ControlRequest] = []
  /// A client that wants more waits; the other clients do not notice.
  private var allowance = Allowance(rate)

  var isEmpty: Bool { waiting.isEmpty && underWay.isEmpty }

  mutating func admit(_ call: ControlCall) throws(ControlError) {
    guard waiting.count < Self.longest else {
      throw ControlError(.tooMany, "\(waiting.count) requests wait already: await their answers")
    }
    waiting.append(call)
  }

  /// The next request to carry out; nil while it has to wait or the allowance is spent.
  mutating func next(at now: MonotonicInstant) -> ControlCall? {
    guard let index = nextIndex, allowance.pause(at: now) == nil else { return nil }
    let call = waiting.remove(at: index)
    underWay.append(call.request)
    allowance.spend(1, at: now)
    return call
  }

  /// How long the next request waits for the allowance; nil: there is none that may go.
  func pause(at now: MonotonicInstant) -> Duration? {
    nextIndex == nil ? nil : allowance.pause(at: now) ?? .zero
  }

  /// One request at a time. While one waits for a disk, a pause or disarm overtakes it and what waits
  /// before it, but never a waiting arm, resume, reset or send.
  private var nextIndex: Int? {
    guard !underWay.isEmpty else { return waiting.isEmpty ? nil : 0 }
    guard underWay.allSatisfy(\.readsDisk) else { return nil }
    return waiting.prefix { !$0.mayFeed || $0.request.readsDisk }.firstIndex { $0.pauses }
  }

  mutating func finish(_ request: ControlRequest) {
    if let index = underWay.firstIndex(of: request) { underWay.remove(at: index) }
  }

  /// Whether balls may fly because of one that waits.
  var mayFeed: Bool { waiting.contains(where: \.mayFeed) }

  mutating func dropFeedingRequests() { waiting.removeAll(where: \.mayFeed) }
}
