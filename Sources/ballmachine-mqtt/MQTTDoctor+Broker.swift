import Fleet
import Programs

// What a broker must do, as far as the rights of a court's user show it.
extension MQTTDoctor {
  /// - Parameters:
  ///   - trial: of the broker.
  ///   - isKept: whether the broker keeps the court's `box`.
  static func findings(of trial: BrokerTrial.Result, isKept: Bool) -> [Finding] {
    let lacks = BrokerLack.all(in: trial.grants)
    var findings = lacks.map(finding)
    var done: [String] = []
    var untested: [String] = []
    if isKept {
      done.append("keeps messages")
      if trial.hasBox {
        done.append("gives them to subscribers with wildcards")
      } else {
        findings.append(finding(.keepsNothingForWildcards))
      }
    } else if trial.grants.keepsMessages {
      untested.append("whether it keeps messages, since it keeps none of this court yet")
    }
    switch trial.message {
    case .done where lacks.isEmpty: done.append("takes a court's longest message")
    case .done: break
    case .failed: findings.append(finding(.endsConnections))
    case .untested(let reason): untested.append("its longest message, since \(reason)")
    }
    switch trial.will {
    case .done: done.append("says when a connection is lost")
    case .failed:
      findings.append(
        .problem(
          "mqtt.will",
          "the broker does not say when a connection is lost: a court whose box is gone stays online",
          "let it publish wills, or use another one, such as mosquitto"
        )
      )
    case .untested(let reason): untested.append("its wills, since \(reason)")
    }
    if !done.isEmpty { findings.insert(.ok("mqtt.able", "the broker \(listed(done))"), at: 0) }
    if !untested.isEmpty {
      findings.append(
        .note(
          "mqtt.untested",
          "of what a broker must do, not tested: \(untested.joined(separator: "; "))",
          "look at it again while the service runs, and let the access list have what "
            + "/usr/share/ballmachine/mosquitto/acl has"
        )
      )
    }
    return findings
  }

  private static func finding(_ lack: BrokerLack) -> Finding {
    switch lack {
    case .keepsNothing: .problem("mqtt.keepsNothing", "\(lack)", "let it keep messages (retain)")
    case .acknowledgesNothing: .note("mqtt.quality", "\(lack)", "let it take QoS 1")
    case .shortPackets:
      .problem(
        "mqtt.shortPackets",
        "\(lack)",
        "let it take packets of \(BrokerLack.longestPacket) bytes"
      )
    case .keepsNothingForWildcards:
      .note(
        "mqtt.wildcards",
        "\(lack)",
        "let its access list have \(CourtIndex.topic), to read and write for each court, to read for the office"
      )
    case .endsConnections:
      .problem(
        "mqtt.endsConnections",
        "\(lack)",
        "see the broker's log; let it take packets of \(BrokerLack.longestPacket) bytes, and its access list"
          + " have \(CourtIndex.topic) and what /usr/share/ballmachine/mosquitto/acl has"
      )
    }
  }

  private static func listed(_ parts: [String]) -> String {
    guard parts.count > 1, let last = parts.last else { return parts.first ?? "" }
    return "\(parts.dropLast().joined(separator: ", ")), and \(last)"
  }
}
