import Host
import MachineLink

// The service's records in the words that `serve` has for the same things.

extension LinkText {
  /// - Parameters:
  ///   - now: of the record, in seconds on the service's clock.
  ///   - time: of the record, ISO 8601; nil: always show since when.
  init(_ link: ServiceLink, now: Double?, time: String? = nil) {
    head = [link.phaseWords]
    if let mode = link.mode { head.append(mode) }
    if let machine = link.machineText { head.append(machine) }
    if link.remembered == true { head.append("remembered") }
    if let profile = link.profile { head.append("profile \(profile)") }
    if link.state == LinkStatus.Phase.waitingForAdapter.rawValue, let adapter = link.adapterText {
      head.append(adapter)
    }
    let since = link.since.map(localTime)
    if let since, since != time.map(localTime) { details.append("since \(since)") }
    details += link.attempts(at: now)
    if let signal = link.signalText { details.append(signal) }
    if let warning = link.warning { tail.append("warning: \(warning) (ControllerMode = le)") }
    if let trouble = link.trouble { tail.append(trouble) }
  }
}

extension SafetyText {
  init(_ safety: ServiceSafety) {
    self.init(
      state: safety.state,
      reason: safety.reason,
      remaining: safety.remaining.map { .seconds($0) },
      holds: (safety.holds ?? []).compactMap { $0.reason ?? $0.code }
    )
  }
}

extension ServiceLink {
  var isReady: Bool { state == LinkStatus.Phase.ready.rawValue }

  var phaseWords: String { LinkStatus.Phase(rawValue: state)?.words ?? state }

  /// The machine as people call it.
  var machineText: String? {
    guard let machine else { return nil }
    return name.map { "\($0) \(machine)" } ?? machine
  }

  var adapterText: String? {
    guard let adapter else { return nil }
    let condition = adapterState == "on" || adapterState == "unknown" ? nil : adapterState
    return [adapterName, adapter, condition].compactMap(\.self).joined(separator: " ")
  }

  /// Which attempt it is and when the next one comes.
  func attempts(at now: Double?) -> [String] {
    let number = attempt.flatMap { $0 > 1 ? "attempt \($0)" : nil }
    var next: String?
    if let nextAttempt, let now { next = "next try in \(max(nextAttempt - now, 0).fixed(1)) s" }
    return [number, next].compactMap(\.self)
  }

  /// nil without a signal, and in phases where it means nothing.
  var signalText: String? {
    let telling: [LinkStatus.Phase] = [.discovering, .connecting, .ready]
    guard telling.contains(where: { $0.rawValue == state }), let rssi, let rssiAge else {
      return nil
    }
    return ballmachine.signalText(rssi, age: .seconds(rssiAge))
  }

  /// The fault and its remedy in one line.
  var trouble: String? {
    reason.map { $0 + (remedy.map { "; \($0)" } ?? "") }
  }
}

extension ServiceDispatch {
  /// Where the player was, the zone and the command.
  var columns: [String] {
    decisionColumns(x: x, y: y, samples: samples, zone: zone, digits: digits)
  }

  var outcomeText: String {
    outcome.map { WriteOutcome.text($0, reason: reason) } ?? "on its way"
  }

  var latencyText: String? { latency.map { Duration.seconds($0).milliseconds } }
}

extension ServiceHeld {
  var columns: [String] {
    decisionColumns(x: x, y: y, samples: samples, zone: zone, digits: digits)
  }
}

private func decisionColumns(
  x: Double?,
  y: Double?,
  samples: Int?,
  zone: String?,
  digits: String
) -> [String] {
  // A command by hand has no place.
  guard let x, let y, let samples else { return [digits] }
  let place = zone.map { "zone \($0)" } ?? "out of court"
  return ["x \(x.fixed(2)) y \(y.fixed(2)) of \(samples)", place, digits]
}

/// The local time of day of an ISO 8601 time; any other text unchanged.
func localTime(_ iso8601: String) -> String {
  WallTime(iso8601: "\(iso8601.prefix(19))Z")?.local ?? iso8601
}
