package import ControlProtocol
import JSON
import Programs

// What lines for people say of decisions, commands and their outcomes.

extension DecisionRecord {
  /// Where the player was, the zone and the command.
  package var columns: [String] {
    ["x \(x.fixed(2)) y \(y.fixed(2)) of \(samples)", placeText, command]
  }

  /// The zone that the ball is for: a drill's, or the player's own.
  var placeText: String {
    if let target { return "to \(target)" }
    return zone.map { "zone \($0)" } ?? "out of court"
  }
}

extension DispatchRecord {
  /// The command and its outcome.
  package var text: String {
    (["ball \(number)"] + decision.columns + [outcomeText] + latencyText + slewText)
      .joined(separator: "  ")
  }

  private var slewText: [String] {
    slew.map { ["the next one waits \($0.fixed(1)) s for the machine to turn"] } ?? []
  }

  var outcomeText: String { outcome?.text ?? "on its way" }

  /// The outcome, and the machine's answer once it is there.
  var endText: String { joined(outcomeText, answer) }

  private var latencyText: [String] { latency.map { [$0.milliseconds] } ?? [] }
}

extension HeldRecord {
  /// The decision and why it was held.
  package var text: String {
    (["held"] + decision.columns + [holds.map(\.reason).joined(separator: "; ")])
      .joined(separator: "  ")
  }
}

extension ManualRecord {
  /// The command by hand and its outcome.
  package var text: String { "by hand  \(command)  \(outcome.text)  \(latency.milliseconds)" }

  /// The outcome, and the machine's answer once it is there.
  var endText: String { joined(outcome.text, answer) }
}

extension AnswerRecord {
  package var text: String {
    "\(to == "manual" ? "by hand" : "ball") \(number)  \(answerText(answer))"
      + "  \(latency.milliseconds)"
  }
}

private func joined(_ outcome: String, _ answer: String?) -> String {
  [outcome, answer.map(answerText)].compactMap(\.self).joined(separator: ", ")
}

/// What the machine itself says of a command.
package func answerText(_ answer: String) -> String {
  switch answer {
  case "none": "no answer of the machine"
  case "accepted": "the machine has begun"
  case "refused": "the machine refused it"
  default: answer
  }
}

extension CountsRecord.Answers {
  package var text: String {
    "answers: completed \(completed), accepted \(accepted), refused \(refused), none \(none)"
  }
}

extension CountsRecord.Outcomes {
  package var count: Int { delivered + queued + notSent + unknown }

  package var text: String {
    "delivered \(delivered), queued \(queued), not sent \(notSent), unknown \(unknown)"
  }
}

extension OutcomeRecord {
  /// The outcome and its reason.
  package var text: String {
    let words =
      switch outcome {
      case "queued": "queued, not acknowledged"
      case "notSent": "not sent"
      default: outcome
      }
    return words + (reason.map { ": \($0)" } ?? "")
  }
}

extension Double {
  /// A time in seconds, as people read latencies: `47.3 ms`.
  package var milliseconds: String { "\((self * 1_000).fixed(1)) ms" }
}
