import Clocks
package import Safety

/// Why a drill or a level was not loaded. Nothing has changed.
package enum TrainingRefusal: Error, Hashable, Sendable {
  case safety(SafetyRefusal)
  /// The table lacks these.
  case noCommand([String])
  case tooShort(Duration, least: Duration)

  /// For machines.
  package var code: String {
    switch self {
    case .safety(let refusal): refusal.code
    case .noCommand: "noCommand"
    case .tooShort: "intervalTooShort"
    }
  }
}

extension TrainingRefusal: CustomStringConvertible {
  package var description: String {
    switch self {
    case .safety(let refusal): "\(refusal)"
    case .noCommand(let strokes):
      "the command table has no command for \(strokes.joined(separator: ", "))"
    case .tooShort(let interval, let least):
      "an interval of \(interval.seconds) s is less than the least interval, \(least.seconds) s"
    }
  }
}
