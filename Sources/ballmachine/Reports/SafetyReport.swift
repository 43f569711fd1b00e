import ControlProtocol

/// The service's safety state after a request.
struct SafetyReport: Report {
  /// `SIM` or `REAL`; nil while the service doesn't know.
  var mode: String?
  var safety: SafetyRecord
  /// The event that has it.
  var record: EventRecord

  var text: String { [mode, safety.text].compactMap(\.self).joined(separator: "  ") }

  private enum Key: CodingKey {
    case mode
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encodeIfPresent(mode, forKey: .mode)
    try record.encode(to: encoder)
  }
}
