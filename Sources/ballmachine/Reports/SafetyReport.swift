import ControlProtocol
import Host
import Programs

/// The service's safety state after a request.
struct SafetyReport: Report {
  /// `SIM` or `REAL`; nil while the service doesn't know.
  var mode: String?
  var safety: SafetyRecord
  /// When the service answered, in seconds on the service's clock.
  var t: Double
  var time: WallTime

  var text: String { [mode, safety.text].compactMap(\.self).joined(separator: "  ") }

  private enum Key: CodingKey {
    case mode
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encodeIfPresent(mode, forKey: .mode)
    try EventRecord(.safety(safety), t: t, time: time).encode(to: encoder)
  }
}
