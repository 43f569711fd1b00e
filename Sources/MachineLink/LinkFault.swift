package import BlueZ
package import Host

/// Why the link is not ready: the cause, in the field's words, and what to do about it.
package enum LinkFault: Error, Hashable, Sendable {
  case busUnreachable(BlueZError)
  case serviceAbsent
  /// bluetoothd ended in a scan of ours. It may be there again.
  case serviceEnded(ServiceEnd)
  case serviceSilent(BlueZError)
  /// The bus passes calls to bluetoothd, but none of its signals.
  case signalsMissing
  case adapterMissing(pinned: AdapterReference?)
  /// The adapter that this link has used, and stays with, is there no more; none is configured.
  case adapterGone(AdapterReference)
  /// The kernel has one that would do, but BlueZ does not show it.
  case adapterNotTakenUp(name: String, BluetoothAddress?)
  case adapterOff
  /// rfkill keeps the adapter off, or from showing at all.
  case adapterBlocked(RadioSwitch.Block)
  case adapterWontPowerOn(BlueZError)
  /// The only one that may be used can't serve.
  case adapterUnfit(name: String, AdapterDefect)
  case scanFailed(BlueZError)
  case machineNotSeen
  /// BlueZ refused to begin a scan, and another program's, which is on, doesn't show the machine.
  case notInOthersScan(BlueZError)
  /// BlueZ knows these from earlier, but the scan has not heard them.
  case machineListedOnly([Device])
  /// The names of these devices look like the one that is configured, and are not.
  case nearlyNamed([Device], wanted: String)
  /// The remembered machine's address is there, but its type is another one: that makes it another address.
  case addressTypeChanged(BluetoothAddress, from: Device.AddressType, to: Device.AddressType)
  /// Nothing says which machine is meant, and of the devices in range none says that it is one.
  case noneSaysMachine(heard: Int)
  /// Nothing says that one of these is our machine, but each may be a ball machine. They are not used.
  case onlyPerhaps([Device])
  /// The machine that was configured is not in range, but these others are. They are not used.
  case otherMachinesSeen([Device], wanted: String)
  case ambiguousMachines([Device])
  /// The machine of earlier links is not in range, but these others are. They are not used.
  case onlyOtherMachines([Device], remembered: BluetoothAddress)
  case machineGone
  /// BlueZ has forgotten the machine as soon as the scan stopped.
  case machineDropped
  case connectFailed(BlueZError)
  /// A person has told BlueZ to take no connection with it.
  case machineBlocked(BluetoothAddress)
  case connectTimedOut
  /// Connect replied success, but there is no link.
  case connectedWithoutLink
  case servicesNotResolved
  case noUsableCharacteristic([LocatedCharacteristic])
  case ambiguousCharacteristics([LocatedCharacteristic])
  /// The device has nothing to write to but the update service of its Bluetooth chip.
  case needsAdoption(Device, LocatedCharacteristic)
  /// The machine has no attribute where BlueZ's copy of its GATT table has one.
  case staleTable
  /// The link was lost, and why, if BlueZ says so.
  case linkLost(LinkEnd?)
  /// The mock is there instead of a real Bluetooth stack, or the reverse.
  case otherStack(isSimulated: Bool)
  case writeUnanswered
  case discoveryStuck
  /// Another process of this box writes to the machine.
  case machineHeld(by: MachineHolder)

  /// What is the matter, for people.
  package var reason: String { rawReason.printable }

  private var rawReason: String {
    switch self {
    case .busUnreachable(let error) where error.kind == .timedOut: "the bus does not answer"
    case .busUnreachable(let error): Self.clause(error.message)
    case .serviceAbsent: "bluetoothd is not running"
    case .serviceEnded(let end): end.reason
    case .serviceSilent(let error) where error.kind == .timedOut: "bluetoothd does not answer"
    case .serviceSilent(let error) where error.kind == .notPermitted:
      "this user may not use bluetoothd (\(error))"
    case .serviceSilent(let error): "bluetoothd does not list its objects (\(error))"
    case .signalsMissing: "bluetoothd answers, but no signals arrive from it"
    case .adapterMissing(nil): "there is no Bluetooth adapter"
    case .adapterMissing(let reference?), .adapterGone(let reference):
      "the Bluetooth adapter \(reference) is missing"
    case .adapterNotTakenUp(let name, let address):
      "the kernel has the Bluetooth adapter \(name)\(address.map { " \($0)" } ?? ""),"
        + " but bluetoothd does not show it"
    case .adapterOff: "the Bluetooth adapter was switched off"
    case .adapterBlocked(.soft): "Bluetooth is blocked by rfkill"
    case .adapterBlocked(.hard): "Bluetooth is blocked by a switch or key on the box"
    case .adapterWontPowerOn(let error): "the Bluetooth adapter can't be switched on (\(error))"
    case .adapterUnfit(let name, let defect):
      "the Bluetooth adapter \(name) can't serve: \(defect.reason)"
    case .scanFailed(let error): "scanning failed (\(error))"
    case .machineNotSeen: "the machine is not seen"
    case .notInOthersScan(let error):
      "the machine is not seen in another program's scan, and BlueZ does not begin one of ours"
        + " (\(error))"
    case .machineListedOnly(let devices):
      "the machine is not heard: BlueZ lists \(Self.list(devices)) from earlier"
    case .nearlyNamed(let devices, let wanted):
      "no machine has the name \(NearName.spelled(wanted)), but one looks like it: "
        + devices.map { "\($0.address) \(NearName.spelled($0.name ?? ""))" }.joined(separator: ", ")
    case .addressTypeChanged(let address, let from, let to):
      "the remembered machine \(address) had a \(from.rawValue) address, and what is in range has the"
        + " same digits as a \(to.rawValue) one: it may be another device, or the machine's firmware"
        + " has changed"
    case .noneSaysMachine(let heard):
      "the machine is not seen: \(heard == 1 ? "1 device is" : "\(heard) devices are") in range,"
        + " and none says that it is a ball machine"
    case .onlyPerhaps(let devices):
      "no machine is known to be in range; perhaps it is "
        + (devices.count == 1 ? "" : "one of ") + Self.list(devices)
    case .otherMachinesSeen(let devices, let wanted):
      "the machine \(wanted) is not seen, but \(devices.count == 1 ? "another one is" : "others are"):"
        + " \(Self.list(devices))"
    case .ambiguousMachines(let devices):
      "\(devices.count) machines are in range: \(Self.list(devices))"
    case .onlyOtherMachines(let devices, let remembered):
      "the remembered machine \(remembered) is not in range, but another one is:"
        + " \(Self.list(devices))"
    case .machineGone: "the machine is not known to BlueZ any more"
    case .machineDropped:
      "BlueZ forgets the machine as soon as the scan stops, as it does with what takes no connection"
    case .connectFailed(let error):
      "connecting failed (\(error))" + (error.connectCause.map { ": \($0.reason)" } ?? "")
    case .machineBlocked(let address): "BlueZ has orders to block the machine \(address)"
    case .connectTimedOut: "connecting took too long"
    case .connectedWithoutLink: "BlueZ reported a connection that does not exist"
    case .servicesNotResolved: "the machine's services were not resolved in time"
    case .noUsableCharacteristic(let found):
      found.isEmpty
        ? "the machine shows no GATT characteristics"
        : "the machine has no usable command characteristic; it has " + Self.list(found)
    case .ambiguousCharacteristics(let found):
      "several characteristics could take commands: " + Self.list(found)
    case .needsAdoption(let device, let found):
      "\(Self.list([device])) takes commands only through its Bluetooth chip's update service ("
        + Self.list([found]) + "), which other gadgets have, too"
    case .staleTable: "BlueZ's copy of the machine's GATT table is out of date"
    case .linkLost(let end): "the link was lost" + (end.map { ": \($0.reason)" } ?? "")
    case .otherStack(true): "the Bluetooth stack has changed from a real one to the mock"
    case .otherStack(false): "the Bluetooth stack has changed from the mock to a real one"
    case .writeUnanswered: "a write was not answered in time"
    case .discoveryStuck: "BlueZ did not answer while scanning was being stopped"
    case .machineHeld(let holder): "\(holder) controls the machine"
    }
  }

  /// What a technician can do; nil when waiting is all. Where that is a setting, a program can name
  /// it better, by its own flag.
  package var remedy: String? {
    switch self {
    case .busUnreachable: "check that the D-Bus daemon runs and that its address is right"
    case .serviceAbsent: "run `systemctl start bluetooth`"
    case .serviceEnded(let end): end.remedy
    case .serviceSilent(let error) where error.kind == .notPermitted: Self.membership
    case .serviceSilent: "run `systemctl restart bluetooth`"
    case .signalsMissing:
      "let this user receive signals from org.bluez: look for `receive_sender` and `receive_type` in"
        + " /etc/dbus-1, correct that policy, then run `systemctl reload dbus`"
    case .adapterMissing(nil): "plug the adapter in, or check it with `lsusb` and `rfkill`"
    case .adapterMissing: "plug it in again"
    case .adapterGone: "plug it in again, or restart the bridge to use another one"
    case .adapterNotTakenUp: "run `systemctl restart bluetooth`; `dmesg` may show why"
    case .adapterOff: "run `bluetoothctl power on`"
    case .adapterBlocked(.soft): "run `rfkill unblock bluetooth`"
    case .adapterBlocked(.hard): "turn Bluetooth on by that switch or key, or in the BIOS"
    case .adapterWontPowerOn(let error):
      switch error.kind {
      case .busy: nil
      case .notPermitted: Self.membership
      default:
        "unplug the adapter and plug it in again, or run `systemctl restart bluetooth`;"
          + " `dmesg` may show why"
      }
    case .adapterUnfit: "use another adapter, with Bluetooth 4.0 or newer"
    case .notInOthersScan: Self.endOthersScan
    case .machineListedOnly: Self.presence
    case .nearlyNamed(let devices, _):
      "choose it by its address \(devices.first.map { "\($0.address)" } ?? ""), or by its exact name"
    case .addressTypeChanged(let address, _, _):
      "if it is the same machine, choose it by its address \(address)"
    case .machineNotSeen: "check that the machine is on, near, and not connected to a phone"
    case .noneSaysMachine:
      "check that the machine is on, near, and not connected to a phone; one that advertises its"
        + " name alone must be configured by name or address"
    case .onlyPerhaps, .needsAdoption: "if it is your ball machine, adopt it"
    case .otherMachinesSeen:
      "check the name or the address, and that the machine is on, near, and not connected to a phone"
    case .ambiguousMachines: "choose one by its address"
    case .onlyOtherMachines: "to use another machine, choose it by its address"
    case .machineDropped:
      "end the machine's connection to a phone or another box, or switch the machine off and on"
    case .connectFailed(let error): error.connectCause?.remedy ?? Self.presence
    case .machineBlocked(let address): "run `bluetoothctl unblock \(address)`"
    case .connectTimedOut, .machineGone, .connectedWithoutLink: Self.presence
    case .ambiguousCharacteristics(let found) where Self.haveEqualUUIDs(found):
      "name one by its handle"
    case .noUsableCharacteristic, .ambiguousCharacteristics:
      "name the right UUIDs of service and characteristic"
    case .staleTable: "if this persists, unpair the machine with `bluetoothctl remove ADDRESS`"
    case .machineHeld(let holder): holder.remedy
    case .scanFailed, .discoveryStuck: "if it goes on, run `systemctl restart bluetooth`"
    case .servicesNotResolved, .linkLost, .otherStack, .writeUnanswered: nil
    }
  }

  static let presence = "check that the machine is on and near, and not connected to a phone"
  static let endOthersScan = "end that scan, in `bluetoothctl` or a desktop's Bluetooth settings"

  /// Source: Debian's /etc/dbus-1/system.d/bluetooth.conf.
  private static let membership =
    "run it as root, or as a user of the group bluetooth (`adduser USER bluetooth`, then log in again)"

  /// Whether it is over once bus, bluetoothd and adapter are there.
  var isAboutEnvironment: Bool {
    switch self {
    case .busUnreachable, .serviceAbsent, .serviceSilent, .adapterMissing, .adapterGone,
      .adapterNotTakenUp, .adapterOff, .adapterBlocked, .adapterWontPowerOn:
      true
    default: false
    }
  }

  /// Whether the machine may just not be there.
  package var isAboutAbsence: Bool {
    switch self {
    case .machineNotSeen, .noneSaysMachine, .onlyPerhaps, .machineListedOnly, .machineGone,
      .connectFailed,
      .connectTimedOut, .connectedWithoutLink:
      true
    default: false
    }
  }

  /// Whether the bus or BlueZ does not let this user do what is needed.
  package var isRefusal: Bool {
    switch self {
    case .busUnreachable(let error), .serviceSilent(let error), .adapterWontPowerOn(let error),
      .scanFailed(let error), .connectFailed(let error):
      error.kind == .notPermitted
    default: false
    }
  }

  /// The process that has the machine instead.
  package var holder: MachineHolder? {
    if case .machineHeld(let holder) = self { holder } else { nil }
  }

  /// The devices that a person may adopt.
  package var adoptable: [Device] {
    switch self {
    case .onlyPerhaps(let devices): devices
    case .needsAdoption(let device, _): [device]
    default: []
    }
  }

  /// The address of the only one that may be adopted; nil if there are several, or none.
  package var onlyAdoptable: String? {
    adoptable.count == 1 ? "\(adoptable[0].address)" : nil
  }

  /// The most devices that are listed in a crowd.
  private static let mostListed = 4

  private static func list(_ devices: [Device]) -> String {
    let rest = devices.count - mostListed
    return devices.prefix(mostListed).map(\.title).joined(separator: ", ")
      + (rest > 0 ? " and \(rest) more" : "")
  }

  private static func list(_ found: [LocatedCharacteristic]) -> String {
    found.map { located in
      let flags = located.characteristic.flags.names.joined(separator: ",")
      let handle =
        haveEqualUUIDs(found) ? located.characteristic.handle.map { " at \($0)" } ?? "" : ""
      return "\(name(located.characteristic.uuid))\(handle) [\(flags)] in \(name(located.service))"
    }.joined(separator: ", ")
  }

  /// What a technician could choose of what was found: by this word, and its name as ``NearName/spelled(_:)``.
  package var example: (choice: String, name: String)? {
    switch self {
    case .nearlyNamed(let devices, _):
      devices.first.map { ("\($0.address)", NearName.spelled($0.name ?? "")) }
    case .ambiguousCharacteristics(let found):
      found.first?.characteristic.handle.map { ("\($0)", "") }
    default: nil
    }
  }

  /// Whether UUIDs don't tell them apart.
  package static func haveEqualUUIDs(_ found: [LocatedCharacteristic]) -> Bool {
    Set(found.map { [$0.service, $0.characteristic.uuid] }).count < found.count
  }

  /// The UUID in the short form where there is one: what is in the list but of no use mostly has.
  private static func name(_ uuid: BluetoothUUID) -> String {
    guard let short = uuid.short else { return uuid.description }
    return rightAligned(String(short, radix: 16), to: 4, with: "0")
  }

  /// A sentence as a part of another one.
  private static func clause(_ sentence: String) -> String {
    let text = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
