package import BlueZ
package import CourtLogic

/// What a technician sets about the link.
package struct LinkConfiguration: Hashable, Sendable {
  /// The machine's address. When it is set, it alone decides which device is ours.
  package var address: BluetoothAddress?
  /// The machine's advertised name.
  package var name: String?
  /// UUIDs that are tried before the known profiles.
  package var customProfiles: [MachineProfile] = []
  /// The controller to use, best by its address: `hciN` may change when it is plugged in again.
  package var adapter: AdapterReference?
  /// Whether another controller may serve while the pinned one is missing or can't.
  package var allowsOtherAdapter: Bool
  /// Whether the controller may be switched off and on after many failures, when no other
  /// device is connected through it.
  package var allowsPowerCycle: Bool
  /// Whether the bus may be asked to start bluetoothd: on the system bus only.
  package var startsService: Bool
  /// The machines of earlier good links, at most one real and one simulated. With neither address
  /// nor name configured, the one that counts is the only machine that is ever used.
  package var remembered: [RememberedMachine]
  /// Names by which machines are known, beside ``NamePattern/known``.
  package var names: [NamePattern] = []
  /// The devices of which a person has said that they are ours.
  package var adopted: [AdoptedMachine] = []
  /// The stop commands that earlier programs owe. Each goes to the machine that it names, adopted or
  /// not.
  package var owedStops: [StopDebt] = []
  /// The link that an earlier run of ours has left behind.
  package var leftLink: LeftLink?
  /// How commands are written.
  package var encoding: CommandEncoding
  /// What stops the machine.
  package var stopCommand: MachineCommand
  package var timing: LinkTiming

  package init(
    address: BluetoothAddress? = nil,
    name: String? = nil,
    adapter: AdapterReference? = nil,
    allowsOtherAdapter: Bool = false,
    allowsPowerCycle: Bool = false,
    startsService: Bool = false,
    remembered: [RememberedMachine] = [],
    encoding: CommandEncoding = .digits,
    stopCommand: MachineCommand? = nil
  ) {
    self.address = address
    self.name = name
    self.adapter = adapter
    self.allowsOtherAdapter = allowsOtherAdapter
    self.allowsPowerCycle = allowsPowerCycle
    self.startsService = startsService
    self.remembered = remembered
    self.encoding = encoding
    self.stopCommand = stopCommand ?? encoding.stop
    timing = LinkTiming(encoding.kind)
  }

  /// Sets the machine's address from text such as `F0:F1:F2:F3:F4:F5`.
  ///
  /// - Returns: false, and changes nothing, when the text is no address.
  package mutating func setAddress(_ text: String) -> Bool {
    guard let parsed = BluetoothAddress(text) else { return false }
    address = parsed
    return true
  }

  /// Sets the adapter from text such as `AA:BB:CC:DD:EE:01`, `hci1` or `/org/bluez/hci1`.
  ///
  /// - Returns: false, and changes nothing, when the text is none of these.
  package mutating func setAdapter(_ text: String) -> Bool {
    guard let parsed = AdapterReference(text) else { return false }
    adapter = parsed
    return true
  }

  /// Puts a service and its command characteristic before the known profiles.
  ///
  /// - Parameters:
  ///   - service: may be nil where the characteristic is a handle.
  ///   - characteristic: a UUID, or a handle or path as ``AttributeHandle`` reads it.
  /// - Returns: false, and changes nothing, when one of the texts is neither.
  package mutating func addProfile(service: String?, characteristic: String) -> Bool {
    let uuid = service.flatMap { BluetoothUUID($0) }
    guard service == nil || uuid != nil else { return false }
    if let handle = AttributeHandle(characteristic) {
      customProfiles.append(.configured(handle: handle, service: uuid))
      return true
    }
    guard let service = uuid, let write = BluetoothUUID(characteristic) else { return false }
    customProfiles.append(.configured(service: service, write: write))
    return true
  }

  /// All profiles in the order in which they are tried.
  package var profiles: [MachineProfile] { customProfiles + MachineProfile.known }
}

/// The link's deadlines and intervals.
package struct LinkTiming: Hashable, Sendable {
  /// A pass of scanning before the machine counts as not seen.
  package var scan = Duration.seconds(20)
  /// How long to look for a second machine once one is found: advertising intervals reach 1.28 s.
  package var settle = Duration.seconds(2)
  /// The short scan that shows whether a machine that refuses still advertises.
  package var diagnosis = Duration.seconds(5)
  /// Connect. BlueZ itself gives up on an absent machine after about 41 s.
  package var connect = Duration.seconds(45)
  /// From the link to `ServicesResolved`, and to the GATT objects.
  package var services = Duration.seconds(15)
  /// How much longer the next link may take for that, and the longest of all.
  package var servicesStep = Duration.seconds(10)
  package var servicesLongest = Duration.seconds(45)
  /// How long GATT objects may still appear after `ServicesResolved`.
  package var grace = Duration.seconds(2)
  /// A write; ATT's own limit is 30 s.
  package var write = Duration.seconds(5)
  package var disconnect = Duration.seconds(5)
  package var power = Duration.seconds(15)
  /// How long the signal that a scan has begun may take after BlueZ's answer.
  package var signal = Duration.seconds(2)
  /// Start and stop of discovery, and reading all objects.
  package var discovery = Duration.seconds(10)
  /// Setting a property, starting a service.
  package var call = Duration.seconds(10)
  /// A Connect that failed later than this was a machine out of range, not a refusal.
  ///
  /// Not below 20 s: slow failures are tried again at once, and 16 Connects in 5 minutes is the law.
  package var slowFailure = Duration.seconds(20)
  /// After a link's fall, until the next Connect: an adapter that is being switched off ends its links
  /// first, and is off later (37 to 126 ms later on an emulated processor). A Connect in between fails,
  /// and Linux 6.1.192 does not survive it.
  package var fall = Duration.milliseconds(100)
  /// How long a link must hold before the back-off starts from its first delay.
  package var stable = Duration.seconds(30)
  /// How long after its decision a ball command may still leave.
  package var commandLife = Duration.milliseconds(500)
  /// The least time between two ball commands.
  package var commandSpacing: Duration
  /// An answer that takes no longer leaves the spacing as it is; a write whose answer is later may have
  /// left later. Answers take 10 to 120 ms.
  package var usualAnswer = Duration.milliseconds(250)
  /// How long the machine may take to answer a command.
  package var answer = MachineEncoding.framed.longestAnswer
  /// Between repetitions of an unacknowledged stop command.
  package var stopRepeat = Duration.milliseconds(250)
  /// How long bluetoothd may be absent before the bus is asked to start it.
  package var serviceAbsence = Duration.seconds(5)
  /// How long after another process was seen to have the machine it is tried again.
  package var held = Duration.seconds(5)
  /// On the way out: how long a write in flight or a stop command may take, besides ``answer`` where
  /// the machine answers.
  package var drain = Duration.seconds(1)
  /// On the way out: everything. The law says 6 s.
  package var end = Duration.milliseconds(5900)

  package init(_ encoding: MachineEncoding = .digits) {
    commandSpacing = encoding.leastInterval
  }
}
