import DBus
import MockMachine
import TestSupport
import Testing

/// A program on the bus that calls bluetoothd and writes down every reply and signal in the order of
/// their receipt, as short lines:
///
/// `hci0/dev_… Connected=true -RSSI`, `+ hci0/dev_…`, `- hci0/dev_…`, `reply Connect`,
/// `error Connect: org.bluez.Error.Failed: le-connection-abort-by-local`.
final class Client: Sendable {
  struct Line: Sendable, Equatable {
    var text: String
    var sequence: UInt64
  }

  let connection: Connection
  let log = Log<Line>()
  private let signals: AsyncStream<Signal>

  init(_ bus: PrivateBus) async throws {
    connection = try await Connection.open(.address(bus.address))
    signals = try await connection.subscribe(to: [
      MatchRule(sender: "org.bluez", interface: "org.freedesktop.DBus.ObjectManager"),
      MatchRule(sender: "org.bluez", interface: "org.freedesktop.DBus.Properties"),
      MatchRule(sender: "org.bluez", interface: "org.bluez.Device1"),
      MatchRule(sender: "org.bluez", interface: "org.bluez.Bearer.LE1"),
      MatchRule(member: "NameOwnerChanged", argument0: "org.bluez"),
    ])
  }

  func listen() async {
    for await signal in signals {
      await log.append(Line(text: Self.text(of: signal), sequence: signal.sequence))
    }
  }

  // MARK: Calls

  @discardableResult
  func call(
    _ path: String,
    _ interface: String,
    _ member: String,
    _ arguments: [Value] = []
  ) async throws(DBusError) -> [Value] {
    let call = MethodCall(
      destination: "org.bluez",
      path: try ObjectPath(path),
      interface: interface,
      member: member,
      arguments: arguments
    )
    do throws(DBusError) {
      let reply = try await connection.call(call)
      await log.append(Line(text: "reply \(member)", sequence: reply.sequence))
      return reply.arguments
    } catch {
      await log.append(Line(text: "error \(member): \(error)", sequence: .max))
      throw error
    }
  }

  @discardableResult
  func adapter(
    _ member: String,
    _ arguments: [Value] = [],
    on name: String = "hci0"
  ) async throws(DBusError) -> [Value] {
    try await call("/org/bluez/\(name)", "org.bluez.Adapter1", member, arguments)
  }

  @discardableResult
  func device(_ member: String, _ path: String = Client.devicePath) async throws(DBusError)
    -> [Value]
  {
    try await call(path, "org.bluez.Device1", member)
  }

  @discardableResult
  func characteristic(
    _ member: String,
    _ arguments: [Value],
    _ path: String = Client.commandPath
  ) async throws(DBusError) -> [Value] {
    try await call(path, "org.bluez.GattCharacteristic1", member, arguments)
  }

  func write(
    _ text: String,
    type: String? = nil,
    _ path: String = Client.commandPath
  ) async throws(DBusError) {
    let options: Value = .properties(type.map { ["type": .string($0)] } ?? [:])
    try await characteristic("WriteValue", [.bytes(Array(text.utf8)), options], path)
  }

  /// - Parameter frame: in hexadecimal.
  func write(frame: String) async throws(DBusError) {
    try await characteristic("WriteValue", [.bytes(Self.bytes(frame)), .properties([:])])
  }

  static func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  func set(
    _ property: String,
    _ value: Value,
    _ interface: String = "org.bluez.Device1",
    _ path: String = Client.devicePath
  ) async throws(DBusError) {
    try await call(
      path,
      "org.freedesktop.DBus.Properties",
      "Set",
      [.string(interface), .string(property), .variant(value)]
    )
  }

  func get(
    _ property: String,
    _ interface: String = "org.bluez.Device1",
    _ path: String = Client.devicePath
  ) async throws(DBusError) -> Value? {
    try await call(
      path,
      "org.freedesktop.DBus.Properties",
      "Get",
      [.string(interface), .string(property)]
    ).first?.unwrapped
  }

  /// Every object with its interfaces and properties.
  func objects() async throws(DBusError) -> [String: [String: [String: Value]]] {
    let reply = try await call("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
    var objects: [String: [String: [String: Value]]] = [:]
    for (path, interfaces) in reply.first?.dictionary ?? [:] {
      var named: [String: [String: Value]] = [:]
      for (name, properties) in interfaces.dictionary ?? [:] {
        named[name.string ?? ""] = properties.properties
      }
      objects[path.objectPath?.string ?? ""] = named
    }
    return objects
  }

  // MARK: Usual paths through bluetoothd

  static let devicePath = "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5"
  /// The only characteristic of the fourth service.
  static let commandPath = devicePath + "/service000b/char000c"

  /// Scans until the device object is there.
  func discover(_ path: String = Client.devicePath) async throws {
    try await adapter("SetDiscoveryFilter", [.properties(["Transport": .string("le")])])
    try await adapter("StartDiscovery")
    await sees("+ \(Self.short(path))")
    try await adapter("StopDiscovery")
  }

  /// Discovers, connects and waits until the services are resolved, which is told after their objects.
  func connectAndResolve() async throws {
    try await discover()
    try await device("Connect")
    await log.wait { $0.contains { $0.text.contains(" ServicesResolved=true") } }
  }

  // MARK: The log

  /// Waits for a line.
  func sees(_ text: String) async { await log.wait { $0.contains { $0.text == text } } }

  /// Waits for a line to have come so many times.
  func sees(_ text: String, times: Int) async {
    await log.wait { $0.count { $0.text == text } >= times }
  }

  /// The lines so far in the order of their receipt.
  func lines() async -> [String] {
    await log.entries.sorted { $0.sequence < $1.sequence }.map(\.text)
  }

  /// The replies and signals since (and with) the last one of this text.
  func lines(since text: String) async -> [String] {
    // Errors have no place in the order.
    let lines = await lines().filter { !$0.hasPrefix("error") }
    return Array(lines[(lines.lastIndex(of: text) ?? 0)...])
  }

  static func short(_ path: String) -> String {
    path.hasPrefix("/org/bluez/") ? String(path.dropFirst(11)) : path
  }

  private static func text(of signal: Signal) -> String {
    switch signal.member {
    case "InterfacesAdded": "+ \(short(signal.arguments[0].objectPath?.string ?? ""))"
    case "InterfacesRemoved": "- \(short(signal.arguments[0].objectPath?.string ?? ""))"
    case "NameOwnerChanged":
      signal.arguments[2].string == "" ? "name lost" : "name owned"
    case "Disconnected":
      "\(signal.interface) Disconnected "
        + signal.arguments.compactMap(\.string).joined(separator: ", ")
    default:
      ([short(signal.path.string)]
        + (signal.arguments[1].properties ?? [:]).map { "\($0)=\(text(of: $1))" }.sorted()
        + (signal.arguments[2].strings ?? []).map { "-\($0)" }.sorted())
        .joined(separator: " ")
    }
  }

  private static func text(of value: Value) -> String {
    switch value {
    case .boolean(let value): "\(value)"
    case .string(let value): value
    case .int16(let value): "\(value)"
    case .uint16(let value): "\(value)"
    case .bytes(let value): text(of: value)
    default: "…"
    }
  }

  /// Text, or in hexadecimal what is none.
  private static func text(of value: [UInt8]) -> String {
    guard value.allSatisfy({ (0x20...0x7e).contains($0) }) else {
      return value.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
    return String(decoding: value, as: UTF8.self)
  }
}
