import ControlProtocol
import Host
import Programs
import Reports

/// The service's state after a request, or what is loaded.
struct ChangeReport: Report {
  /// `SIM` or `REAL`; nil while the service doesn't know.
  var mode: String?
  var record: EventRecord
  /// The drill or level that the session begins with; nil: none, or another request's answer.
  var training: TrainingRecord?
  /// Where balls will go, in an answer to `arm`.
  var profile: String?
  var characteristic: String?
  private var change: String

  /// - Returns: nil for an event that is no answer to such a request.
  init?(mode: String?, record: EventRecord) {
    switch record.event {
    case .safety(let safety): change = safety.text
    case .training(let training): change = training.text
    default: return nil
    }
    self.mode = mode
    self.record = record
  }

  var text: String {
    [mode, change, training?.name, LinkRecord.wayText(profile, characteristic)]
      .compactMap(\.self).joined(separator: "  ")
  }

  private enum Key: CodingKey {
    case mode, training, profile, characteristic
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encodeIfPresent(mode, forKey: .mode)
    try object.encodeIfPresent(training, forKey: .training)
    try object.encodeIfPresent(profile, forKey: .profile)
    try object.encodeIfPresent(characteristic, forKey: .characteristic)
    try record.encode(to: encoder)
  }
}
