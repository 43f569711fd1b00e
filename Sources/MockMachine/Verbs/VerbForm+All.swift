extension VerbForm {
  /// The one table of verbs: the parser and the help text come from it.
  static let all: [VerbForm] = devices + connections + gatt + anything + daemon + session

  private static let devices: [VerbForm] = [
    VerbForm(
      "machine",
      "ADDRESS [name N] [gap-name N] [profile PROFILE] [encoding digits|framed] "
        + "[check-byte modbus|xor] [advertises UUID,…|nothing] [flags F,…] [rssi N] [mtu N] [public] [paired] [trusted] [absent] [adapters hciN,…]",
      "Add a machine, or replace the one with this address. (An empty name means none.)"
    ) { words throws(MockSyntaxError) in .machine(try words.peripheral()) },
    VerbForm("vanish", "MACHINE", "Switch the machine off: no advertisements, its link times out.")
    {
      words throws(MockSyntaxError) in .vanish(machine: try words.machine())
    },
    VerbForm("appear", "MACHINE", "Switch it on again.") { words throws(MockSyntaxError) in
      .appear(machine: try words.machine())
    },
    VerbForm("new-address", "MACHINE ADDRESS", "Drop its link and go on under another address.") {
      words throws(MockSyntaxError) in
      .newAddress(machine: try words.machine(), try words.address())
    },
    VerbForm(
      "add-adapter",
      "hciN ADDRESS [off] [dual-mode]",
      "Plug a controller in (with BR/EDR enabled beside LE)."
    ) { words throws(MockSyntaxError) in
      var adapter = MockAdapter(try words.adapter(), address: try words.address())
      adapter.isPowered = !words.take("off")
      adapter.isDualMode = words.take("dual-mode")
      return .addAdapter(adapter)
    },
    VerbForm(
      "remove-adapter",
      "hciN [success|error|nothing]",
      "Unplug a controller; a pending Connect gets success (the default), an error or nothing."
    ) { words throws(MockSyntaxError) in
      let name = try words.adapter()
      return .removeAdapter(name, words.rest.isEmpty ? .success : try words.choice("an answer"))
    },
    VerbForm(
      "power",
      "hciN on|off|blocked|unblocked",
      "Switch a controller as another program would, or by rfkill."
    ) { words throws(MockSyntaxError) in
      .power(adapter: try words.adapter(), try words.choice("a switch"))
    },
    VerbForm(
      "advertise-flood",
      "N",
      "Another program scans among many phones: N advertisements a second (0 ends it)."
    ) { words throws(MockSyntaxError) in
      .advertiseFlood(perSecond: try words.integer("a rate", in: 0...10_000))
    },
  ]

  private static let connections: [VerbForm] = [
    VerbForm(
      "drop",
      "MACHINE [at connecting|resolving|writing TIMES]",
      "The machine ends its link, now or when a session reaches that stage."
    ) { words throws(MockSyntaxError) in
      let machine = try words.machine()
      guard words.take("at") else { return .drop(machine: machine) }
      return .fault(machine: machine, .drop(try words.choice("a stage")), try words.times())
    },
    VerbForm(
      "coalesce-drop",
      "MACHINE",
      "Drop and back in one signal, {ServicesResolved: false, Connected: true}."
    ) {
      words throws(MockSyntaxError) in .coalesceDrop(machine: try words.machine())
    },
    VerbForm(
      "link",
      "MACHINE [hciN]",
      "A link that is there already, as a crashed client leaves it."
    ) {
      words throws(MockSyntaxError) in
      .link(machine: try words.machine(), adapter: words.rest.isEmpty ? nil : try words.adapter())
    },
    .fault(
      "refuse-connect",
      "ERROR MESSAGE [after S]",
      "Connect fails, e.g. org.bluez.Error.Failed le-connection-abort-by-local."
    ) { words throws(MockSyntaxError) in
      let error = try words.failure()
      return .refuseConnect(error, after: words.take("after") ? try words.seconds() : nil)
    },
    .fault("connect-no-reply", .connectWithoutReply, "Connect is never answered."),
    .fault(
      "connect-success-without-link",
      .connectWithoutLink,
      "Connect succeeds, but nothing is connected."
    ),
    .fault("flap", .flap, "Connected flips true and false, Connect fails (reason 0x3e)."),
    .fault(
      "omit-connected-signal",
      .omitConnectedSignal,
      "Connected becomes true without a signal."
    ),
    .fault("resolve-fails", .resolveFails, "ServicesResolved becomes true without GATT objects."),
    .fault(
      "resolve-hangs",
      .resolveHangs,
      "The machine leaves the discovery of services unanswered."
    ),
    VerbForm("remove-object", "MACHINE", "The device object vanishes, pending calls unanswered.") {
      words throws(MockSyntaxError) in .removeObject(machine: try words.machine())
    },
    VerbForm("pair", "MACHINE on|off", "Whether BlueZ has bonded with it.") {
      words throws(MockSyntaxError) in
      .pair(machine: try words.machine(), try words.choice("a switch") as MockPowerSwitch == .on)
    },
  ]

  private static let gatt: [VerbForm] = [
    .fault(
      "hang-writes",
      "[lost]",
      "Write requests reach the machine (or are lost) and are never answered."
    ) { words throws(MockSyntaxError) in .hangWrites(lost: words.take("lost")) },
    .fault("fail-writes", "ERROR MESSAGE", "WriteValue fails; the machine sees nothing.") {
      words throws(MockSyntaxError) in .failWrites(try words.failure())
    },
    VerbForm("change-table", "MACHINE profile PROFILE", "New firmware, with Service Changed.") {
      words throws(MockSyntaxError) in
      let machine = try words.machine()
      return .changeTable(machine: machine, try words.profile(), silently: false)
    },
    VerbForm(
      "silent-table-change",
      "MACHINE profile PROFILE",
      "New firmware without Service Changed: BlueZ keeps the stale objects until RemoveDevice."
    ) { words throws(MockSyntaxError) in
      let machine = try words.machine()
      return .changeTable(machine: machine, try words.profile(), silently: true)
    },
    VerbForm("notify", "MACHINE TEXT", "The machine sends a notification.") {
      words throws(MockSyntaxError) in
      .notify(machine: try words.machine(), try words.next("a text"))
    },
    VerbForm("notify-bytes", "MACHINE HEX", "The same with these bytes, such as 5aa582013f.") {
      words throws(MockSyntaxError) in
      .notifyBytes(machine: try words.machine(), try words.bytes())
    },
    VerbForm(
      "garbage",
      "MACHINE SEED S TIMES",
      "Every S seconds the machine sends bytes that nothing asked for, the same for the same seed."
    ) { words throws(MockSyntaxError) in
      let machine = try words.machine()
      let seed = UInt64(try words.integer("a seed", in: 0...Int(UInt32.max)))
      let interval = try words.seconds()
      guard interval >= .milliseconds(1) else {
        throw words.error("garbage comes at most every millisecond")
      }
      return .garbage(machine: machine, seed: seed, every: interval, try words.times())
    },
    .fault(
      "fail-notify",
      "ERROR MESSAGE",
      "StartNotify fails: the machine refuses the subscription."
    ) { words throws(MockSyntaxError) in .failNotify(try words.failure()) },
    .fault("slow-notify", "S", "StartNotify takes so much longer.") {
      words throws(MockSyntaxError) in .slowNotify(try words.seconds())
    },
    .fault(
      "answers",
      MockAnswers.allCases.map(\.rawValue).joined(separator: "|"),
      "What a framed machine's answers to a command are: none, refused, accepted but never "
        + "completed, with a wrong check byte or the other one, each twice, or only 3 bytes of each."
    ) { words throws(MockSyntaxError) in .answers(try words.choice("an answer")) },
    .fault("late-answers", "S", "They come so much later.") { words throws(MockSyntaxError) in
      .lateAnswers(try words.seconds())
    },
  ]

  private static let anything: [VerbForm] = [
    VerbForm(
      "fail",
      "METHOD ERROR MESSAGE TIMES",
      "Any method fails: Connect, StartDiscovery, WriteValue, Get, Set, GetManagedObjects, …"
    ) { words throws(MockSyntaxError) in
      .failMethod(try words.method(), try words.failure(), try words.times())
    },
    VerbForm("hang", "METHOD TIMES", "Any method is never answered.") {
      words throws(MockSyntaxError) in .hangMethod(try words.method(), try words.times())
    },
    VerbForm(
      "delay",
      "METHOD S",
      "Any method starts so much later (0: at once again)."
    ) {
      words throws(MockSyntaxError) in .delayMethod(try words.method(), try words.seconds())
    },
    VerbForm(
      "timing",
      "NAME S",
      "Set a delay: " + MockTimings.fields.map(\.key).joined(separator: ", ") + "."
    ) { words throws(MockSyntaxError) in
      let name = try words.next("a timing")
      guard MockTimings.fields.contains(where: { $0.key == name }) else {
        throw words.error("\"\(name)\" is not a timing")
      }
      return .timing(name, try words.seconds())
    },
    VerbForm("clear-faults", "[MACHINE]", "Remove the faults that have not occurred yet.") {
      words throws(MockSyntaxError) in
      .clearFaults(machine: words.rest.isEmpty ? nil : try words.machine())
    },
  ]

  private static let daemon: [VerbForm] = [
    VerbForm("restart", "[down-for S]", "bluetoothd dies and comes back (after 1 s).") {
      words throws(MockSyntaxError) in
      .restart(downFor: words.take("down-for") ? try words.seconds() : .seconds(1))
    },
    VerbForm("down", "", "bluetoothd dies.") { _ throws(MockSyntaxError) in .down },
    VerbForm("up", "", "bluetoothd starts.") { _ throws(MockSyntaxError) in .up },
    VerbForm("mark", "on|off", "Whether it says that it is a mock: without it, the mode is REAL.") {
      words throws(MockSyntaxError) in
      .mark(try words.choice("a switch") as MockPowerSwitch == .on)
    },
  ]

  private static let session: [VerbForm] = [
    VerbForm("wait", "S", "Wait before the next line.") { words throws(MockSyntaxError) in
      .wait(try words.seconds())
    },
    VerbForm("help", "", "List the verbs.") { _ throws(MockSyntaxError) in .help },
    VerbForm("quit", "", "End.") { _ throws(MockSyntaxError) in .quit },
  ]
}

extension VerbForm {
  fileprivate static func fault(_ name: String, _ fault: MockFault, _ meaning: String) -> VerbForm {
    VerbForm(name, "MACHINE TIMES", meaning) { words throws(MockSyntaxError) in
      .fault(machine: try words.machine(), fault, try words.times())
    }
  }

  /// - Parameter read: reads the parameters, which stand between the machine and the times.
  fileprivate static func fault(
    _ name: String,
    _ parameters: String,
    _ meaning: String,
    _ read: @escaping @Sendable (inout Words) throws(MockSyntaxError) -> MockFault
  ) -> VerbForm {
    VerbForm(name, "MACHINE \(parameters) TIMES", meaning) { words throws(MockSyntaxError) in
      let machine = try words.machine()
      return .fault(machine: machine, try read(&words), try words.times())
    }
  }
}

extension Words {
  fileprivate mutating func machine() throws(MockSyntaxError) -> String {
    try next("a machine's address or name")
  }

  fileprivate mutating func method() throws(MockSyntaxError) -> String { try next("a method") }

  fileprivate mutating func profile() throws(MockSyntaxError) -> MockProfile {
    guard take("profile") else { throw error("\"profile\" is missing") }
    return try choice("a profile")
  }

  fileprivate mutating func peripheral() throws(MockSyntaxError) -> MockPeripheral {
    let address = try self.address()
    var profile = MockProfile.ballMachine
    var encoding = MockEncoding.digits
    var checkByte = MockCheckByte.modbus
    var changes: [(inout MockPeripheral) -> Void] = []
    while let option = option() {
      switch option {
      case "name":
        let name = try next("a name")
        changes.append {
          $0.name = name.isEmpty ? nil : name
          $0.gapName = $0.name
        }
      case "gap-name":
        let name = try next("a name")
        changes.append { $0.gapName = name.isEmpty ? nil : name }
      case "profile": profile = try choice("a profile")
      case "encoding": encoding = try choice("an encoding")
      case "check-byte": checkByte = try choice("a check byte")
      case "advertises":
        var uuids: [MockUUID] = []
        if !take("nothing") {
          for word in try list("a list of UUIDs") { uuids.append(try uuid(word)) }
        }
        changes.append { $0.advertisedUUIDs = uuids }
      case "flags":
        let flags = try list("a list of flags")
        changes.append { $0.table.setWritableFlags(flags) }
      case "rssi":
        let rssi = Int16(try integer("a signal strength", in: -127...20))
        changes.append { $0.rssi = rssi }
      case "mtu":
        let mtu = UInt16(try integer("an MTU", in: 23...517))
        changes.append { $0.mtu = mtu }
      case "public": changes.append { $0.addressType = .public }
      case "paired": changes.append { $0.isPaired = true }
      case "trusted": changes.append { $0.isTrusted = true }
      case "absent": changes.append { $0.isAdvertising = false }
      case "adapters":
        let names = try list("a list of adapters")
        for name in names { try check(adapter: name) }
        changes.append { $0.adapters = Set(names) }
      default: throw error("\"\(option)\" is not expected here")
      }
    }
    var peripheral = MockPeripheral(
      address,
      profile: profile,
      encoding: encoding,
      checkByte: checkByte
    )
    for change in changes { change(&peripheral) }
    return peripheral
  }
}
