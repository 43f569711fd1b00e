import Clocks
import ControlProtocol
import Host
import Safety

/// Answers and events for the thread that serves the control socket, in bounded memory. There are
/// no more answers than requests. Events go through ``EventLanes``; they wait only on a box that
/// stands still, because the thread is never blocked.
final class ControlMailbox: Sendable {
  struct Content: Sendable {
    var answers: [(call: ControlCall, answer: ControlAnswer)] = []
    var events = EventLanes<(event: BridgeEvent, instant: MonotonicInstant)>()
    /// The player's newest position.
    var player: BridgeEvent?
  }

  /// Counts the stops that were read at both sockets.
  let stops = StopCount()
  private let content = Locked(Content())
  private let bell: Doorbell

  init() throws(SystemError) {
    bell = try Doorbell()
  }

  /// Readable when there is something.
  var announcement: FileDescriptor { bell.descriptor }

  func post(_ answer: ControlAnswer, to call: ControlCall) {
    content.withLock { $0.answers.append((call, answer)) }
    bell.ring()
  }

  func post(_ event: BridgeEvent, at instant: MonotonicInstant) {
    content.withLock { content in
      if case .dropped(let count) = event { return content.events.miss(count) }
      content.events.append((event, instant), event.kind)
    }
    bell.ring()
  }

  func post(player event: BridgeEvent) {
    content.withLock { $0.player = event }
    bell.ring()
  }

  /// Counts a stop that was read, and lets the thread know at once.
  func stopCame() {
    stops.raise()
    bell.ring()
  }

  /// Lets the thread look at its listener again.
  func listenerChanged() { bell.ring() }

  /// Takes everything.
  func empty() -> Content {
    bell.answer()
    var taken = Content()
    content.withLock { swap(&$0, &taken) }
    return taken
  }
}
