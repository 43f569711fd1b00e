import Clocks
import Host
import JSON
import MachineLink

/// What every record of the link says of it, as part of that record's object.
struct LinkFields {
  private let status: LinkStatus
  private let since: WallTime?
  private let now: MonotonicInstant

  /// - Parameters:
  ///   - since: when the phase began.
  ///   - now: the instant that ages count up to.
  init(_ status: LinkStatus, since: WallTime?, at now: MonotonicInstant) {
    self.status = status
    self.since = since
    self.now = now
  }
}

extension LinkFields: Encodable {
  private enum Key: CodingKey {
    case state, since, mode, machine, name, remembered, profile
    case adapter, adapterName, adapterState, rssi, rssiAge, attempt, failures, nextAttempt
    case reason, remedy, warning
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(status.phase.rawValue, forKey: .state)
    try object.encodeIfPresent(since?.iso8601, forKey: .since)
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
      try object.encode(signal.age(at: now).seconds.rounded(places: 6), forKey: .rssiAge)
    }
    try object.encodeIfPresent(status.attempt, forKey: .attempt)
    if status.failures > 0 { try object.encode(status.failures, forKey: .failures) }
    try object.encodeIfPresent(
      status.nextAttempt?.seconds.rounded(places: 6),
      forKey: .nextAttempt
    )
    if status.phase != .ready {
      try object.encodeIfPresent(status.fault?.reason, forKey: .reason)
      try object.encodeIfPresent(status.advice, forKey: .remedy)
    } else if status.mayUseClassicBluetooth {
      try object.encode("the adapter may also use classic Bluetooth", forKey: .warning)
    }
  }
}
