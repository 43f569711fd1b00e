package import ControlProtocol
import Host
package import JSON
import Programs

/// The service at one moment: the link and the arming, each with its reason, and the last ball.
package struct StatusReport: LinedReport {
  package let record: JSONValue
  package let status: StatusRecord

  package init(_ record: JSONValue) throws {
    self.record = record
    status = try record.decoded(as: StatusRecord.self)
  }

  package func encode(to encoder: any Encoder) throws {
    try encoder.encode(record, as: "status")
  }

  package var lines: [String] {
    let link = LinkText(status.link, now: status.t)
    var rows = [("Mode", [modeText]), ("Arming", armingLines)]
    // The mode has a line of its own.
    let head = link.head.filter { $0 != status.link.mode }
    rows.append(("Link", [head.joined(separator: "  ")]))
    if !link.details.isEmpty { rows.append(("", [link.details.joined(separator: "  ")])) }
    rows += link.tail.map { ("", [$0]) }
    if let drill = status.chosenTraining { rows.append(("Drill", [drill.text])) }
    rows.append(("Player", [playerText]))
    if let seconds = status.player?.repeats { rows.append(("", [repetitionText(seconds)])) }
    if let bad = status.lastBadLine { rows.append(("", [refusedText(bad)])) }
    if let refused = status.counts.refusedFeeders {
      rows.append(("", ["\(counted(refused, "feeder")) sent away: too many were connected"]))
    }
    rows.append(("Balls", countsLines))
    if let last = lastText { rows.append(("Last", [last])) }
    rows.append(("Service", serviceLines))
    if let refused = status.configuration?.reason {
      rows.append(("Config", refusalLines(refused)))
    }
    return rows.flatMap { label, lines in
      let label = padded(label, to: 9)
      return hanging(label, lines.flatMap { wrapped($0, to: 79 - label.count) })
    }
  }

  private var modeText: String {
    switch status.mode {
    case "SIM": "SIM: a mock machine, no ball flies"
    case "REAL": "REAL: balls can fly"
    default: "not known: BlueZ has not answered yet; take it for REAL"
    }
  }

  private var armingLines: [String] {
    [status.safety.stateText] + status.safety.holdTexts
  }

  private var playerText: String {
    guard let player = status.player else { return "not seen" }
    let place = player.zone.map { "zone \($0)" } ?? "out of court"
    return "x \(player.x.fixed(2)) y \(player.y.fixed(2)) of \(player.samples)  \(place)"
  }

  private func repetitionText(_ seconds: Double) -> String {
    "the same position for \(Duration.seconds(seconds).rough): look whether the detector still works,"
      + " unless the player stands still"
  }

  private func refusedText(_ last: StatusRecord.BadLine) -> String {
    let age = Duration.seconds(status.t - last.t)
    let text = lineText(last.connection, last.line, last.text, last.reason)
    let count = counted(status.counts.badLines, "line")
    return "\(count) refused, the last \(age.rough) ago: \(text)"
  }

  private var countsLines: [String] {
    let manual = status.counts.manualOutcomes
    return [
      status.counts.outcomes.text,
      "\(counted(status.safety.balls, "ball")) since it was armed, interval"
        + " \((status.interval ?? 3).plain) s",
    ] + (manual.count > 0 ? ["by hand: \(manual.text)"] : [])
      + [status.counts.answers?.text].compactMap(\.self)
  }

  /// The last command, by hand or not.
  private var lastText: String? {
    func line(_ parts: [String], at t: Double) -> String {
      (parts + ["\(Duration.seconds(status.t - t).rough) ago"]).joined(separator: "  ")
    }
    if let last = status.lastByHand {
      return line(["by hand", last.manual.command, last.manual.endText], at: last.t)
    }
    return status.lastDispatch.map {
      line(
        ["ball \($0.number)", $0.decision.placeText, $0.decision.command, $0.endText],
        at: $0.decision.t
      )
    }
  }

  private func refusalLines(_ refused: String) -> [String] {
    "a newer one is wrong, and not in force: \(refused)".split(separator: "\n")
      .map(String.init)
  }

  private var serviceLines: [String] {
    let configuration = status.configuration.map {
      let files = $0.files.isEmpty ? "no configuration file" : $0.files.joined(separator: ", ")
      return "\(files), read at \($0.loaded.local)"
    }
    return [
      "ballmachine \(status.version), up for \(Duration.seconds(status.uptime).rough)",
      configuration,
    ].compactMap(\.self)
  }
}

extension StatusRecord {
  /// Nil if neither a drill nor a level is loaded.
  var chosenTraining: TrainingRecord? { training.flatMap { $0.isChosen ? $0 : nil } }

  /// The last command if it was by hand.
  var lastByHand: TimedManualRecord? {
    lastManual.flatMap { $0.t > lastDispatch?.decision.t ?? -.infinity ? $0 : nil }
  }
}
