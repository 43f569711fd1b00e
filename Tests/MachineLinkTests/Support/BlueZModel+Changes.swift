import BlueZ
import DBus

@testable import TestSupport

// What may happen to BlueZ.

extension BlueZModel {
  static let newAddress = "F0:F1:F2:F3:F4:F6"
  static let twinAddress = "F0:F1:F2:00:00:02"
  static let strangerAddress = "11:22:33:44:55:66"
  static let radioAddress = "AA:BB:CC:DD:EE:01"
  static let otherRadioAddress = "AA:BB:CC:DD:EE:99"

  /// The controller that was there first, wherever it is plugged in.
  var radio: Radio? { radios.first { $0.address == Self.radioAddress } }

  /// The machine, and its twin if there is one.
  var machines: [Peer] { peers.filter { $0.address != Self.strangerAddress } }

  /// - Parameter flags: of the machine's command characteristic, should it appear.
  mutating func undergo(_ change: Change, flags: [String]) {
    switch change {
    case .linkFalls:
      updateMachine {
        $0.isConnected = false
        $0.isResolved = false
      }
    case .linkFallsAndReturns, .servicesUnresolved:
      updateMachine { $0.isResolved = false }
    case .linkAppears: updateMachine { $0.isConnected = true }
    case .servicesResolve: updateMachine { if $0.isConnected { $0.isResolved = true } }
    case .tableVanishes: updateMachine { $0.showsTable = false }
    case .tableAppears: updateMachine { $0.showsTable = true }
    case .tableChanges:
      updateMachine {
        $0.table[0].flags =
          $0.table[0].flags == ["write"] ? ["write", "write-without-response"] : ["write"]
      }
    case .machineForgotten: peers.removeAll { $0.address == address }
    case .machineHeard: appear(address, flags: flags)
    case .machineUnheard: updateMachine { $0.rssi = nil }
    case .newAddress:
      // Under the old one it is not heard again.
      for index in peers.indices where peers[index].address == address {
        peers[index].isConnected = false
        peers[index].isResolved = false
        peers[index].rssi = nil
      }
      address = address == Self.machineAddress ? Self.newAddress : Self.machineAddress
      appear(address, flags: flags)
    case .paired: updateMachine { $0.isPaired.toggle() }
    case .twinComes: appear(Self.twinAddress, flags: flags)
    case .twinGoes: peers.removeAll { $0.address == Self.twinAddress }
    case .strangerComes:
      appear(Self.strangerAddress, flags: flags)
    case .strangerGoes: peers.removeAll { $0.address == Self.strangerAddress }
    case .powerOff: setPower(false)
    case .powerOn: setPower(true)
    case .rfkillBlocks:
      setPower(false)
      for index in radios.indices { radios[index].isBlocked = true }
    case .rfkillUnblocks: for index in radios.indices { radios[index].isBlocked = false }
    case .unplugged: removeRadio(Self.radioAddress)
    case .pluggedIn: plugIn(Self.radioAddress, at: "/org/bluez/hci0")
    case .pluggedInElsewhere: plugIn(Self.radioAddress, at: "/org/bluez/hci1")
    case .otherAdapterComes: plugIn(Self.otherRadioAddress, at: "/org/bluez/hci7")
    case .otherAdapterGoes: removeRadio(Self.otherRadioAddress)
    case .bluetoothdDies:
      owner = nil
      clearLinks()
    case .bluetoothdStarts: if owner == nil { startService() }
    case .bluetoothdRestarts:
      clearLinks()
      startService()
    case .stackChanges: isSimulated.toggle()
    case .objectsRead, .busLost: break
    }
  }

  /// One without Low Energy that comes before all others. BlueZ shows it as on.
  mutating func addUselessAdapter() {
    var radio = Radio(path: "/org/bluez/hci", address: "AA:BB:CC:DD:EE:77")
    radio.roles = []
    radios.insert(radio, at: 0)
  }

  /// A new life of bluetoothd, with a new unique name.
  mutating func startService() {
    starts += 1
    owner = ":1.\(starts + 1)"
  }

  mutating func setPower(_ isOn: Bool, of path: ObjectPath? = nil) {
    for index in radios.indices where path == nil || radios[index].path == path {
      radios[index].isPowered = isOn && !radios[index].isBlocked
    }
    for index in peers.indices
    where !radios.contains(where: { $0.path == peers[index].adapter && $0.isPowered }) {
      peers[index].isConnected = false
      peers[index].isResolved = false
      peers[index].rssi = nil
    }
  }

  /// Something advertises, and somebody scans: its objects are there.
  mutating func appear(_ address: String, flags: [String]) {
    for radio in radios where radio.isPowered {
      if let index = peers.firstIndex(where: {
        $0.address == address && $0.adapter == radio.path
      }) {
        if !peers[index].isConnected { peers[index].rssi = -60 }
        continue
      }
      var peer = Peer(address: address, adapter: radio.path)
      peer.table[0].flags = flags
      if address == Self.strangerAddress {
        // All that a ball machine may show but for its name: on a device that is not ours it says nothing.
        peer.name = "Other"
        peer.uuids = [
          "6e400001-b5a3-f393-e0a9-e50e24dcca9e", "12345678-1234-1234-1234-123456789abc",
          "5833ff01-9b8b-5191-6142-22a4536ef123",
        ]
        // By turns another program is connected to it.
        peer.isConnected = peers.count % 2 == 1
        peer.isResolved = peer.isConnected
      }
      peers.append(peer)
    }
  }

  private mutating func updateMachine(_ body: (inout Peer) -> Void) {
    for index in peers.indices where peers[index].address != Self.strangerAddress {
      body(&peers[index])
    }
  }

  private mutating func removeRadio(_ address: String) {
    guard let radio = radios.first(where: { $0.address == address }) else { return }
    radios.removeAll { $0.address == address }
    peers.removeAll { $0.adapter == radio.path }
  }

  private mutating func plugIn(_ address: String, at path: ObjectPath) {
    guard !radios.contains(where: { $0.address == address || $0.path == path }) else { return }
    radios.append(Radio(path: path, address: address))
  }
}
