package import DBus

/// Something that happens to a machine, an adapter or bluetoothd, as a test, a script or a person says.
///
/// A machine is named by its address or, while only one bears it, by its advertised name.
package enum MockVerb: Hashable, Sendable {
  case machine(MockPeripheral)
  case addAdapter(MockAdapter)
  case removeAdapter(String, MockUnplugAnswer)
  case power(adapter: String, MockPowerSwitch)

  case vanish(machine: String)
  case appear(machine: String)
  case drop(machine: String)
  case newAddress(machine: String, MockAddress)
  case link(machine: String, adapter: String?)
  case removeObject(machine: String)
  case pair(machine: String, Bool)

  case coalesceDrop(machine: String)
  /// Something that goes wrong the next `Times` times.
  case fault(machine: String, MockFault, MockTimes)

  case changeTable(machine: String, MockProfile, silently: Bool)
  case notify(machine: String, String)
  case notifyBytes(machine: String, [UInt8])
  case garbage(machine: String, seed: UInt64, every: Duration, MockTimes)

  case failMethod(String, DBusError, MockTimes)
  case hangMethod(String, MockTimes)
  case delayMethod(String, Duration)
  case timing(String, Duration)
  case clearFaults(machine: String?)

  case restart(downFor: Duration)
  case down
  case up
  /// Whether the mock says that it is one.
  case mark(Bool)
  case advertiseFlood(perSecond: Int)

  case wait(Duration)
  case help
  case quit
}

/// How often a fault strikes before things are well again.
package struct MockTimes: Hashable, Sendable {
  /// nil: always.
  package var count: Int?

  package static let once = MockTimes(count: 1)
  package static let always = MockTimes(count: nil)

  package static func times(_ count: Int) -> MockTimes { MockTimes(count: count) }

  /// Takes one strike; false when none is left.
  mutating func strike() -> Bool {
    guard let count else { return true }
    guard count > 0 else { return false }
    self.count = count - 1
    return true
  }

  var isSpent: Bool { count.map { $0 <= 0 } ?? false }
}

/// What goes wrong with a machine when its moment comes.
package enum MockFault: Hashable, Sendable {
  /// A session ends at this stage.
  case drop(MockDropMoment)
  case refuseConnect(DBusError, after: Duration?)
  case connectWithoutReply
  case connectWithoutLink
  case flap
  case omitConnectedSignal
  case resolveFails
  case resolveHangs
  case hangWrites(lost: Bool)
  case failWrites(DBusError)
  case failNotify(DBusError)
  case slowNotify(Duration)
  /// What the answers to a framed command are like.
  case answers(MockAnswers)
  /// The answers come so much later.
  case lateAnswers(Duration)
}

/// What is wrong with a framed machine's answers to one command.
package enum MockAnswers: String, CaseIterable, Hashable, Sendable {
  /// No answer comes.
  case missing = "none"
  case refused
  /// The command is accepted and never completed.
  case incomplete
  /// The answers have a check byte that no way of computing gives.
  case wrongCheck = "wrong-check"
  /// The answers have the check byte that the machine doesn't take itself.
  case otherCheck = "other-check"
  /// Each comes twice.
  case doubled
  /// Only the first three bytes of each answer come.
  case cut
}

/// When a session that is to be dropped ends.
package enum MockDropMoment: String, CaseIterable, Hashable, Sendable {
  /// The link came up, but goes before Connect is answered.
  case connecting
  /// Half-way through the discovery of services.
  case resolving
  /// After a write reached the machine, before its response.
  case writing
}

package enum MockPowerSwitch: String, CaseIterable, Hashable, Sendable {
  case on, off
  /// rfkill: off, and `Set Powered` fails until unblocked.
  case blocked
  /// bluetoothd powers on by itself.
  case unblocked
}

/// What a Connect that is pending when its adapter is unplugged hears: all three happen.
package enum MockUnplugAnswer: String, CaseIterable, Hashable, Sendable {
  case success, error, nothing
}
