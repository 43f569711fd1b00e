/// The outcome of a command that the service has sent.
struct ServiceSendReport: Report {
  var mode: String?
  var dispatch: ServiceDispatch

  var text: String {
    [mode, dispatch.digits, dispatch.outcomeText, dispatch.latencyText].compactMap(\.self)
      .joined(separator: "  ")
  }

  /// Throws unless the command was delivered or queued.
  func check() throws {
    try SendReport.check(dispatch.outcome ?? "unknown", reason: dispatch.reason, isStop: false)
  }
}

extension ServiceSendReport: Encodable {
  private enum Key: CodingKey {
    case event, through, mode, number, digits, outcome, reason, latency
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode("sent", forKey: .event)
    try object.encode("service", forKey: .through)
    try object.encodeIfPresent(mode, forKey: .mode)
    try object.encode(dispatch.number, forKey: .number)
    try object.encode(dispatch.digits, forKey: .digits)
    try object.encodeIfPresent(dispatch.outcome, forKey: .outcome)
    try object.encodeIfPresent(dispatch.reason, forKey: .reason)
    try object.encodeIfPresent(dispatch.latency, forKey: .latency)
  }
}
