import CourtLogic
import Threads

/// What tasks have for the thread that serves the control socket, in bounded memory: answers, of
/// which there are no more than requests, and events, of which the oldest give way.
final class ControlMailbox: Sendable {
  /// The thread is never blocked, so that this many wait only on a box that stands still.
  static let eventCapacity = 1024

  struct Content: Sendable {
    var answers: [(call: ControlCall, answer: ControlAnswer)] = []
    var events: [(event: BridgeEvent, instant: MonotonicInstant)] = []
    var lostEvents = 0
  }

  private struct State: Sendable {
    var answers: [(call: ControlCall, answer: ControlAnswer)] = []
    var events = BoundedQueue<(event: BridgeEvent, instant: MonotonicInstant)>(
      capacity: ControlMailbox.eventCapacity
    )
    var lostEvents = 0
  }

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
    state.withLock { if $0.events.append((event, instant)) { $0.lostEvents += 1 } }
    bell.ring()
  }

  /// Takes everything.
  func empty() -> Content {
    bell.answer()
    return state.withLock { state in
      var content = Content(answers: state.answers, lostEvents: state.lostEvents)
      while let event = state.events.popFirst() { content.events.append(event) }
      state.answers = []
      state.lostEvents = 0
      return content
    }
  }
}

/// A request that the service is asked.
struct ControlCall: Sendable {
  /// Whose it is.
  let client: Int
  /// Nil where no answer is wanted.
  let id: JSONValue?
  let method: ControlMethod

  var isStop: Bool { method == .safety(.stop) }
}
