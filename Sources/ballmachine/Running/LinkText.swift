import Bridge
import CourtLogic
import MachineLink

/// What a line for people says of the link.
struct LinkText {
  var status: LinkStatus
  var now: MonotonicInstant
  /// When the phase began.
  var since: WallTime

  var text: String { parts(details).joined(separator: "  ") }

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
    if status.since.duration(to: now) >= .seconds(1) { details.append("since \(since.local)") }
    if let attempt = status.attempt, attempt > 1 { details.append("attempt \(attempt)") }
    if let next = status.nextAttempt {
      details.append("next try in \(max(now.duration(to: next), .zero).seconds.fixed(1)) s")
    }
    if [.discovering, .connecting, .ready].contains(status.phase) {
      if let signal = status.signal { details.append(signal.text(at: now)) }
    }
    return details
  }
}

extension LinkStatus {
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
