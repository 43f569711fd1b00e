import DBus
import MockMachine
import TestSupport
import Testing

/// Whatever libdbus would abort on, or the bus would hang up on, is an ordinary error.
@Suite(.mustEnd)
struct RefusalTests {
  let bus: PrivateBus

  init() throws {
    bus = try PrivateBus.start()
  }

  static func nested(_ depth: Int, _ wrap: (Value) -> Value) -> Value {
    (0..<depth).reduce(.uint16(7)) { value, _ in wrap(value) }
  }

  static func badArguments() -> [(String, Value, String)] {
    [
      ("embedded NUL", .string("a\0b"), DBusError.invalidArgs),
      (
        "NUL in a variant in an array", .array(of: .variant, [.variant(.string("\0"))]),
        DBusError.invalidArgs
      ),
      ("NUL in a key", .properties(["a\0": .byte(1)]), DBusError.invalidArgs),
      ("empty structure", .structure([]), DBusError.invalidArgs),
      ("array of empty structures", .array(of: .structure([]), []), DBusError.invalidSignature),
      ("mixed array", .array(of: .string, [.string(""), .byte(1)]), DBusError.invalidArgs),
      ("array of bytes as array", .array(of: .byte, [.byte(1)]), DBusError.invalidArgs),
      (
        "key of another type",
        .dictionary(key: .string, value: .byte, [.byte(1): .byte(1)]),
        DBusError.invalidArgs
      ),
      (
        "value of another type",
        .dictionary(key: .string, value: .byte, [.string(""): .string("")]),
        DBusError.invalidArgs
      ),
      (
        "key that is a container",
        .dictionary(key: .variant, value: .byte, [:]),
        DBusError.invalidArgs
      ),
      (
        "key that is a container, hidden in an empty array",
        .array(of: .dictionary(key: .variant, value: .byte), []),
        DBusError.invalidSignature
      ),
      (
        "signature that is too long",
        .signature(Signature(Array(repeating: .byte, count: 256))),
        DBusError.invalidSignature
      ),
      (
        "too many types in a variant",
        .variant(.structure(Array(repeating: .byte(0), count: 254))),
        DBusError.invalidSignature
      ),
      ("33 structures", nested(33) { .structure([$0]) }, DBusError.invalidSignature),
      ("33 arrays", nested(33) { .array(of: $0.type, [$0]) }, DBusError.invalidSignature),
      ("1000 structures", nested(1000) { .structure([$0]) }, DBusError.invalidSignature),
    ]
  }

  @Test func badArgumentsAreRefusedAndTheConnectionLives() async throws {
    let connection = try await Connection.open(.address(bus.address))
    for (what, value, name) in Self.badArguments() {
      let call = try MethodCall.bus("GetNameOwner", [value])
      let error = await failure { () async throws(DBusError) in
        try await connection.call(call)
      }
      #expect(error?.name == name, "\(what): \(String(describing: error))")
    }
    _ = try await connection.call(.bus("GetId"))
  }

  @Test func theDeepestTypesThatAreAllowedPassTheBus() async throws {
    let peer = try await Peer(bus, methods: [.echo])
    let values = [
      Self.nested(32) { .structure([$0]) },
      Self.nested(31) { .array(of: $0.type, [$0]) },
      Self.nested(30) { .structure([.variant($0)]) },
    ]
    for value in values {
      let reply = try await peer.connection.call(peer.call("Echo", [.variant(value)]))
      #expect(reply.arguments == [.variant(value)])
    }
  }

  @Test(arguments: [
    "", "a", "org", ".org.bluez", "org..bluez", "org.bluez.", "org.1bluez", "org.blu ez", ":1.",
    "org.blüz", "a.b\0", "a." + String(repeating: "b", count: 254),
  ])
  func aBadBusNameIsRefused(_ name: String) async throws {
    let connection = try await Connection.open(.address(bus.address))
    var call = try MethodCall.bus("GetId")
    call.destination = name
    let refused = call
    #expect(
      await failure { () async throws(DBusError) in try await connection.call(refused) } != nil
    )
    #expect(
      await failure { () async throws(DBusError) in try await connection.requestName(name) } != nil
    )
    #expect(
      await failure { () async throws(DBusError) in
        try await connection.subscribe(to: [MatchRule(sender: name)])
      } != nil
    )
    _ = try await connection.call(.bus("GetId"))
  }

  @Test(arguments: [
    "", "a", "a.", ".a", "a..b", "a.1", "a.b-c", "a.b\0", "a.b c", "a.ü",
    "a." + String(repeating: "b", count: 254),
  ])
  func aBadInterfaceIsRefused(_ name: String) async throws {
    let connection = try await Connection.open(.address(bus.address))
    var call = try MethodCall.bus("GetId")
    call.interface = name
    let refused = call
    #expect(
      await failure { () async throws(DBusError) in try await connection.call(refused) } != nil
    )
    #expect(
      await failure { () async throws(DBusError) in
        try await connection.emit(path: .root, interface: name, member: "M")
      } != nil
    )
    #expect(
      await failure { () async throws(DBusError) in
        try await connection.subscribe(to: [MatchRule(interface: name)])
      } != nil
    )
    _ = try await connection.call(.bus("GetId"))
  }

  @Test(arguments: ["", "1a", "a.b", "a-b", "a\0", "ü", String(repeating: "m", count: 256)])
  func aBadMemberIsRefused(_ name: String) async throws {
    let connection = try await Connection.open(.address(bus.address))
    var call = try MethodCall.bus("GetId")
    call.member = name
    let refused = call
    #expect(
      await failure { () async throws(DBusError) in try await connection.call(refused) } != nil
    )
    #expect(
      await failure { () async throws(DBusError) in
        try await connection.emit(path: .root, interface: "a.b", member: name)
      } != nil
    )
    _ = try await connection.call(.bus("GetId"))
  }

  /// The bus closes the connection of whoever speaks like libdbus to itself.
  @Test func libdbussOwnNamesAreRefused() async throws {
    let connection = try await Connection.open(.address(bus.address))
    let path = try ObjectPath("/org/freedesktop/DBus/Local")
    let interface = "org.freedesktop.DBus.Local"
    for (path, interface) in [(path, "a.b"), (ObjectPath.root, interface)] {
      let error = await failure { () async throws(DBusError) in
        try await connection.emit(path: path, interface: interface, member: "Disconnected")
      }
      #expect(error?.name == DBusError.invalidArgs)
      let call = MethodCall(
        destination: connection.uniqueName,
        path: path,
        interface: interface,
        member: "Disconnected"
      )
      let callError = await failure { () async throws(DBusError) in
        try await connection.call(call)
      }
      #expect(callError?.name == DBusError.invalidArgs)
    }
    _ = try await connection.call(.bus("GetId"))
  }

  @Test func badMatchRulesAreRefused() async throws {
    let connection = try await Connection.open(.address(bus.address))
    let rules = [
      MatchRule(path: .root, pathNamespace: .root),
      MatchRule(argument0: "\0"),
      MatchRule(argument0: String(repeating: "x", count: 1024)),
    ]
    for rule in rules {
      let error = await failure { () async throws(DBusError) in
        try await connection.subscribe(to: [MatchRule(), rule])
      }
      #expect(error != nil)
    }
    _ = try await connection.call(.bus("GetId"))
  }

  /// Source: dbus `bus/config-parser.c`, max_match_rules_per_connection.
  @Test func aRuleThatTheBusRefusesLeavesNothingBehind() async throws {
    let connection = try await Connection.open(.address(bus.address))
    let rules = (0..<512).map { MatchRule(argument0: "\($0)") }
    try await connection.setRules(rules)
    let refused = await failure { () async throws(DBusError) in
      try await connection.setRules([MatchRule(argument0: "one more")])
    }
    #expect(refused?.name == DBusError.limitsExceeded)
    try await connection.setRules([])
    try await connection.setRules(rules)
  }
}
