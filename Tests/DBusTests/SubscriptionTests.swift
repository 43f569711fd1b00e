import Dispatch
import Host
import MockMachine
import TestSupport
import Testing

@testable import DBus

@Suite(.mustEnd)
struct SubscriptionTests {
  let bus: PrivateBus
  let peer: Peer
  let client: Connection

  init() async throws {
    bus = try PrivateBus.start()
    peer = try await Peer(bus, methods: [.echo])
    client = try await Connection.open(.address(bus.address))
  }

  static func rule(_ member: String? = nil) -> MatchRule {
    MatchRule(interface: Peer.interface, member: member)
  }

  /// The members of the signals up to and without `End`.
  static func members(_ signals: AsyncStream<Signal>) async -> [String] {
    var members: [String] = []
    for await signal in signals {
      if signal.member == "End" { break }
      members.append(signal.member)
    }
    return members
  }

  /// How many match rules the bus has from the client; nil when it was built without statistics.
  func ruleCount() async throws -> UInt32? {
    var call = try MethodCall.bus("GetConnectionStats", [.string(client.uniqueName)])
    call.interface = "org.freedesktop.DBus.Debug.Stats"
    return try? await client.call(call)
      .arguments.first?.properties?["MatchRules"]?.uint32
  }

  @Test func aThousandSignalsArriveInOrder() async throws {
    let subscription = try await client.subscribe(to: [Self.rule()])
    let emission = Task { [peer] in
      for number in 0..<1000 { try await peer.emit("Tick", [.int32(Int32(number))]) }
    }
    var expected: Int32 = 0
    var sequence: UInt64 = 0
    for await signal in subscription {
      #expect(signal.arguments == [.int32(expected)])
      #expect(signal.sequence > sequence)
      #expect(signal.sender == peer.connection.uniqueName)
      sequence = signal.sequence
      expected += 1
      if expected == 1000 { break }
    }
    try await emission.value
  }

  /// Sent within one turn of the peer's executor: they come in one go.
  @Test func aBurstArrivesCompleteAndLetsOthersIn() async throws {
    let subscription = try await client.subscribe(to: [Self.rule()])
    var signals = subscription.makeAsyncIterator()
    try await peer.connection.burst(2000)
    _ = try await client.call(.bus("GetId"))
    for number in 0..<2000 {
      #expect(await signals.next()?.arguments == [.int32(Int32(number))])
    }
  }

  /// The newest are kept, and what goes is counted before the reader gets any.
  @Test func signalsThatNobodyReadsAreBoundedAndCounted() async throws {
    let subscription = try await client.subscribe(to: [Self.rule()])
    var signals = subscription.makeAsyncIterator()
    let (kept, dropped) = (Connection.mostSignals, 10)
    try await peer.connection.burst(kept)
    // A reply comes after the signals that were sent before it.
    _ = try await client.call(try peer.call("Echo", [.variant(.byte(0))]))
    #expect(client.signalsMissed == 0)
    try await peer.connection.burst(dropped)
    _ = try await client.call(try peer.call("Echo", [.variant(.byte(0))]))
    #expect(client.signalsMissed == dropped)
    for number in Array(dropped..<kept) + Array(0..<dropped) {
      #expect(await signals.next()?.arguments == [.int32(Int32(number))])
    }
  }

  /// One signal more than is handled in one go, all of them waiting, and nothing after them that
  /// would wake the connection again.
  @Test func theLastSignalOfALongQueueIsNotLeftBehind() async throws {
    let subscription = try await client.subscribe(to: [Self.rule()])
    var signals = subscription.makeAsyncIterator()
    let count = Connection.messagesPerTurn + 1
    let isPassedOn = DispatchSemaphore(value: 0)
    client.executor.perform { isPassedOn.wait() }
    do {
      // When the bus answers the peer, it has passed the signals on.
      defer { isPassedOn.signal() }
      try await peer.connection.burst(count)
      _ = try await peer.connection.call(.bus("GetId"))
    }
    for number in 0..<count {
      #expect(await signals.next()?.arguments == [.int32(Int32(number))])
    }
  }

  @Test func repliesAndSignalsShareOneSequence() async throws {
    let subscription = try await client.subscribe(to: [Self.rule()])
    var signals = subscription.makeAsyncIterator()
    let echo = try peer.call("Echo", [.variant(.byte(0))])
    try await peer.emit("Before")
    let reply = try await client.call(echo)
    try await peer.emit("After")
    let before = try #require(await signals.next())
    let after = try #require(await signals.next())
    #expect(before.member == "Before" && after.member == "After")
    #expect(before.sequence < reply.sequence && reply.sequence < after.sequence)
  }

  @Test func aSignalThatMatchesTwoRulesComesOnce() async throws {
    let signals = try await client.subscribe(to: [Self.rule(), Self.rule("A"), Self.rule()])
    for member in ["A", "End"] { try await peer.emit(member) }
    #expect(await Self.members(signals) == ["A"])
  }

  /// It follows Hello, too, and may come after the subscription.
  @Test func namesThatTheBusGivesAreNoSignals() async throws {
    let signals = try await client.subscribe(to: [Self.rule()])
    try await client.requestName("org.bluez")
    for member in ["A", "End"] { try await peer.emit(member) }
    #expect(await Self.members(signals) == ["A"])
  }

  @Test func changingTheRulesLosesNothingThatBothMatch() async throws {
    let subscription = try await client.subscribe(to: [Self.rule()])
    var signals = subscription.makeAsyncIterator()
    let emission = Task { [peer] in
      for number in 0..<1000 { try await peer.emit("Tick", [.int32(Int32(number))]) }
    }
    for round in 0..<50 {
      try await client.setRules([round % 2 == 0 ? Self.rule("Tick") : Self.rule()])
    }
    try await emission.value
    for number in 0..<1000 {
      #expect(await signals.next()?.arguments == [.int32(Int32(number))])
    }
  }

  @Test func onlyTheNewRulesCountAfterAChange() async throws {
    let signals = try await client.subscribe(to: [Self.rule("A")])
    try await client.setRules([Self.rule("B"), Self.rule("End")])
    for member in ["A", "B", "End"] { try await peer.emit(member) }
    #expect(await Self.members(signals) == ["B"])
  }

  @Test func replacedRulesLeaveTheBus() async throws {
    _ = try await client.subscribe(to: [Self.rule("A"), Self.rule("B"), Self.rule("B")])
    if let count = try await ruleCount() { #expect(count == 3) }
    try await client.setRules([Self.rule("B")])
    if let count = try await ruleCount() { #expect(count == 1) }
    try await client.setRules([])
    if let count = try await ruleCount() { #expect(count == 0) }
  }

  @Test func aRefusedChangeLeavesTheOldRules() async throws {
    let signals = try await client.subscribe(to: [Self.rule("A"), Self.rule("End")])
    let error = await failure { () async throws(DBusError) in
      try await client.setRules([Self.rule("B"), MatchRule(interface: "-")])
    }
    #expect(error != nil)
    for member in ["A", "B", "End"] { try await peer.emit(member) }
    #expect(await Self.members(signals) == ["A"])
  }

  @Test func signalsOfTheBusAreReceived() async throws {
    let rule = MatchRule(
      sender: "org.freedesktop.DBus",
      interface: "org.freedesktop.DBus",
      member: "NameOwnerChanged",
      argument0: "org.bluez"
    )
    let subscription = try await client.subscribe(to: [rule])
    var signals = subscription.makeAsyncIterator()
    let owner = peer.connection.uniqueName
    try await peer.connection.requestName("org.bluez")
    try await peer.connection.releaseName("org.bluez")
    let name = Value.string("org.bluez")
    #expect(await signals.next()?.arguments == [name, .string(""), .string(owner)])
    #expect(await signals.next()?.arguments == [name, .string(owner), .string("")])
  }
}

extension Connection {
  /// Signals without a pause between them.
  fileprivate func burst(_ count: Int) throws {
    for number in 0..<count {
      try emit(
        path: .root,
        interface: Peer.interface,
        member: "Tick",
        arguments: [.int32(Int32(number))]
      )
    }
  }
}
