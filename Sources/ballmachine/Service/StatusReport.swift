import JSON

/// The service at one moment: the link and the arming, each with its reason, and the last ball.
struct StatusReport: Report {
  let record: JSONValue
  let status: ServiceStatus

  init(_ record: JSONValue) throws {
    self.record = record
    status = try record.decoded(as: ServiceStatus.self)
  }

  func encode(to encoder: any Encoder) throws {
    enum Key: CodingKey { case event }
    var object = encoder.container(keyedBy: Key.self)
    try object.encode("status", forKey: .event)
    try record.encode(to: encoder)
  }

  var text: String {
    let link = LinkText(status.link, now: status.t)
    var rows = [("Mode", [modeText]), ("Arming", armingLines)]
    // The mode has a line of its own.
    let head = link.head.filter { $0 != status.link.mode }
    rows.append(("Link", [head.joined(separator: "  ")]))
    if !link.details.isEmpty { rows.append(("", [link.details.joined(separator: "  ")])) }
    for trouble in link.tail { rows.append(("", wrapped(trouble, to: 79 - Self.indent))) }
    rows.append(("Player", [playerText]))
    rows.append(("Balls", [countsText]))
    if let last = status.lastDispatch { rows.append(("Last", [lastText(last)])) }
    rows.append(("Service", [serviceText]))
    if let refused = status.configuration?.refused {
      rows.append(("Config", refusalLines(refused)))
    }
    return rows.flatMap { label, lines in
      lines.enumerated().map { padded($0.offset == 0 ? label : "", to: Self.indent) + $0.element }
    }.joined(separator: "\n")
  }

  private static let indent = 9

  private var modeText: String {
    switch status.mode {
    case "SIM": "SIM: a mock machine, no ball flies"
    case "REAL": "REAL: balls can fly"
    default: "not known: BlueZ has not answered yet; take it for REAL"
    }
  }

  private var armingLines: [String] {
    let safety = SafetyText(status.safety)
    return wrapped(safety.stateText, to: 79 - Self.indent) + safety.holds.map { "held: \($0)" }
  }

  private var playerText: String {
    guard let player = status.player else { return "not seen" }
    let place = player.zone.map { "zone \($0)" } ?? "out of court"
    return "x \(player.x.fixed(2)) y \(player.y.fixed(2)) of \(player.samples)  \(place)"
  }

  private var countsText: String {
    let outcomes = [
      ("delivered", "delivered"), ("queued", "queued"), ("not sent", "notSent"),
      ("unknown", "unknown"),
    ].map { "\($0) \(status.counts.outcomes[$1] ?? 0)" }
    return outcomes.joined(separator: ", ")
      + "; \(counted(status.safety.balls ?? 0, "ball")) since it was armed"
  }

  private func lastText(_ last: ServiceDispatch) -> String {
    let age = last.t.flatMap { decided in status.t.map { Duration.seconds($0 - decided) } }
    return
      ([
        "ball \(last.number)", last.zone.map { "zone \($0)" } ?? "out of court", last.digits,
        last.outcomeText,
      ] + [age.map { "\($0.rough) ago" }].compactMap(\.self)).joined(separator: "  ")
  }

  private func refusalLines(_ refused: String) -> [String] {
    "a newer one is wrong, and not in force: \(refused)".split(separator: "\n")
      .flatMap { wrapped(String($0).printable, to: 79 - Self.indent) }
  }

  private var serviceText: String {
    let configuration = status.configuration.map {
      "\($0.file ?? "no configuration file"), read at \(localTime($0.loaded))"
    }
    return [
      "ballmachine \(status.version), up for \(Duration.seconds(status.uptime).rough)",
      configuration,
    ].compactMap(\.self).joined(separator: ", ")
  }
}
