package import ControlProtocol
import Host
import JSON
import MachineLink
import Programs

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
  /// - Parameters:
  ///   - now: of the record, in seconds on the service's clock.
  ///   - time: of the record, which shows when a phase began that is new; nil: always show it.
  package init(_ link: LinkRecord, now: Double, time: WallTime? = nil) {
    head = [link.phaseText]
    if let mode = link.mode { head.append(mode) }
    if let machine = link.machineText { head.append(machine) }
    if link.remembered == true { head.append("remembered") }
    if let profile = link.profile { head.append("profile \(profile)") }
    if link.phase == .waitingForAdapter, let adapter = link.adapterText { head.append(adapter) }
    if let since = link.since, time.map({ $0.duration(since: since) >= .seconds(1) }) ?? true {
      details.append("since \(since.local)")
    }
    details += link.attempts(at: now)
    if let signal = link.signalText { details.append(signal) }
    if let warning = link.warning {
      tail.append("warning: \(warning)" + (link.isReady ? " (ControllerMode = le)" : ""))
    }
    tail += link.passedOver?.map(\.text) ?? []
    if let trouble = link.trouble { tail.append(trouble) }
  }
}

extension LinkRecord {
  /// Nil for a phase of a later version.
  fileprivate var phase: LinkStatus.Phase? { LinkStatus.Phase(rawValue: state) }

  package var isReady: Bool { phase == .ready }
  package var isEnding: Bool { phase == .shuttingDown }

  package var phaseText: String {
    switch phase {
    case .waitingForBlueZ: "waiting for BlueZ"
    case .waitingForAdapter: "waiting for an adapter"
    case .backingOff: "backing off"
    case .shuttingDown: "shutting down"
    case .idle, .discovering, .connecting, .resolving, .ready, .ended, nil: state
    }
  }

  /// The machine as people call it.
  package var machineText: String? {
    guard let machine else { return nil }
    return name.map { "\($0.printable(upTo: 60)) \(machine)" } ?? machine
  }

  /// Where commands go: the profile and the characteristic.
  package static func wayText(_ profile: String?, _ characteristic: String?) -> String? {
    profile.map { "profile \($0)" + (characteristic.map { " \($0)" } ?? "") }
  }

  /// The adapter's name, address and fault; nil if there is no adapter.
  var adapterText: String? {
    guard let adapter else { return nil }
    let condition = adapterState == "on" || adapterState == "unknown" ? nil : adapterState
    return [adapterName, adapter, condition].compactMap(\.self).joined(separator: " ")
  }

  /// Which attempt it is and when the next one comes.
  ///
  /// - Parameter now: in seconds on the service's clock.
  func attempts(at now: Double) -> [String] {
    let number = attempt.flatMap { $0 > 1 ? "attempt \($0)" : nil }
    let next = nextAttempt.map { "next try in \(max($0 - now, 0).fixed(1)) s" }
    return [number, next].compactMap(\.self)
  }

  /// The machine's signal strength, or its last one: a connected machine is not heard any more.
  /// Nil without a signal, and in phases where it means nothing.
  var signalText: String? {
    switch phase {
    case .discovering, .connecting, .ready: break
    default: return nil
    }
    guard let rssi, let rssiAge else { return nil }
    let age = Duration.seconds(rssiAge)
    return age < .seconds(3) ? "signal \(rssi) dBm" : "signal was \(rssi) dBm \(age.rough) ago"
  }

  /// The fault and its remedy in one line.
  package var trouble: String? {
    reason.map { $0 + (remedy.map { "; \($0)" } ?? "") }
  }
}

extension Duration {
  /// The duration in one unit, rounded down: `12 s`, `3 min`, `2 h`.
  package var rough: String {
    let seconds = components.seconds
    return switch seconds {
    case ..<120: "\(seconds) s"
    case ..<7200: "\(seconds / 60) min"
    default: "\(seconds / 3600) h"
    }
  }
}
