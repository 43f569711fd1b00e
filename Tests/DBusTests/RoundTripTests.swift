import CourtLogic
import DBus
import Foundation
import MockMachine
import TestSupport
import Testing

/// What goes into the bus comes out of it.
@Suite(.mustEnd)
struct RoundTripTests {
  let bus: PrivateBus

  init() throws {
    bus = try PrivateBus.start()
  }

  @Test func everyTypeSurvivesTheBus() async throws {
    let peer = try await Peer(bus, methods: [.echo])
    let values: [Value] = [
      .byte(0), .byte(255), .boolean(true), .boolean(false),
      .int16(.min), .int16(.max), .uint16(.max), .int32(.min), .int32(.max), .uint32(.max),
      .int64(.min), .int64(.max), .uint64(.max),
      .double(0.1), .double(-.infinity), .double(.leastNonzeroMagnitude),
      .string(""), .string("18 digits: ①⚽︎👩🏽‍🚀"), .string("\u{FFFE}\u{10FFFF}"),
      .objectPath(.root), .objectPath(try ObjectPath("/org/bluez/hci0")),
      .signature(try Signature("")), .signature(try Signature("a{sv}(ii)")),
      .bytes([]), .bytes([0, 1, 255]),
      .strings([]), .strings(["a", ""]),
      .array(of: .array(.byte), [.bytes([1]), .bytes([])]),
      .array(of: .dictionary(key: .string, value: .variant), []),
      .structure([.byte(1), .uint64(2), .structure([.string("x")])]),
      .dictionary(key: .uint16, value: .variant, [.uint16(0x004C): .variant(.bytes([2, 21]))]),
      .dictionary(key: .byte, value: .double, [:]),
      .properties(["a": .boolean(true), "b": .properties([:])]),
      .variant(.variant(.string("deep"))),
    ]
    for value in values {
      let reply = try await peer.connection.call(peer.call("Echo", [.variant(value)]))
      #expect(reply.arguments == [.variant(value)])
    }
  }

  @Test func notANumberSurvivesTheBus() async throws {
    let peer = try await Peer(bus, methods: [.echo])
    let call = try peer.call("Echo", [.variant(.double(.nan))])
    #expect(
      try await peer.connection.call(call).arguments.first?.double?.isNaN == true
    )
  }

  /// Signals carry any signature, so each round trip is one signal to ourselves.
  @Test func randomValuesSurviveTheBus() async throws {
    let seed =
      ProcessInfo.processInfo.environment["DBUS_TEST_SEED"].flatMap { UInt64($0) }
      ?? UInt64.random(in: .min ... .max)
    print("RoundTripTests: DBUS_TEST_SEED=\(seed)")
    var random = RandomValues(SeededGenerator(seed: seed))
    let connection = try await Connection.open(.address(bus.address))
    let subscription = try await connection.subscribe(to: [MatchRule(interface: "test.Random")])
    var signals = subscription.makeAsyncIterator()
    for round in 0..<500 {
      let arguments = random.arguments()
      try await connection.emit(
        path: .root,
        interface: "test.Random",
        member: "Value",
        arguments: arguments
      )
      let received = await signals.next()
      try #require(received?.arguments == arguments, "seed \(seed), round \(round)")
    }
  }

  @Test func aMegabyteSurvivesTheBus() async throws {
    let peer = try await Peer(bus, methods: [.echo])
    let value = Value.bytes((0..<(4 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let reply = try await peer.connection.call(peer.call("Echo", [.variant(value)]))
    #expect(reply.arguments == [.variant(value)])
  }
}

/// Values of random types. No descriptors and no NaN, which don't equal their copies.
private struct RandomValues {
  private var generator: SeededGenerator

  init(_ generator: SeededGenerator) {
    self.generator = generator
  }

  mutating func arguments() -> [Value] {
    while true {
      let types = (0..<Int.random(in: 0...4, using: &generator)).map { _ in type(depth: 0) }
      // A random signature can be too long for the protocol.
      guard (try? Signature(Signature(types).string)) != nil else { continue }
      return types.map { value(of: $0, depth: 0) }
    }
  }

  private static let basicTypes: [ValueType] = [
    .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string,
    .objectPath, .signature,
  ]

  private mutating func basicType() -> ValueType {
    Self.basicTypes.randomElement(using: &generator) ?? .byte
  }

  private mutating func type(depth: Int) -> ValueType {
    guard depth < 5, Bool.random(using: &generator) else { return basicType() }
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: return .array(type(depth: depth + 1))
    case 1:
      let count = Int.random(in: 1...4, using: &generator)
      return .structure((0..<count).map { _ in type(depth: depth + 1) })
    case 2: return .dictionary(key: basicType(), value: type(depth: depth + 1))
    default: return .variant
    }
  }

  private mutating func value(of type: ValueType, depth: Int) -> Value {
    switch type {
    case .byte: return .byte(.random(in: .min ... .max, using: &generator))
    case .boolean: return .boolean(.random(using: &generator))
    case .int16: return .int16(.random(in: .min ... .max, using: &generator))
    case .uint16: return .uint16(.random(in: .min ... .max, using: &generator))
    case .int32: return .int32(.random(in: .min ... .max, using: &generator))
    case .uint32: return .uint32(.random(in: .min ... .max, using: &generator))
    case .int64: return .int64(.random(in: .min ... .max, using: &generator))
    case .uint64: return .uint64(.random(in: .min ... .max, using: &generator))
    case .double:
      let value = Double(bitPattern: generator.next())
      return .double(value.isNaN ? 0 : value)
    case .string: return .string(string())
    case .objectPath: return .objectPath(path())
    case .signature: return .signature(Signature([basicType(), basicType()]))
    case .variant:
      return .variant(value(of: depth < 8 ? self.type(depth: 2) : .byte, depth: depth + 1))
    case .array(.byte):
      return .bytes((0..<count()).map { _ in .random(in: 0...255, using: &generator) })
    case .array(let element):
      return .array(of: element, (0..<count()).map { _ in value(of: element, depth: depth + 1) })
    case .structure(let members):
      return .structure(members.map { value(of: $0, depth: depth + 1) })
    case .dictionary(let key, let value):
      var entries: [Value: Value] = [:]
      for _ in 0..<count() {
        entries[self.value(of: key, depth: depth + 1)] = self.value(of: value, depth: depth + 1)
      }
      return .dictionary(key: key, value: value, entries)
    }
  }

  private mutating func count() -> Int { Int.random(in: 0...5, using: &generator) }

  private mutating func string() -> String {
    var scalars = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...12, using: &generator) {
      let limit: UInt32 = Bool.random(using: &generator) ? 0x7F : 0x10FFFF
      if let scalar = UnicodeScalar(UInt32.random(in: 1...limit, using: &generator)) {
        scalars.append(scalar)
      }
    }
    return String(scalars)
  }

  private mutating func path() -> ObjectPath {
    let elements = (0..<count()).map { _ in "e\(Int.random(in: 0...999, using: &generator))" }
    return (try? ObjectPath("/" + elements.joined(separator: "/"))) ?? .root
  }
}
