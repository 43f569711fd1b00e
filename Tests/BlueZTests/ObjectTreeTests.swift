import BlueZ
import DBus
import Testing

@Suite struct ObjectTreeTests {
  private let adapter = ObjectPath(known: "/org/bluez/hci0")
  private let device = ObjectPath(known: "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5")
  private let service = ObjectPath(known: "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5/service000a")
  private let characteristic = ObjectPath(
    known: "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5/service000a/char000b"
  )

  private func interfaces(_ interfaces: [String: [String: Value]]) -> Value {
    .dictionary(
      key: .string,
      value: .dictionary(key: .string, value: .variant),
      Dictionary(
        uniqueKeysWithValues: interfaces.map { (.string($0.key), .properties($0.value)) }
      )
    )
  }

  private func deviceProperties(_ changes: [String: Value] = [:]) -> [String: Value] {
    [
      "Address": .string("F0:F1:F2:F3:F4:F5"), "AddressType": .string("random"),
      "Adapter": .objectPath(adapter), "Name": .string("BallMachine"), "RSSI": .int16(-60),
      "UUIDs": .strings(["ffe0", "not a UUID"]), "Connected": .boolean(true),
      "ServicesResolved": .boolean(true), "Trusted": .boolean(false), "Paired": .boolean(false),
    ].merging(changes) { $1 }
  }

  private func snapshot(_ changes: [String: Value] = [:]) -> Value {
    .dictionary(
      key: .objectPath,
      value: .dictionary(key: .string, value: .dictionary(key: .string, value: .variant)),
      [
        .objectPath(adapter): interfaces([
          Interface.adapter: [
            "Address": .string("AA:BB:CC:DD:EE:01"), "Powered": .boolean(true),
          ]
        ]),
        .objectPath(device): interfaces([Interface.device: deviceProperties(changes)]),
        .objectPath(service): interfaces([
          Interface.service: ["UUID": .string("ffe0"), "Device": .objectPath(device)]
        ]),
        .objectPath(characteristic): interfaces([
          Interface.characteristic: [
            "UUID": .string("ffe1"), "Service": .objectPath(service),
            "Flags": .strings(["write", "authorize"]),
          ]
        ]),
      ]
    )
  }

  private func tree() -> ObjectTree {
    var tree = ObjectTree()
    tree.replace(with: snapshot())
    return tree
  }

  private func signal(
    _ path: ObjectPath,
    _ interface: String,
    _ member: String,
    _ arguments: [Value]
  ) -> Signal {
    Signal(
      sender: ":1.5",
      path: path,
      interface: interface,
      member: member,
      arguments: arguments,
      sequence: 1
    )
  }

  private func changed(_ properties: [String: Value], invalidated: [String] = []) -> Signal {
    changed(device, Interface.device, properties, invalidated: invalidated)
  }

  private func changed(
    _ path: ObjectPath,
    _ interface: String,
    _ properties: [String: Value],
    invalidated: [String] = []
  ) -> Signal {
    signal(
      path,
      Interface.properties,
      "PropertiesChanged",
      [.string(interface), .properties(properties), .strings(invalidated)]
    )
  }

  /// Applies a signal and tells whether anything changed.
  private func apply(_ signal: Signal, to tree: inout ObjectTree) -> Bool {
    tree.apply(signal)
  }

  @Test func aSnapshotBecomesValues() throws {
    let tree = tree()
    #expect(tree.adapters[adapter]?.isPowered == true)
    let device = try #require(tree.devices[device])
    #expect(device.name == "BallMachine")
    #expect(device.addressType == .random)
    #expect(device.rssi == -60)
    #expect(device.uuids == [BluetoothUUID("ffe0")!], "what is no UUID is left out")
    #expect(device.isConnected && device.areServicesResolved)
    #expect(tree.table(of: device.path).map(\.characteristic.flags) == [[.write]])
    #expect(tree.table(of: device.path).map(\.service) == [BluetoothUUID("ffe0")])
    #expect(!tree.isSimulated)
  }

  @Test func theMocksMarkerIsSeen() {
    var tree = ObjectTree()
    let added = signal(
      .root,
      Interface.objectManager,
      "InterfacesAdded",
      [
        .objectPath(ObjectPath(known: "/org/bluez")),
        interfaces([Interface.simulation: ["Simulated": .boolean(true)]]),
      ]
    )
    #expect(apply(added, to: &tree))
    #expect(tree.isSimulated)
    let path = Value.objectPath(ObjectPath(known: "/org/bluez"))
    let removed = signal(
      .root,
      Interface.objectManager,
      "InterfacesRemoved",
      [path, .strings([Interface.simulation])]
    )
    #expect(apply(removed, to: &tree))
    #expect(!tree.isSimulated)
  }

  @Test func propertiesChangeAndVanish() {
    var tree = tree()
    #expect(apply(changed(["Name": .string("Other"), "RSSI": .int16(-40)]), to: &tree))
    #expect(tree.devices[device]?.name == "Other")
    #expect(tree.devices[device]?.rssi == -40)
    #expect(apply(changed([:], invalidated: ["RSSI"]), to: &tree))
    #expect(tree.devices[device]?.rssi == nil)
    #expect(!apply(changed([:], invalidated: ["RSSI"]), to: &tree), "nothing changes twice")
  }

  @Test(arguments: [
    ["Connected": false], ["ServicesResolved": false],
    // A loss and a return in one signal.
    ["ServicesResolved": false, "Connected": true],
  ])
  func theEndOfALinkChangesItsEpoch(properties: [String: Bool]) {
    var tree = tree()
    let epoch = tree.devices[device]?.linkEpoch
    #expect(apply(changed(properties.mapValues { .boolean($0) }), to: &tree))
    #expect(tree.devices[device]?.linkEpoch != epoch)
  }

  @Test func theBeginningOfALinkDoesNot() {
    var tree = ObjectTree()
    tree.replace(
      with: snapshot(["Connected": .boolean(false), "ServicesResolved": .boolean(false)])
    )
    let epoch = tree.devices[device]?.linkEpoch
    _ = tree.apply(changed(["Connected": .boolean(true)]))
    _ = tree.apply(changed(["ServicesResolved": .boolean(true), "Name": .string("x")]))
    #expect(tree.devices[device]?.linkEpoch == epoch)
  }

  @Test func aNewSnapshotKeepsTheEpochOfALivingLinkOnly() {
    var tree = tree()
    let epoch = tree.devices[device]?.linkEpoch
    tree.replace(with: snapshot())
    #expect(tree.devices[device]?.linkEpoch == epoch)
    tree.replace(with: snapshot(["ServicesResolved": .boolean(false)]))
    #expect(tree.devices[device]?.linkEpoch != epoch)
  }

  @Test func anObjectThatComesBackIsAnotherOne() {
    var tree = tree()
    let epoch = tree.devices[device]?.linkEpoch
    let removed = signal(
      .root,
      Interface.objectManager,
      "InterfacesRemoved",
      [.objectPath(device), .strings([Interface.device, "org.freedesktop.DBus.Properties"])]
    )
    #expect(apply(removed, to: &tree))
    #expect(tree.devices[device] == nil)
    #expect(!apply(removed, to: &tree))
    let added = signal(
      .root,
      Interface.objectManager,
      "InterfacesAdded",
      [.objectPath(device), interfaces([Interface.device: deviceProperties()])]
    )
    #expect(apply(added, to: &tree))
    #expect(tree.devices[device]?.linkEpoch != epoch)
  }

  @Test func whatIsNotUnderstoodChangesNothing() {
    var tree = tree()
    let before = tree
    for odd in [
      changed(["Connected": .string("yes"), "RSSI": .int32(3), "Unheard": .byte(1)]),
      signal(device, Interface.properties, "PropertiesChanged", [.string(Interface.device)]),
      signal(device, Interface.properties, "PropertiesChanged", []),
      signal(.root, Interface.objectManager, "InterfacesAdded", [.string("x")]),
      signal(.root, Interface.objectManager, "InterfacesRemoved", [.objectPath(device)]),
      signal(
        adapter,
        Interface.properties,
        "PropertiesChanged",
        [.string(Interface.device), .properties(["Connected": .boolean(false)]), .strings([])]
      ),
      signal(device, "org.example.Odd", "PropertiesChanged", []),
    ] {
      #expect(!apply(odd, to: &tree))
    }
    #expect(tree == before)
    tree.replace(with: .string("nonsense"))
    #expect(tree.devices.isEmpty)
  }

  @Test func aDeviceWithoutAnAddressIsNoDevice() {
    var tree = ObjectTree()
    tree.replace(with: snapshot(["Address": .string("nowhere")]))
    #expect(tree.devices.isEmpty)
  }

  @Test(arguments: [
    ("usb:v1D6Bp0246d0542", "5.66"), ("usb:v1D6Bp0246d0552", "5.82"), ("usb:v1D6Bp0246d", nil),
    ("usb:v1D6Bp0246d+542", nil), ("usb:v1D6Bp0247d0542", nil), ("bluetooth:v1D6Bp0246d0542", nil),
    ("", nil),
  ])
  func anAdapterTellsTheVersionOfBluetoothd(_ modalias: String, _ version: String?) throws {
    var tree = tree()
    let change = changed(adapter, Interface.adapter, ["Modalias": .string(modalias)])
    #expect(apply(change, to: &tree) == (version != nil))
    #expect(tree.adapters[adapter]?.daemonVersion == version)
  }

  @Test func anAdaptersRolesAndScanAreKept() throws {
    var tree = tree()
    #expect(tree.adapters[adapter]?.roles == nil)
    let change: [String: Value] = [
      "Roles": .strings(["central", "peripheral"]), "Discovering": .boolean(true),
    ]
    #expect(apply(changed(adapter, Interface.adapter, change), to: &tree))
    let shown = try #require(tree.adapters[adapter])
    #expect(shown.roles == ["central", "peripheral"] && shown.isDiscovering)
    #expect(shown.name == "hci0" && shown.index == 0)
  }
}
