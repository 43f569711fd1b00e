import CourtLogic
import DBus
import MockMachine
import TestSupport

/// One kind of what can befall a link.
struct Misfortune: Sendable {
  /// What there is for it to befall.
  struct Scene: Hashable, Sendable {
    /// The machine's address or name.
    var machine: String
    /// Whether the machine may come back under another address.
    var mayMove: Bool
    var hasSpareAdapter: Bool
  }

  /// Picks the particulars.
  let verb: @Sendable (inout SeededGenerator) -> MockVerb

  private init(_ verb: @escaping @Sendable (inout SeededGenerator) -> MockVerb) {
    self.verb = verb
  }

  private init(_ verb: MockVerb) { self.init { _ in verb } }

  /// The verbs of the mock that befall nobody, with the reason.
  static let leftOut = [
    "machine": "builds the world; what changes in a machine has verbs of its own",
    "wait": "is the pause between two misfortunes",
    "help": "changes nothing",
    "quit": "ends the mock, and so the stage",
  ]

  /// Each is as likely as any other; what makes well again stands here more than once.
  static func all(in scene: Scene) -> [Misfortune] {
    onTheAir(scene) + ofConnect(scene.machine) + ofGATT(scene.machine) + ofBlueZ + ofAdapters
      + (scene.hasSpareAdapter ? ofTheSpareAdapter(scene.machine) : [])
  }

  // MARK: What there is

  /// The profiles with which a machine can be commanded.
  static let usable: [MockProfile] = [.ballMachine, .requestOnly, .commandOnly]
  static let adapter = MockAdapter()
  static let spareAdapter = MockAdapter("hci1", address: "AA:BB:CC:DD:EE:02")
  /// The names that the first adapter has had, or may get when it is plugged in again.
  static let adapterNames = [adapter.name, "hci2"]
  /// Somebody else's device, which somebody may connect to.
  static let stranger: MockAddress = "11:22:33:44:55:77"
  static let newAddresses: [MockAddress] = ["F0:F1:F2:F3:F4:F6", "F0:F1:F2:F3:F4:F7"]

  private static let tables = usable + [.aiThinker, .notifyOnly, .empty]

  private static let methods = [
    "Connect", "Disconnect", "StartDiscovery", "StopDiscovery", "SetDiscoveryFilter", "Set",
    "WriteValue", "RemoveDevice",
  ]

  private static let connectErrors = [
    failed("le-connection-abort-by-local"), failed("br-connection-canceled"),
    failed("Operation already in progress"), failed("Input/output error"),
    DBusError(name: "org.bluez.Error.InProgress", message: "In Progress"),
    DBusError(name: "org.bluez.Error.NotReady", message: "Resource Not Ready"),
  ]

  private static let writeErrors = [
    DBusError(name: "org.bluez.Error.NotPermitted", message: "Write acquired"),
    DBusError(name: "org.bluez.Error.InProgress", message: "In Progress"),
    failed("Operation failed with ATT error: 0x0e"),
    failed("Operation failed with ATT error: 0x80"), failed("Not connected"),
  ]

  private static func failed(_ message: String) -> DBusError {
    DBusError(name: "org.bluez.Error.Failed", message: message)
  }

  // MARK: What befalls

  private static func onTheAir(_ scene: Scene) -> [Misfortune] {
    let machine = scene.machine
    let all = [
      Misfortune(.vanish(machine: machine)),
      Misfortune(.appear(machine: machine)),
      Misfortune(.appear(machine: machine)),
      Misfortune(.appear(machine: machine)),
      Misfortune(.drop(machine: machine)),
      Misfortune(.coalesceDrop(machine: machine)),
      Misfortune { .dropAt(machine: machine, $0.pick(MockDropStage.allCases), $0.times()) },
      Misfortune(.link(machine: machine, adapter: nil)),
      Misfortune(.link(machine: stranger.string, adapter: nil)),
      Misfortune { .advertiseFlood(perSecond: $0.pick([0, 5, 20])) },
    ]
    guard scene.mayMove else { return all }
    let addresses = [LinkBench.machine] + newAddresses
    return all + [Misfortune { .newAddress(machine: machine, $0.pick(addresses)) }]
  }

  private static func ofConnect(_ machine: String) -> [Misfortune] {
    [
      Misfortune {
        let after: Duration? = $0.pick([nil, nil, $0.pause(upTo: 40_000)])
        return .refuseConnect(machine: machine, $0.pick(connectErrors), after: after, $0.times())
      },
      Misfortune(.connectWithoutReply(machine: machine, .once)),
      Misfortune { .connectWithoutLink(machine: machine, $0.times()) },
      Misfortune { .flap(machine: machine, $0.times()) },
      Misfortune { .omitConnectedSignal(machine: machine, $0.times()) },
      Misfortune { .resolveFails(machine: machine, $0.times()) },
      Misfortune(.resolveHangs(machine: machine, .once)),
      Misfortune(.removeObject(machine: machine)),
      Misfortune { .pair(machine: machine, $0.pick([true, false])) },
    ]
  }

  private static func ofGATT(_ machine: String) -> [Misfortune] {
    [
      Misfortune { .hangWrites(machine: machine, lost: $0.pick([true, false]), $0.times()) },
      Misfortune { .failWrites(machine: machine, $0.pick(writeErrors), $0.times()) },
      Misfortune { .changeTable(machine: machine, $0.pick(tables), silently: false) },
      Misfortune { .changeTable(machine: machine, $0.pick(usable), silently: false) },
      Misfortune { .changeTable(machine: machine, $0.pick(tables), silently: true) },
      Misfortune(.notify(machine: machine, "ready")),
    ]
  }

  private static let ofBlueZ: [Misfortune] = [
    Misfortune { .hangMethod($0.pick(methods), .once) },
    // Only this befalls the reading of all objects: no time passes while it takes place.
    Misfortune {
      .failMethod($0.pick(methods + ["GetManagedObjects"]), $0.pick(connectErrors), .once)
    },
    Misfortune { .delayMethod($0.pick(methods), $0.pause(upTo: 8000)) },
    Misfortune(.delayMethod("WriteValue", .zero)),
    Misfortune {
      // From four times as fast to eight times as slow.
      let (name, usual) = $0.pick(
        MockTimings.fields.map { ($0.key, MockTimings()[keyPath: $0.value]) }
      )
      return .timing(name, max(usual, .milliseconds(100)) * $0.pick(Array(1...32)) / 4)
    },
    Misfortune(.clearFaults(machine: nil)),
    Misfortune { .restart(downFor: $0.pause(upTo: 8000)) },
    Misfortune(.down),
    Misfortune(.up),
    Misfortune(.up),
  ]

  private static let ofAdapters: [Misfortune] = [
    Misfortune { .power(adapter: $0.pick(adapterNames), $0.pick([.off, .blocked])) },
    Misfortune { .power(adapter: $0.pick(adapterNames), $0.pick([.on, .unblocked])) },
    Misfortune { .power(adapter: $0.pick(adapterNames), .unblocked) },
    Misfortune { .removeAdapter($0.pick(adapterNames), $0.pick(MockUnplugAnswer.allCases)) },
    Misfortune { .addAdapter(MockAdapter($0.pick(adapterNames))) },
    Misfortune { .addAdapter(MockAdapter($0.pick(adapterNames))) },
  ]

  private static func ofTheSpareAdapter(_ machine: String) -> [Misfortune] {
    let name = spareAdapter.name
    return [
      Misfortune { .power(adapter: name, $0.pick(MockPowerSwitch.allCases)) },
      Misfortune { .removeAdapter(name, $0.pick(MockUnplugAnswer.allCases)) },
      Misfortune(.addAdapter(spareAdapter)),
      Misfortune(.link(machine: machine, adapter: name)),
    ]
  }
}

extension SeededGenerator {
  fileprivate mutating func pick<Element>(_ list: [Element]) -> Element {
    list.randomElement(using: &self)!
  }

  fileprivate mutating func times() -> MockTimes { .times(Int.random(in: 1...3, using: &self)) }

  fileprivate mutating func pause(upTo milliseconds: Int) -> Duration {
    .milliseconds(Int.random(in: 10...milliseconds, using: &self))
  }
}
