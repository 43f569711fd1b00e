import Foundation
import FoundationXML
import MockMachine
import TestSupport
import Testing

@testable import DBus

@Suite(.mustEnd)
struct ObjectServerTests {
  let bus: PrivateBus
  let peer: Peer
  let client: Connection

  static let object = "/test/peer"

  init() async throws {
    bus = try PrivateBus.start()
    let changes = Changes()
    peer = try await Peer(bus, managerPath: .root, exporting: [Self.machine(changes)])
    await changes.use(peer.server)
    client = try await Connection.open(.address(bus.address))
  }

  /// Lets a setter reach the server that it belongs to.
  private actor Changes {
    /// Weak, because the server holds the setter.
    private weak var server: ObjectServer?

    func use(_ server: ObjectServer) { self.server = server }

    func set(_ name: String, _ value: Value, _ call: IncomingCall) async -> MethodOutcome {
      guard let server else { return .failure(DBusError(name: DBusError.failed, message: "")) }
      await server.reply(to: call)
      await server.set(call.path, Peer.interface, [name: value])
      return .later
    }
  }

  private static func machine(_ changes: Changes) -> ExportedInterface {
    ExportedInterface(
      name: Peer.interface,
      methods: [
        .echo,
        ExportedMethod("Add", in: [("a", "i"), ("b", "i")], out: [("sum", "i")]) { call in
          .reply([.int32((call.arguments[0].int32 ?? 0) + (call.arguments[1].int32 ?? 0))])
        },
      ],
      properties: [
        ExportedProperty("Powered", "b", value: .boolean(false)) { value, call in
          await changes.set("Powered", value, call)
        },
        ExportedProperty("Name", "s", value: .string("machine")),
        ExportedProperty("RSSI", "n", value: nil),
        ExportedProperty("Alias", "s", value: nil) { _, _ in .reply([]) },
      ],
      signals: [ExportedSignal("Served", [("zone", "s")])]
    )
  }

  func reply(_ call: MethodCall) async throws -> [Value] {
    try await client.call(call).arguments
  }

  func error(_ call: MethodCall) async -> DBusError? {
    await failure { () async throws(DBusError) in try await client.call(call) }
  }

  // MARK: Methods

  @Test func aMethodGetsItsArguments() async throws {
    #expect(try await reply(peer.call("Add", [.int32(2), .int32(40)])) == [.int32(42)])
  }

  @Test func whatNobodyHandlesIsUnknownInLibdbussWords() async throws {
    var call = try peer.call("Add", [.int32(2), .string("40")])
    var error = await error(call)
    #expect(error?.name == DBusError.unknownMethod)
    #expect(
      error?.message
        == "Method \"Add\" with signature \"is\" on interface \"test.Peer\" doesn't exist\n"
    )
    #expect(try await self.error(peer.call("Nothing"))?.name == DBusError.unknownMethod)
    call.interface = "test.Other"
    #expect(await self.error(call)?.name == DBusError.unknownMethod)
    call.path = try ObjectPath("/test/other")
    error = await self.error(call)
    #expect(error?.name == DBusError.unknownObject)
    call.path = try ObjectPath("/test")
    #expect(await self.error(call)?.name == DBusError.unknownMethod)
  }

  @Test func aConnectionWithoutServerKnowsNoObject() async throws {
    var call = try peer.call("Echo", [.variant(.byte(0))])
    call.destination = client.uniqueName
    #expect(await error(call)?.name == DBusError.unknownObject)
  }

  @Test func callsAreHandledInTheirOrder() async throws {
    let (calls, continuation) = AsyncStream<IncomingCall>.makeStream()
    let member = ExportedMethod("Number", in: [("n", "i")]) { call in
      // Whoever is slow must not be overtaken.
      if (call.arguments[0].int32 ?? 0) % 10 == 0 { for _ in 0..<100 { await Task.yield() } }
      continuation.yield(call)
      return .reply([])
    }
    let ordered = try await Peer(bus, methods: [member])
    for number in 0..<50 {
      await client.sendWithoutReply(try ordered.call("Number", [.int32(Int32(number))]))
    }
    var received: [Int32?] = []
    for await call in calls {
      received.append(call.arguments[0].int32)
      if received.count == 50 { break }
    }
    #expect(received == (0..<50).map { Int32($0) })
  }

  @Test func anAnswerThatCannotBeSentIsAnError() async throws {
    let badName = DBusError(name: "not a name", message: "")
    let broken = try await Peer(
      bus,
      methods: [
        ExportedMethod("BadError") { _ in .failure(badName) },
        ExportedMethod("BadValue") { _ in .reply([.string("\0")]) },
      ]
    )
    for member in ["BadError", "BadValue"] {
      #expect(await error(try broken.call(member))?.name == DBusError.failed)
    }
  }

  @Test func aServerThatHasEndedKnowsNoObject() async throws {
    let connection = try await Connection.open(.address(bus.address))
    let server = ObjectServer(connection: connection, managerPath: nil)
    let path = try ObjectPath(Self.object)
    await server.add(path, [ExportedInterface(name: Peer.interface, methods: [.echo])])
    let service = Task { await server.run() }
    let call = MethodCall(
      destination: connection.uniqueName,
      path: path,
      interface: Peer.interface,
      member: "Echo",
      arguments: [.variant(.byte(1))]
    )
    #expect(try await reply(call) == [.variant(.byte(1))])
    service.cancel()
    await service.value
    #expect(await error(call)?.name == DBusError.unknownObject)
  }

  // MARK: Properties

  func get(_ name: String, _ interface: String = Peer.interface) throws -> MethodCall {
    try peer.call(standard: "Properties", "Get", [.string(interface), .string(name)])
  }

  func set(_ name: String, _ value: Value) throws -> MethodCall {
    try peer.call(
      standard: "Properties",
      "Set",
      [.string(Peer.interface), .string(name), .variant(value)]
    )
  }

  @Test func propertiesAreRead() async throws {
    #expect(try await reply(get("Name")) == [.variant(.string("machine"))])
    let all = try peer.call(standard: "Properties", "GetAll", [.string(Peer.interface)])
    #expect(
      try await reply(all) == [
        .properties(["Powered": .boolean(false), "Name": .string("machine")])
      ]
    )
  }

  @Test func propertiesThatAreNotThereGiveGdbussErrors() async throws {
    let invalid = DBusError.invalidArgs
    #expect(
      try await error(get("RSSI")) == DBusError(name: invalid, message: "No such property 'RSSI'")
    )
    #expect(
      try await error(get("Nothing"))
        == DBusError(name: invalid, message: "No such property 'Nothing'")
    )
    #expect(
      try await error(get("Name", "a.b"))
        == DBusError(name: invalid, message: "No such interface 'a.b'")
    )
    let all = try peer.call(standard: "Properties", "GetAll", [.string("a.b")])
    #expect(await error(all)?.name == invalid)
    let short = try peer.call(standard: "Properties", "Get", [.string("a.b")])
    #expect(await error(short)?.name == DBusError.unknownMethod)
  }

  @Test func settingGivesGdbussErrors() async throws {
    #expect(
      try await error(set("Name", .string("x")))
        == DBusError(
          name: DBusError.propertyReadOnly,
          message: "Property 'Name' is not writable"
        )
    )
    #expect(
      try await error(set("Powered", .string("x")))
        == DBusError(
          name: DBusError.invalidSignature,
          message: "Invalid signature for 'Powered'"
        )
    )
    #expect(
      try await error(set("Nothing", .byte(1)))
        == DBusError(name: DBusError.unknownProperty, message: "No such property 'Nothing'")
    )
    #expect(try await error(set("Alias", .string("")))?.name == DBusError.unknownProperty)
  }

  @Test func aChangeIsOneSignalAfterTheReply() async throws {
    let rule = MatchRule(interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged")
    let subscription = try await client.subscribe(to: [rule])
    var signals = subscription.makeAsyncIterator()
    let reply = try await client.call(set("Powered", .boolean(true)))
    let signal = try #require(await signals.next())
    #expect(signal.sequence > reply.sequence)
    #expect(
      signal.arguments == [
        .string(Peer.interface), .properties(["Powered": .boolean(true)]), .strings([]),
      ]
    )
    let path = try ObjectPath(Self.object)

    await peer.server.set(
      path,
      Peer.interface,
      ["RSSI": .int16(-60), "Name": .string("other"), "Powered": nil, "Nothing": .byte(1)]
    )
    #expect(
      await signals.next()?.arguments == [
        .string(Peer.interface),
        .properties(["RSSI": .int16(-60), "Name": .string("other")]),
        .strings(["Powered"]),
      ]
    )
    await peer.server.set(path, Peer.interface, ["RSSI": nil], signal: false)
    await peer.server.set(path, Peer.interface, ["Nothing": .byte(1)])
    await peer.server.set(path, "a.b", ["Name": .string("")])
    await peer.server.set(path, Peer.interface, ["Name": .string("last")])
    #expect(await signals.next()?.arguments[1].properties == ["Name": .string("last")])
    #expect(try await error(get("RSSI"))?.name == DBusError.invalidArgs)
  }

  // MARK: Objects

  static let emptyInterfaces = [
    "org.freedesktop.DBus.Introspectable": Value.properties([:]),
    "org.freedesktop.DBus.Properties": Value.properties([:]),
  ]

  static func interfaces(_ interfaces: [String: Value]) -> Value {
    .dictionary(
      key: .string,
      value: .dictionary(key: .string, value: .variant),
      Dictionary(uniqueKeysWithValues: interfaces.map { (.string($0), $1) })
    )
  }

  @Test func theManagerListsObjectsWithTheirPresentProperties() async throws {
    let call = try peer.call(standard: "ObjectManager", "GetManagedObjects", at: "/")
    let properties = Value.properties(["Powered": .boolean(false), "Name": .string("machine")])
    let objects = try #require(try await reply(call).first)
    #expect(objects.type.code == "a{oa{sa{sv}}}")
    #expect(
      objects.dictionary == [
        .objectPath(try ObjectPath(Self.object)): Self.interfaces(
          Self.emptyInterfaces.merging([Peer.interface: properties]) { $1 }
        )
      ]
    )
    let elsewhere = try peer.call(standard: "ObjectManager", "GetManagedObjects")
    #expect(await error(elsewhere)?.name == DBusError.unknownMethod)
  }

  @Test func addingAndRemovingAreOneSignalEach() async throws {
    let rule = MatchRule(interface: "org.freedesktop.DBus.ObjectManager")
    let subscription = try await client.subscribe(to: [rule])
    var signals = subscription.makeAsyncIterator()
    let path = try ObjectPath("/test/peer/service0001")
    let plain = ExportedInterface(name: "test.Plain")
    let rich = ExportedInterface(
      name: "test.Rich",
      properties: [ExportedProperty("UUID", "s", value: .string("ffe0"))]
    )
    await peer.server.addSilently(try ObjectPath("/quiet"), [plain])
    await peer.server.add(path, [plain, rich])
    var signal = try #require(await signals.next())
    #expect(signal.member == "InterfacesAdded" && signal.path == .root)
    #expect(
      signal.arguments == [
        .objectPath(path),
        Self.interfaces(
          Self.emptyInterfaces.merging([
            "test.Plain": .properties([:]),
            "test.Rich": .properties(["UUID": .string("ffe0")]),
          ]) { $1 }
        ),
      ]
    )

    await peer.server.add(path, [ExportedInterface(name: "test.Late")])
    signal = try #require(await signals.next())
    #expect(signal.arguments[1] == Self.interfaces(["test.Late": .properties([:])]))

    await peer.server.removeSilently(try ObjectPath("/quiet"))
    await peer.server.remove(try ObjectPath("/nothing"))
    await peer.server.remove(path)
    signal = try #require(await signals.next())
    #expect(signal.member == "InterfacesRemoved")
    #expect(signal.arguments.first == .objectPath(path))
    #expect(
      Set(signal.arguments.last?.strings ?? []) == [
        "org.freedesktop.DBus.Introspectable", "org.freedesktop.DBus.Properties",
        "test.Plain", "test.Rich", "test.Late",
      ]
    )
  }

  @Test func anObjectWithoutPropertiesHasNoPropertiesInterface() async throws {
    let path = "/test/plain"
    await peer.server.add(try ObjectPath(path), [ExportedInterface(name: "test.Plain")])
    let call = try peer.call(standard: "Properties", "GetAll", [.string("test.Plain")], at: path)
    #expect(await error(call)?.name == DBusError.unknownMethod)
  }

  // MARK: Introspection and Peer

  @Test func introspectionIsXMLThatDescribesTheObject() async throws {
    let call = try peer.call(standard: "Introspectable", "Introspect")
    let text = try #require(try await reply(call).first?.string)
    let node = try Introspected(text)
    #expect(
      node.found.isSuperset(of: [
        "interface \(Peer.interface)", "method Add", "arg a i in", "arg sum i out",
        "property Powered b readwrite", "property Name s read", "property RSSI n read",
        "signal Served", "interface org.freedesktop.DBus.Properties", "method GetAll",
      ])
    )
  }

  @Test(arguments: [("/", "test"), ("/test", "peer")])
  func introspectionLeadsToTheObject(_ path: String, _ child: String) async throws {
    let call = try peer.call(standard: "Introspectable", "Introspect", at: path)
    let node = try Introspected(try #require(try await reply(call).first?.string))
    #expect(node.found.contains("node \(child)"))
  }

  @Test func everyPathAnswersAPing() async throws {
    for path in ["/", Self.object, "/nothing"] {
      #expect(try await reply(peer.call(standard: "Peer", "Ping", at: path)) == [])
    }
    let call = try peer.call(standard: "Peer", "Nothing")
    #expect(await error(call)?.name == DBusError.unknownMethod)
  }
}

/// The elements of introspection XML, each as a line of its telling attributes.
private final class Introspected: NSObject, XMLParserDelegate {
  private(set) var found: Set<String> = []

  init(_ text: String) throws {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    try #require(parser.parse(), "\(text)")
  }

  func parser(
    _ parser: XMLParser,
    didStartElement element: String,
    namespaceURI: String?,
    qualifiedName: String?,
    attributes: [String: String]
  ) {
    let words = [element] + ["name", "type", "direction", "access"].compactMap { attributes[$0] }
    found.insert(words.joined(separator: " "))
  }
}
