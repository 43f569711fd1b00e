import CourtLogic
import DBus
import MockMachine
import TestSupport

/// One kind of fault that a link can meet.
struct InjectedFault: Sendable {
  /// What is there for it to happen to.
  struct Scene: Hashable, Sendable {
    /// The machine's address or name.
    var machine: String
    /// Whether the machine may come back under another address.
    var mayMove: Bool
    var hasSpareAdapter: Bool
    /// Whether the machine answers commands.
    var isFramed = false
  }

  /// Picks the particulars.
  let verb: @Sendable (inout SeededGenerator) -> MockVerb

  private init(_ verb: @escaping @Sendable (inout SeededGenerator) -> MockVerb) {
    self.verb = verb
  }

  private init(_ verb: MockVerb) { self.init { _ in verb } }

  /// The verbs of the mock that are no faults, with the reason.
  static let leftOut = [
    "machine": "builds the model; what changes in a machine has verbs of its own",
    "wait": "is the pause between two faults",
    "mark": "makes another stack of it, SIM or REAL, whose link and debts are others",
    "help": "changes nothing",
    "quit": "ends the mock, and so the setup",
  ]

  /// Each is as likely as any other; what makes well again stands here more than once.
  static func all(in scene: Scene) -> [InjectedFault] {
    onTheAir(scene) + ofConnect(scene.machine) + ofGATT(scene.machine) + ofBlueZ + ofAdapters
      + (scene.hasSpareAdapter ? ofTheSpareAdapter(scene.machine) : [])
      + (scene.isFramed ? ofAnswers(scene.machine) : [])
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

  private static let tables = usable + [.transparentUART, .notifyOnly, .empty]

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

  // MARK: The faults

  private static func onTheAir(_ scene: Scene) -> [InjectedFault] {
    let machine = scene.machine
    let all = [
      InjectedFault(.vanish(machine: machine)),
      InjectedFault(.appear(machine: machine)),
      InjectedFault(.appear(machine: machine)),
      InjectedFault(.appear(machine: machine)),
      InjectedFault(.drop(machine: machine)),
      InjectedFault(.coalesceDrop(machine: machine)),
      InjectedFault {
        .fault(machine: machine, .drop($0.pick(MockDropMoment.allCases)), $0.times())
      },
      InjectedFault(.link(machine: machine, adapter: nil)),
      InjectedFault(.link(machine: stranger.string, adapter: nil)),
      InjectedFault { .advertiseFlood(perSecond: $0.pick([0, 5, 20])) },
    ]
    guard scene.mayMove else { return all }
    let addresses = [LinkFixture.machine] + newAddresses
    return all + [InjectedFault { .newAddress(machine: machine, $0.pick(addresses)) }]
  }

  private static func ofConnect(_ machine: String) -> [InjectedFault] {
    [
      InjectedFault {
        let after: Duration? = $0.pick([nil, nil, $0.pause(upTo: 40_000)])
        return .fault(
          machine: machine,
          .refuseConnect($0.pick(connectErrors), after: after),
          $0.times()
        )
      },
      InjectedFault(.fault(machine: machine, .connectWithoutReply, .once)),
      InjectedFault { .fault(machine: machine, .connectWithoutLink, $0.times()) },
      InjectedFault { .fault(machine: machine, .flap, $0.times()) },
      InjectedFault { .fault(machine: machine, .omitConnectedSignal, $0.times()) },
      InjectedFault { .fault(machine: machine, .resolveFails, $0.times()) },
      InjectedFault(.fault(machine: machine, .resolveHangs, .once)),
      InjectedFault(.removeObject(machine: machine)),
      InjectedFault { .pair(machine: machine, $0.pick([true, false])) },
    ]
  }

  private static func ofGATT(_ machine: String) -> [InjectedFault] {
    [
      InjectedFault {
        .fault(machine: machine, .hangWrites(lost: $0.pick([true, false])), $0.times())
      },
      InjectedFault { .fault(machine: machine, .failWrites($0.pick(writeErrors)), $0.times()) },
      InjectedFault { .changeTable(machine: machine, $0.pick(tables), silently: false) },
      InjectedFault { .changeTable(machine: machine, $0.pick(usable), silently: false) },
      InjectedFault { .changeTable(machine: machine, $0.pick(tables), silently: true) },
      InjectedFault(.notify(machine: machine, "ready")),
    ]
  }

  private static func ofAnswers(_ machine: String) -> [InjectedFault] {
    [
      InjectedFault {
        .fault(machine: machine, .answers($0.pick(MockAnswers.allCases)), $0.times())
      },
      InjectedFault {
        .fault(machine: machine, .lateAnswers($0.pause(upTo: 4000)), $0.times())
      },
      InjectedFault { .fault(machine: machine, .failNotify($0.pick(writeErrors)), $0.times()) },
      InjectedFault { .fault(machine: machine, .slowNotify($0.pause(upTo: 8000)), $0.times()) },
      InjectedFault {
        let seed = UInt64.random(in: 0...999, using: &$0)
        return .garbage(machine: machine, seed: seed, every: $0.pause(upTo: 500), .times(20))
      },
      // An answer to nothing.
      InjectedFault {
        let answer = MockFrame.answer($0.pick([.refused, .accepted, .completed]), .modbus)
        return .notifyBytes(machine: machine, answer)
      },
    ]
  }

  private static let ofBlueZ: [InjectedFault] = [
    InjectedFault { .hangMethod($0.pick(methods), .once) },
    // Only this can happen during the reading of all objects: no time passes while it takes place.
    InjectedFault {
      .failMethod($0.pick(methods + ["GetManagedObjects"]), $0.pick(connectErrors), .once)
    },
    InjectedFault { .delayMethod($0.pick(methods), $0.pause(upTo: 8000)) },
    InjectedFault(.delayMethod("WriteValue", .zero)),
    InjectedFault {
      // From four times as fast to eight times as slow.
      let (name, usual) = $0.pick(
        MockTimings.fields.map { ($0.key, MockTimings()[keyPath: $0.value]) }
      )
      return .timing(name, max(usual, .milliseconds(100)) * $0.pick(Array(1...32)) / 4)
    },
    InjectedFault(.clearFaults(machine: nil)),
    InjectedFault { .restart(downFor: $0.pause(upTo: 8000)) },
    InjectedFault(.down),
    InjectedFault(.up),
    InjectedFault(.up),
  ]

  private static let ofAdapters: [InjectedFault] = [
    InjectedFault { .power(adapter: $0.pick(adapterNames), $0.pick([.off, .blocked])) },
    InjectedFault { .power(adapter: $0.pick(adapterNames), $0.pick([.on, .unblocked])) },
    InjectedFault { .power(adapter: $0.pick(adapterNames), .unblocked) },
    InjectedFault { .removeAdapter($0.pick(adapterNames), $0.pick(MockUnplugAnswer.allCases)) },
    InjectedFault { .addAdapter(MockAdapter($0.pick(adapterNames))) },
    InjectedFault { .addAdapter(MockAdapter($0.pick(adapterNames))) },
  ]

  private static func ofTheSpareAdapter(_ machine: String) -> [InjectedFault] {
    let name = spareAdapter.name
    return [
      InjectedFault { .power(adapter: name, $0.pick(MockPowerSwitch.allCases)) },
      InjectedFault { .removeAdapter(name, $0.pick(MockUnplugAnswer.allCases)) },
      InjectedFault(.addAdapter(spareAdapter)),
      InjectedFault(.link(machine: machine, adapter: name)),
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
