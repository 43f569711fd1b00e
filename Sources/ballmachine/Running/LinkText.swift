import Bridge
import Clocks
import Host
import MachineLink

/// What a line for people says of the link.
struct LinkText: Equatable {
  /// The phase and the machine.
  var head: [String] = []
  /// What changes all the time.
  var details: [String] = []
  /// Warnings and faults.
  var tail: [String] = []

  var text: String { (head + details + tail).joined(separator: "  ") }

  /// The text without what changes all the time.
  var summary: String { (head + tail).joined(separator: "  ") }
}

extension LinkText {
  /// - Parameter since: when the phase began.
  init(status: LinkStatus, now: MonotonicInstant, since: WallTime) {
    head = [status.phase.words]
    if let mode = status.mode { head.append(mode) }
    if let machine = status.machineText { head.append(machine) }
    if status.isChosenByMemory { head.append("remembered") }
    if let profile = status.profile { head.append("profile \(profile)") }
    if status.phase == .waitingForAdapter, let adapter = status.adapter?.text {
      head.append(adapter)
    }
    // Otherwise the line's timestamp says so.
    if status.since.duration(to: now) >= .seconds(1) { details.append("since \(since.local)") }
    if let attempt = status.attempt, attempt > 1 { details.append("attempt \(attempt)") }
    if let next = status.nextAttempt {
      details.append("next try in \(max(now.duration(to: next), .zero).seconds.fixed(1)) s")
    }
    if [.discovering, .connecting, .ready].contains(status.phase) {
      if let signal = status.signal { details.append(signal.text(at: now)) }
    }
    if status.mayUseClassicBluetooth, status.phase == .ready {
      tail.append("warning: the adapter may also use classic Bluetooth (ControllerMode = le)")
    }
    if status.phase != .ready, let trouble = status.trouble { tail.append(trouble) }
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
    fault.map { $0.reason + (advice.map { "; \($0)" } ?? "") }
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

/// The machine's signal strength, or its last one: a connected machine is not heard any more.
func signalText(_ rssi: Int, age: Duration) -> String {
  age < .seconds(3) ? "signal \(rssi) dBm" : "signal was \(rssi) dBm \(age.ago)"
}

extension LinkStatus.Signal {
  func text(at now: MonotonicInstant) -> String { signalText(Int(rssi), age: age(at: now)) }
}

extension LinkStatus.AdapterStatus {
  /// The adapter's name, address and fault; nil if there is no adapter.
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
  fileprivate var ago: String { "\(rough) ago" }

  /// In one unit, rounded down: `12 s`, `3 min`, `2 h`.
  var rough: String {
    let seconds = components.seconds
    return switch seconds {
    case ..<120: "\(seconds) s"
    case ..<7200: "\(seconds / 60) min"
    default: "\(seconds / 3600) h"
    }
  }
}
