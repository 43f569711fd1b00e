import DBus

/// The faults that wait for their moment, first come first served.
struct FaultPlan: Sendable {
  enum MethodFault: Hashable, Sendable {
    case failure(DBusError)
    case hang
  }

  private var machines: [MockAddress: [(fault: MockFault, times: MockTimes)]] = [:]
  private var methods: [String: [(MethodFault, MockTimes)]] = [:]
  var delays: [String: Duration] = [:]

  mutating func add(_ fault: MockFault, _ times: MockTimes, to machine: MockAddress) {
    machines[machine, default: []].append((fault, times))
  }

  mutating func add(_ fault: MethodFault, _ times: MockTimes, to method: String) {
    methods[method, default: []].append((fault, times))
  }

  /// Takes a strike from the machine's first fault for which `select` has an answer.
  mutating func strike<Answer>(
    _ machine: MockAddress,
    _ select: (MockFault) -> Answer?
  ) -> Answer? {
    guard var faults = machines[machine] else { return nil }
    for index in faults.indices {
      guard let answer = select(faults[index].fault), faults[index].times.strike() else { continue }
      faults.removeAll { $0.times.isSpent }
      machines[machine] = faults.isEmpty ? nil : faults
      return answer
    }
    return nil
  }

  mutating func strike(method: String) -> MethodFault? {
    guard var faults = methods[method], !faults.isEmpty else { return nil }
    let fault = faults[0].0
    _ = faults[0].1.strike()
    if faults[0].1.isSpent { faults.removeFirst() }
    methods[method] = faults.isEmpty ? nil : faults
    return fault
  }

  mutating func move(from old: MockAddress, to new: MockAddress) {
    machines[new] = machines.removeValue(forKey: old)
  }

  /// Forgets a machine's faults, or all of them and the delays.
  mutating func clear(_ machine: MockAddress?) {
    if let machine {
      machines[machine] = nil
    } else {
      self = FaultPlan()
    }
  }
}
