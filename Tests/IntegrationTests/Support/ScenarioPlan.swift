import CourtLogic
import MachineLink
import MockMachine
import TestSupport

/// A scenario of one link as its seed alone decides it: its model, what is asked of the link, and what
/// happens to it.
///
/// What happens meanwhile has no say in it, so that the seed of a scenario that failed repeats it.
struct ScenarioPlan: Hashable, Sendable {
  /// By what the link knows its machine.
  enum Identity: CaseIterable, Hashable, Sendable {
    case profile, address, name
  }

  enum Deed: Hashable, Sendable {
    case ball, stop
    case fault(MockVerb)
  }

  struct Step: Hashable, Sendable {
    var deed: Deed
    /// Before the next step.
    var pause: Duration
  }

  let identity: Identity
  /// Whether the machine takes frames and answers them.
  let isFramed: Bool
  /// Whether there is a second adapter.
  let hasSpareAdapter: Bool
  /// Whether that one may stand in for the first, to which the link is pinned if there are two.
  let allowsOtherAdapter: Bool
  let model: MockModel
  let steps: [Step]

  init(seed: UInt64, steps count: Int = 40, isFramed: Bool = false) {
    var generator = SeededGenerator(seed: seed)
    let identity = Identity.allCases.randomElement(using: &generator)!
    let hasSpareAdapter = Int.random(in: 0..<4, using: &generator) == 0
    let scene = InjectedFault.Scene(
      // An address while the name is a stranger's too, and a name while the address may change.
      machine: identity == .profile ? Self.home.string : "BallMachine",
      mayMove: identity != .profile,
      hasSpareAdapter: hasSpareAdapter,
      isFramed: isFramed
    )
    let faults = InjectedFault.all(in: scene)
    self.identity = identity
    self.isFramed = isFramed
    self.hasSpareAdapter = hasSpareAdapter
    allowsOtherAdapter = hasSpareAdapter && Bool.random(using: &generator)
    let machine = MockPeripheral(
      Self.home,
      profile: InjectedFault.usable.randomElement(using: &generator)!,
      encoding: isFramed ? .framed : .digits
    )
    model = MockModel(
      adapters: [InjectedFault.adapter] + (hasSpareAdapter ? [InjectedFault.spareAdapter] : []),
      peripherals: [machine] + Self.strangers(bearing: identity == .profile ? machine.name : nil)
    )
    steps = (0..<count).map { _ in
      let deed: Deed =
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<5: .ball
        case 5 where Bool.random(using: &generator): .stop
        default: .fault(faults.randomElement(using: &generator)!.verb(&generator))
        }
      let longest = Int.random(in: 0..<20, using: &generator) == 0 ? 60_000 : 4000
      let pause = Duration.milliseconds(Int.random(in: 1...longest, using: &generator))
      return Step(deed: deed, pause: pause)
    }
  }

  /// The machine's address at first.
  static let home = LinkFixture.machine

  /// Devices that are none of ours.
  /// - Parameter name: one of them bears this name.
  private static func strangers(bearing name: String?) -> [MockPeripheral] {
    [
      MockPeripheral("11:22:33:44:55:66", profile: .nordicUART),
      MockPeripheral(InjectedFault.stranger, name: name, profile: .hm10),
    ]
  }

  /// What the verbs call the machine.
  var machine: String { identity == .profile ? Self.home.string : "BallMachine" }

  var configuration: LinkConfiguration {
    var configuration = LinkConfiguration(
      name: identity == .name ? machine : nil,
      allowsOtherAdapter: allowsOtherAdapter,
      encoding: isFramed ? .framed(.modbus) : .digits
    )
    if identity == .address {
      precondition(configuration.setAddress(Self.home.string), "an address")
    }
    if hasSpareAdapter {
      precondition(configuration.setAdapter(InjectedFault.adapter.address.string), "an address")
    }
    return configuration
  }

  /// For a report.
  var adapters: String {
    guard hasSpareAdapter else { return "one adapter" }
    return "two adapters, of which the second \(allowsOtherAdapter ? "may" : "may not") stand in"
  }

  /// The addresses at which the link may take the machine for its own: only a configured name
  /// speaks for a new one.
  var ours: [MockAddress] {
    [Self.home] + (identity == .name ? InjectedFault.newAddresses : [])
  }

  /// The addresses at which the link may not do anything.
  var others: [MockAddress] {
    let all = model.peripherals.map(\.address) + InjectedFault.newAddresses
    return all.filter { !ours.contains($0) }
  }

  /// The faults alone, each with its time since the start.
  var faults: [Injected] {
    var time = Duration.zero
    var injected: [Injected] = []
    for step in steps {
      if case .fault(let verb) = step.deed { injected.append(Injected(time, verb)) }
      time += step.pause
    }
    return injected
  }
}
