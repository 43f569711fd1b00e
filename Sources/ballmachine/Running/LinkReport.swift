import CourtLogic
import MachineLink

/// A change of the link.
struct LinkReport: Report {
  var status: LinkStatus
  var time: MonotonicInstant
  var elapsed: ElapsedTime
  /// When the phase began.
  var since: WallTime

  var text: String { "\(elapsed.text(time))  link  \(parts(details).joined(separator: "  "))" }

  /// The text without what changes all the time.
  var summary: String { parts([]).joined(separator: "  ") }

  private func parts(_ details: [String]) -> [String] {
    var parts = [status.phase.words]
    if let mode = status.mode { parts.append(mode) }
    if let machine = status.machineText { parts.append(machine) }
    if status.isChosenByMemory { parts.append("remembered") }
    if let profile = status.profile { parts.append("profile \(profile)") }
    if status.phase == .waitingForAdapter, let adapter = status.adapter?.text {
      parts.append(adapter)
    }
    parts += details
    if status.mayUseClassicBluetooth, status.phase == .ready {
      parts.append("warning: the adapter may also use classic Bluetooth (ControllerMode = le)")
    }
    if status.phase != .ready, let trouble = status.trouble { parts.append(trouble) }
    return parts
  }

  private var details: [String] {
    var details: [String] = []
    // The line's own time says it else.
    if status.since.duration(to: time) >= .seconds(1) { details.append("since \(since.local)") }
    if let attempt = status.attempt, attempt > 1 { details.append("attempt \(attempt)") }
    if let next = status.nextAttempt {
      details.append("next try in \(max(time.duration(to: next), .zero).seconds.fixed(1)) s")
    }
    if [.discovering, .connecting, .ready].contains(status.phase) {
      if let signal = status.signal { details.append(signal.text(at: time)) }
    }
    return details
  }
}

extension LinkReport: Encodable {
  private enum Key: CodingKey {
    case event, t, state, since, mode, machine, name, remembered, profile
    case adapter, adapterName, adapterState, rssi, rssiAge, attempt, failures, nextAttempt
    case reason, remedy, warning
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode("link", forKey: .event)
    try object.encode(time.seconds.rounded(places: 6), forKey: .t)
    try object.encode(status.phase.rawValue, forKey: .state)
    try object.encode(since.iso8601, forKey: .since)
    try object.encodeIfPresent(status.mode, forKey: .mode)
    try object.encodeIfPresent(status.machine.map { "\($0)" }, forKey: .machine)
    try object.encodeIfPresent(status.machineName, forKey: .name)
    if status.isChosenByMemory { try object.encode(true, forKey: .remembered) }
    try object.encodeIfPresent(status.profile, forKey: .profile)
    try object.encodeIfPresent(status.adapter?.address.map { "\($0)" }, forKey: .adapter)
    try object.encodeIfPresent(status.adapter?.name, forKey: .adapterName)
    try object.encodeIfPresent(status.adapter?.condition.rawValue, forKey: .adapterState)
    if let signal = status.signal {
      try object.encode(signal.rssi, forKey: .rssi)
      try object.encode(signal.age(at: time).seconds.rounded(places: 6), forKey: .rssiAge)
    }
    try object.encodeIfPresent(status.attempt, forKey: .attempt)
    if status.failures > 0 { try object.encode(status.failures, forKey: .failures) }
    try object.encodeIfPresent(
      status.nextAttempt?.seconds.rounded(places: 6),
      forKey: .nextAttempt
    )
    if status.phase != .ready {
      try object.encodeIfPresent(status.fault?.reason, forKey: .reason)
      try object.encodeIfPresent(status.remedy, forKey: .remedy)
    } else if status.mayUseClassicBluetooth {
      try object.encode("the adapter may also use classic Bluetooth", forKey: .warning)
    }
  }
}

extension LinkStatus {
  /// Whether balls are real; unknown until BlueZ's objects have been read.
  var mode: String? {
    isSimulated.map { $0 ? "SIM" : "REAL" }
  }

  /// The machine as people call it.
  var machineText: String? {
    guard let machine else { return nil }
    return machineName.map { "\($0) \(machine)" } ?? "\(machine)"
  }

  /// The fault and its remedy in one line.
  var trouble: String? {
    fault.map { $0.reason + (remedy.map { "; \($0)" } ?? "") }
  }
}

extension LinkStatus.Phase {
  /// For people; machines get the raw value.
  var words: String {
    switch self {
    case .waitingForBlueZ: "waiting for BlueZ"
    case .waitingForAdapter: "waiting for an adapter"
    case .backingOff: "backing off"
    case .shuttingDown: "shutting down"
    case .idle, .discovering, .connecting, .resolving, .ready, .ended: rawValue
    }
  }
}

extension LinkStatus.Signal {
  func age(at now: MonotonicInstant) -> Duration { max(heardAt.duration(to: now), .zero) }

  /// How loud the machine is, or was: nobody hears one that is connected.
  func text(at now: MonotonicInstant) -> String {
    let age = age(at: now)
    return age < .seconds(3) ? "signal \(rssi) dBm" : "signal was \(rssi) dBm \(age.ago)"
  }
}

extension LinkStatus.AdapterStatus {
  /// Its name, its address, and what is the matter with it; nil if there is none.
  var text: String? {
    let parts = [
      name, address.map { "\($0)" },
      condition == .on || condition == .unknown ? nil : condition.rawValue,
    ].compactMap(\.self)
    return address == nil ? nil : parts.joined(separator: " ")
  }
}

extension Duration {
  /// `12 s ago`, `3 min ago`, `2 h ago`.
  fileprivate var ago: String {
    let seconds = components.seconds
    return switch seconds {
    case ..<120: "\(seconds) s ago"
    case ..<7200: "\(seconds / 60) min ago"
    default: "\(seconds / 3600) h ago"
    }
  }
}
