import Clocks
import CourtLogic
import DBus
import Foundation
import MockMachine
import TestSupport

/// A client of BlueZ's that is not the link, and the record of what BlueZ says to it and to all.
actor Witness {
  /// A call that was made, or what BlueZ said.
  struct Entry: Sendable {
    /// Seconds since the record began.
    var time: Double
    var text: String
  }

  let setup: any Setup
  private let connection: Connection
  /// For what nobody is to witness.
  private let scout: Connection
  private let monitor: BusMonitor
  private var following: Task<Void, Never>?
  private var start: Double
  private(set) var record: [Entry] = []
  /// The witness's calls that are not answered yet.
  private var calls: [Int: String] = [:]
  /// The adapters that bluetoothd has.
  private var adapters: Set<String> = []
  private let news = Journal<String>()

  static func call(to setup: any Setup) async throws -> Witness {
    let witness = try await Witness(setup)
    await witness.follow()
    return witness
  }

  private init(_ setup: any Setup) async throws {
    self.setup = setup
    connection = try await Connection.open(setup.bus)
    scout = try await Connection.open(setup.bus)
    monitor = try await BusMonitor.start(setup.bus, client: connection.uniqueName)
    start = setup.clock.now.seconds
  }

  private func follow() {
    following = Task { for await message in monitor.messages { await self.hear(message) } }
  }

  func leave() async {
    await connection.close()
    await scout.close()
    await monitor.stop()
    await following?.value
  }

  // MARK: Doing

  static let machine: MockAddress = "F0:F1:F2:F3:F4:F5"
  private static let adapter = "/org/bluez/hci0"
  private static let device = "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5"

  /// Forgets what was recorded so far.
  func begin() async throws {
    try await catchUp()
    record = []
    start = setup.clock.now.seconds
  }

  /// Performs a verb of the mock machine.
  func perform(_ verb: MockVerb, as text: String? = nil) async throws {
    try await catchUp()
    add("* \(text ?? verb.name)")
    try await setup.perform(verb)
  }

  func pause(_ duration: Duration) async throws { try await setup.clock.sleep(for: duration) }

  /// Returns when all that was said on the bus until now is in the record.
  private func catchUp() async throws {
    let id = MethodCall(
      destination: Self.bus,
      path: .root,
      interface: Self.bus,
      member: Self.mark
    )
    _ = try await connection.call(id, within: Setups.patience)
    try await news.next(Self.mark) { $0 == Self.mark }
  }

  private static let bus = "org.freedesktop.DBus"
  /// A call that means nothing but: until here.
  private static let mark = "GetId"

  /// Calls a method, and waits for the answer; an error is part of the record.
  func adapter(_ member: String, _ arguments: [Value] = []) async {
    await call(Self.adapter, "org.bluez.Adapter1", member, arguments)
  }

  func device(_ member: String) async { await call(Self.device, "org.bluez.Device1", member, []) }

  func set(power isOn: Bool) async {
    await set(Self.adapter, "org.bluez.Adapter1", "Powered", isOn)
  }

  func trust() async { await set(Self.device, "org.bluez.Device1", "Trusted", true) }

  func removeDevice() async throws {
    await adapter("RemoveDevice", [.objectPath(try ObjectPath(Self.device))])
  }

  /// Writes to the machine's command characteristic.
  func write(_ text: String, as type: String = "request") async throws {
    try await write(Array(text.utf8), as: type)
  }

  func write(_ bytes: [UInt8], as type: String = "request") async throws {
    try await characteristic("WriteValue", [.bytes(bytes), .properties(["type": .string(type)])])
  }

  /// Calls a method of the command characteristic.
  func characteristic(_ member: String, _ arguments: [Value] = []) async throws {
    let path = try await commandCharacteristic()
    await call(path, "org.bluez.GattCharacteristic1", member, arguments)
  }

  private func set(_ path: String, _ interface: String, _ name: String, _ isOn: Bool) async {
    let arguments: [Value] = [.string(interface), .string(name), .variant(.boolean(isOn))]
    await call(path, "org.freedesktop.DBus.Properties", "Set", arguments)
  }

  private func call(
    _ path: String,
    _ interface: String,
    _ member: String,
    _ arguments: [Value]
  ) async {
    // What it answers is in the record, an error too.
    _ = try? await connection.call(
      MethodCall(
        destination: "org.bluez",
        path: ObjectPath(path),
        interface: interface,
        member: member,
        arguments: arguments
      ),
      within: Setups.patience
    )
  }

  private func commandCharacteristic() async throws -> String {
    let reply = try await scout.call(
      MethodCall(
        destination: "org.bluez",
        path: .root,
        interface: "org.freedesktop.DBus.ObjectManager",
        member: "GetManagedObjects"
      ),
      within: Setups.patience
    )
    for (path, interfaces) in reply.arguments.first?.dictionary ?? [:] {
      let characteristic = interfaces.dictionary?[.string("org.bluez.GattCharacteristic1")]
      if characteristic?.properties?["UUID"]?.string == MockUUID.ballMachineCommand.string,
        let path = path.objectPath
      {
        return path.string
      }
    }
    throw CannotBePlayed(description: "the machine has no command characteristic")
  }

  // MARK: Waiting

  /// Waits until BlueZ says this: of an object's property ("machine: Connected = true") in whatever company,
  /// and of all else perhaps with more after it.
  func hears(_ text: String) async throws {
    try await news.next(text) { $0.says(text) }
  }

  /// Waits until the adapter is off, and so are the links through it. `Powered` may change before they end;
  /// BlueZ says last that nothing scans any more.
  func hearsAdapterIsOff() async throws { try await hears("hci0: Discovering = false") }

  /// Waits until nothing more was said for a while.
  func hush(_ duration: Duration = .seconds(1)) async throws {
    var count = -1
    while count != record.count {
      count = record.count
      try await setup.clock.sleep(for: duration)
    }
  }

  // MARK: Recording

  private func add(_ text: String) {
    // Objects come and go by the dozen.
    if let last = record.last, text.hasSuffix("GATT objects"), last.text == text { return }
    record.append(Entry(time: setup.clock.now.seconds - start, text: text))
  }

  private func hear(_ message: BusMessage) async {
    if message.member == Self.mark, message.sender == connection.uniqueName {
      await news.append(Self.mark)
    }
    guard let text = text(of: message) else { return }
    add(text)
    await news.append(text)
  }

  private func text(of message: BusMessage) -> String? {
    switch message.type {
    case .call:
      guard message.sender == connection.uniqueName, let member = message.member,
        message.path?.hasPrefix("/org/bluez") == true
      else { return nil }
      let name =
        member == "Set" ? "Set \(message.arguments.dropFirst().first?.string ?? "")" : member
      calls[message.cookie] = name
      return "> \(name)"
    case .reply, .error:
      guard message.destination == connection.uniqueName, let cookie = message.replyCookie,
        let name = calls.removeValue(forKey: cookie)
      else { return nil }
      guard let error = message.errorName else { return "< \(name)" }
      // libdbus ends some with a new line.
      let text = message.arguments.first?.string?.filter { !$0.isNewline } ?? ""
      return "< \(name): \(error) \"\(text)\""
    case .signal:
      return signal(message)
    }
  }

  private func signal(_ message: BusMessage) -> String? {
    switch (message.member, message.path) {
    case ("NameOwnerChanged", _):
      guard message.arguments.first?.string == "org.bluez" else { return nil }
      adapters = []
      return message.arguments.last?.string == "" ? "bluetoothd is gone" : "bluetoothd is there"
    case ("Disconnected", let path?) where message.interface == "org.bluez.Device1":
      return "\(Self.object(path)): Disconnected \(message.arguments.first?.string ?? "")"
    case ("PropertiesChanged", let path?) where path.hasPrefix("/org/bluez"):
      // It says the same as the device.
      guard message.arguments.first?.string != "org.bluez.Bearer.LE1" else { return nil }
      let changes = (message.arguments.dropFirst().first?.object ?? [:])
        .filter { !Self.ignored.contains($0.key) }
        // bluetoothd's own profiles, which it registers one by one: the number of signals is chance.
        .filter { $0.key != "UUIDs" || !Self.isAdapter(path) }
        .map { name, value in
          switch value.variant {
          case .bool(let isOn)?: "\(name) = \(isOn)"
          case .string(let text)?: "\(name) = \(text)"
          case .array(let bytes)? where name == "Value":
            "\(name) ="
              + bytes.map { String(format: " %02x", Int($0.number ?? -1)) }.joined()
          default: name
          }
        }
      guard !changes.isEmpty else { return nil }
      return "\(Self.object(path)): \(changes.sorted().joined(separator: ", "))"
    case ("InterfacesAdded", "/"), ("InterfacesRemoved", "/"):
      guard let path = message.arguments.first?.string else { return nil }
      // Its interfaces come in one signal or in more, as bluetoothd's loop has time.
      if Self.isAdapter(path), message.member == "InterfacesAdded" {
        guard adapters.insert(path).inserted else { return nil }
      }
      if message.member == "InterfacesRemoved" { adapters.remove(path) }
      return (message.member == "InterfacesAdded" ? "+ " : "- ") + Self.object(path)
    default: return nil
    }
  }

  /// What changes with the weather, or for people's eyes.
  private static let ignored: Set<String> = [
    "RSSI", "TxPower", "Alias", "AdvertisingFlags", "AdvertisingData",
  ]

  private static func isAdapter(_ path: String) -> Bool { path.split(separator: "/").count == 3 }

  private static func object(_ path: String) -> String {
    let parts = path.split(separator: "/").dropFirst(2).map(String.init)
    switch parts.count {
    case 0: return path
    case 1: return parts[0]
    case 2: return parts[1].hasSuffix("F4_F5") ? "machine" : parts[1]
    default: return "GATT objects"
    }
  }
}

extension String {
  /// Whether a line of the record says what was awaited.
  fileprivate func says(_ text: String) -> Bool {
    guard let (object, change) = text.splitOnce(": "), change.contains(" = "),
      let (own, changes) = splitOnce(": "), own == object
    else { return hasPrefix(text) }
    return changes.components(separatedBy: ", ").contains(change)
  }

  private func splitOnce(_ separator: String) -> (String, String)? {
    range(of: separator).map { (String(self[..<$0.lowerBound]), String(self[$0.upperBound...])) }
  }
}
