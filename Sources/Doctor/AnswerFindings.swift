import ControlProtocol
package import Programs

extension ServiceDiagnosis {
  /// What the service has heard of a framed machine's answers.
  package var answerFindings: [Finding] {
    guard case .state(let state) = answer, let notifications = state.link?.notifications else {
      return []
    }
    return notifications.findings
  }
}

extension LinkRecord.Notifications {
  fileprivate var findings: [Finding] {
    var findings: [Finding] = []
    if on == false {
      findings.append(
        .problem(
          .answersUnheard,
          "the machine's answers don't come in: \(reason ?? "for an unknown reason"); a stop is never"
            + " confirmed",
          "switch the machine off and on; if this persists, look whether it is a framed one"
        )
      )
    }
    if let otherCheckByte {
      findings.append(
        .problem(
          .answersOtherCheckByte,
          "the machine answers with the check byte that is not configured"
            + " (\(otherCheckByte) times)",
          "set machine.check-byte to the other one, modbus or xor, and restart the service"
        )
      )
    }
    let odd = [
      ("late", late), ("doubled", doubled), ("unasked", unasked), ("malformed", malformed),
      ("with a wrong check byte", wrongCheckByte),
    ].compactMap { name, count in count.map { "\($0) \(name)" } }
    if !odd.isEmpty {
      findings.append(
        .note(
          .answersOdd,
          "odd answers of the machine: \(odd.joined(separator: ", "))",
          "they count for no command; look at the machine's firmware if they keep coming"
        )
      )
    }
    if findings.isEmpty, on == true {
      findings.append(.ok(.answersHeard, "the machine's answers come in"))
    }
    return findings
  }
}
