/// The service's safety state after a request.
struct SafetyReport: Report {
  var event = "safety"
  /// `SIM` or `REAL`; nil while the service doesn't know.
  var mode: String?
  var safety: ServiceSafety

  var text: String { [mode, SafetyText(safety).text].compactMap(\.self).joined(separator: "  ") }

  private enum Key: CodingKey {
    case event, mode
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(event, forKey: .event)
    try object.encodeIfPresent(mode, forKey: .mode)
    try safety.encode(to: encoder)
  }
}
