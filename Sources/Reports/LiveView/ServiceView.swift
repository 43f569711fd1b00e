package import ControlProtocol
package import Terminal

/// A live view of what a service answers again and again.
package protocol ServiceView: Sendable {
  associatedtype Answer: Decodable & Sendable

  static var request: ControlRequest { get }
  /// From one answer to the next request.
  static var interval: Duration { get }

  init(_ answer: Answer)

  /// What the service has said of safety.
  var safety: SafetyRecord { get }
  /// What the keyboard does.
  var keys: LiveViewState.Keys { get set }
  /// The last stop by a key.
  var stop: LiveViewState.StopOutcome? { get set }

  /// Takes back what may have changed since the service answered last.
  mutating func doubt(after silence: Duration)

  /// The view of this moment.
  var frame: LiveTerminal.Frame { get }
}

extension LiveViewState: ServiceView {
  package static let request = ControlRequest.status
  package static let interval = LiveTerminal.interval

  package var safety: SafetyRecord { status.safety }
}
