package import BlueZ
import Host

/// Why the link is not ready: the cause, in the field's words, and what to do about it.
package enum LinkFault: Error, Hashable, Sendable {
  case busUnreachable(BlueZError)
  case serviceAbsent
  case serviceSilent(BlueZError)
  case adapterMissing(pinned: BluetoothAddress?)
  /// The one that this link has used, and stays with, is there no more; none is configured.
  case adapterGone(BluetoothAddress)
  /// The kernel has one that would do, but BlueZ does not show it.
  case adapterNotTakenUp(name: String, BluetoothAddress?)
  case adapterOff
  /// rfkill keeps the adapter off, or from showing at all.
  case adapterBlocked(RadioSwitch.Block)
  case adapterWontPowerOn(BlueZError)
  case scanFailed(BlueZError)
  case machineNotSeen
  /// Nothing says which machine is meant, and of the devices in range none says that it is one.
  case noneSaysMachine(heard: Int)
  /// The machine that was configured is not in range, but these others are. They are not used.
  case otherMachinesSeen([Device], wanted: String)
  case ambiguousMachines([Device])
  /// The machine of earlier links is not in range, but these others are. They are not used.
  case onlyOtherMachines([Device], remembered: BluetoothAddress)
  case machineGone
  case connectFailed(BlueZError)
  case connectTimedOut
  /// Connect replied success, but there is no link.
  case connectedWithoutLink
  case servicesNotResolved
  case noUsableCharacteristic([LocatedCharacteristic])
  case ambiguousCharacteristics([LocatedCharacteristic])
  /// The machine has no attribute where BlueZ's copy of its GATT table has one.
  case staleTable
  case linkLost
  case writeUnanswered
  case discoveryStuck

  /// What is the matter.
  package var reason: String {
    switch self {
    case .busUnreachable(let error) where error.kind == .timedOut: "the bus does not answer"
    case .busUnreachable(let error): Self.clause(error.message)
    case .serviceAbsent: "bluetoothd is not running"
    case .serviceSilent(let error) where error.kind == .timedOut: "bluetoothd does not answer"
    case .serviceSilent(let error) where error.kind == .notPermitted:
      "this user may not use bluetoothd (\(error))"
    case .serviceSilent(let error): "bluetoothd does not list its objects (\(error))"
    case .adapterMissing(nil): "there is no Bluetooth adapter"
    case .adapterMissing(let address?), .adapterGone(let address):
      "the Bluetooth adapter \(address) is missing"
    case .adapterNotTakenUp(let name, let address):
      "the kernel has the Bluetooth adapter \(name)\(address.map { " \($0)" } ?? ""),"
        + " but bluetoothd does not show it"
    case .adapterOff: "the Bluetooth adapter was switched off"
    case .adapterBlocked(.soft): "Bluetooth is blocked by rfkill"
    case .adapterBlocked(.hard): "Bluetooth is blocked by a switch or key on the box"
    case .adapterWontPowerOn(let error): "the Bluetooth adapter can't be switched on (\(error))"
    case .scanFailed(let error): "scanning failed (\(error))"
    case .machineNotSeen: "the machine is not seen"
    case .noneSaysMachine(let heard):
      "the machine is not seen: \(heard == 1 ? "1 device is" : "\(heard) devices are") in range,"
        + " and none says that it is a ball machine"
    case .otherMachinesSeen(let devices, let wanted):
      "the machine \(wanted) is not seen, but \(devices.count == 1 ? "another one is" : "others are"):"
        + " \(Self.list(devices))"
    case .ambiguousMachines(let devices):
      "\(devices.count) machines are in range: \(Self.list(devices))"
    case .onlyOtherMachines(let devices, let remembered):
      "the remembered machine \(remembered) is not in range, but another one is:"
        + " \(Self.list(devices))"
    case .machineGone: "the machine is not known to BlueZ any more"
    case .connectFailed(let error): "connecting failed (\(error))"
    case .connectTimedOut: "connecting took too long"
    case .connectedWithoutLink: "BlueZ reported a connection that does not exist"
    case .servicesNotResolved: "the machine's services were not resolved in time"
    case .noUsableCharacteristic(let found):
      found.isEmpty
        ? "the machine shows no GATT characteristics"
        : "the machine has no usable command characteristic; it has " + Self.list(found)
    case .ambiguousCharacteristics(let found):
      "several characteristics could take commands: " + Self.list(found)
    case .staleTable: "BlueZ's copy of the machine's GATT table is out of date"
    case .linkLost: "the link was lost"
    case .writeUnanswered: "a write was not answered in time"
    case .discoveryStuck: "BlueZ did not answer while scanning was being stopped"
    }
  }

  /// What a technician can do; nil when waiting is all. Where that is a setting, a program can name
  /// it better, by its own flag.
  package var remedy: String? {
    switch self {
    case .busUnreachable: "check that the D-Bus daemon runs and that its address is right"
    case .serviceAbsent: "run `systemctl start bluetooth`"
    case .serviceSilent(let error) where error.kind == .notPermitted: Self.membership
    case .serviceSilent: "run `systemctl restart bluetooth`"
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
    case .machineNotSeen: "check that the machine is on, near, and not connected to a phone"
    case .noneSaysMachine:
      "check that the machine is on, near, and not connected to a phone; one that advertises its"
        + " name alone must be configured by name or address"
    case .otherMachinesSeen:
      "check the name or the address, and that the machine is on, near, and not connected to a phone"
    case .ambiguousMachines: "choose one by its address"
    case .onlyOtherMachines: "to use another machine, choose it by its address"
    case .connectFailed, .connectTimedOut, .machineGone, .connectedWithoutLink:
      "check that the machine is on and near, and not connected to a phone"
    case .noUsableCharacteristic, .ambiguousCharacteristics:
      "name the right UUIDs of service and characteristic"
    case .staleTable: "if this persists, unpair the machine with `bluetoothctl remove ADDRESS`"
    case .scanFailed, .servicesNotResolved, .linkLost, .writeUnanswered, .discoveryStuck: nil
    }
  }

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
    case .machineNotSeen, .noneSaysMachine, .machineGone, .connectFailed, .connectTimedOut,
      .connectedWithoutLink:
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

  private static func list(_ devices: [Device]) -> String {
    devices.map { "\($0.address) \($0.name ?? "without a name")" }.joined(separator: ", ")
  }

  private static func list(_ found: [LocatedCharacteristic]) -> String {
    found.map { located in
      let flags = located.characteristic.flags.names.joined(separator: ",")
      return "\(name(located.characteristic.uuid)) [\(flags)] in \(name(located.service))"
    }.joined(separator: ", ")
  }

  /// In the short form where there is one: what is in the list but of no use mostly has.
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
