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
  static func members(_ signals: inout Subscription.Iterator) async -> [String] {
    var members: [String] = []
    while let signal = await signals.next(), signal.member != "End" {
      members.append(signal.member)
    }
    return members
  }

  /// How many match rules the bus has from the client; nil when it was built without statistics.
  func ruleCount() async throws -> UInt32? {
    var call = try MethodCall.bus("GetConnectionStats", [.string(client.uniqueName)])
    call.interface = "org.freedesktop.DBus.Debug.Stats"
    return try? await client.call(call, timeout: nil)
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
    _ = try await client.call(.bus("GetId"), timeout: nil)
    for number in 0..<2000 {
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
      _ = try await peer.connection.call(.bus("GetId"), timeout: nil)
    }
    for number in 0..<count {
      #expect(await signals.next()?.arguments == [.int32(Int32(number))])
    }
  }

  @Test func rulesCountFromTheMomentTheBusIsAskedForThem() async throws {
    let (stream, continuation) = AsyncStream<Signal>.makeStream()
    var table = SubscriptionTable()
    let id = table.add(continuation)
    let signal = Signal(
      sender: ":1.1",
      path: .root,
      interface: Peer.interface,
      member: "First",
      arguments: [],
      sequence: 1
    )
    table.deliver(signal)
    let exists = table.begin([Self.rule()], for: id)
    #expect(exists)
    table.deliver(signal)
    let replaced = table.finish([Self.rule()], for: id)
    #expect(replaced == [])
    table.deliver(signal)
    let ended = table.end(id)
    #expect(ended == [Self.rule()])
    #expect(await stream.reduce(into: 0) { count, _ in count += 1 } == 2)
  }

  @Test func repliesAndSignalsShareOneSequence() async throws {
    let subscription = try await client.subscribe(to: [Self.rule()])
    var signals = subscription.makeAsyncIterator()
    let echo = try peer.call("Echo", [.variant(.byte(0))])
    try await peer.emit("Before")
    let reply = try await client.call(echo, timeout: nil)
    try await peer.emit("After")
    let before = try #require(await signals.next())
    let after = try #require(await signals.next())
    #expect(before.member == "Before" && after.member == "After")
    #expect(before.sequence < reply.sequence && reply.sequence < after.sequence)
  }

  @Test func eachSubscriptionGetsWhatItsRulesAskFor() async throws {
    let all = try await client.subscribe(to: [Self.rule()])
    let some = try await client.subscribe(to: [Self.rule("A"), Self.rule("C"), Self.rule("End")])
    var allSignals = all.makeAsyncIterator()
    var someSignals = some.makeAsyncIterator()
    for member in ["A", "B", "C", "End"] { try await peer.emit(member) }
    #expect(await Self.members(&allSignals) == ["A", "B", "C"])
    #expect(await Self.members(&someSignals) == ["A", "C"])
  }

  @Test func aSignalThatMatchesTwoRulesComesOnce() async throws {
    let subscription = try await client.subscribe(to: [Self.rule(), Self.rule("A"), Self.rule()])
    var signals = subscription.makeAsyncIterator()
    for member in ["A", "End"] { try await peer.emit(member) }
    #expect(await Self.members(&signals) == ["A"])
  }

  @Test func changingTheRulesLosesNothingThatBothMatch() async throws {
    let subscription = try await client.subscribe(to: [Self.rule()])
    var signals = subscription.makeAsyncIterator()
    let emission = Task { [peer] in
      for number in 0..<1000 { try await peer.emit("Tick", [.int32(Int32(number))]) }
    }
    for round in 0..<50 {
      try await subscription.change(to: [round % 2 == 0 ? Self.rule("Tick") : Self.rule()])
    }
    try await emission.value
    for number in 0..<1000 {
      #expect(await signals.next()?.arguments == [.int32(Int32(number))])
    }
  }

  @Test func onlyTheNewRulesCountAfterAChange() async throws {
    let subscription = try await client.subscribe(to: [Self.rule("A")])
    var signals = subscription.makeAsyncIterator()
    try await subscription.change(to: [Self.rule("B"), Self.rule("End")])
    for member in ["A", "B", "End"] { try await peer.emit(member) }
    #expect(await Self.members(&signals) == ["B"])
  }

  @Test func aRefusedChangeLeavesTheOldRules() async throws {
    let subscription = try await client.subscribe(to: [Self.rule("A"), Self.rule("End")])
    var signals = subscription.makeAsyncIterator()
    let error = await failure { () async throws(DBusError) in
      try await subscription.change(to: [Self.rule("B"), MatchRule(interface: "-")])
    }
    #expect(error != nil)
    for member in ["A", "B", "End"] { try await peer.emit(member) }
    #expect(await Self.members(&signals) == ["A"])
  }

  @Test func aSharedRuleLastsAsLongAsItsLastUser() async throws {
    let first = try await client.subscribe(to: [Self.rule()])
    let second = try await client.subscribe(to: [Self.rule()])
    var signals = second.makeAsyncIterator()
    if let count = try await ruleCount() { #expect(count == 1) }
    await first.cancel()
    await first.cancel()
    for member in ["A", "End"] { try await peer.emit(member) }
    #expect(await Self.members(&signals) == ["A"])
    await second.cancel()
    #expect(await signals.next() == nil)
    if let count = try await ruleCount() { #expect(count == 0) }
  }

  @Test func concurrentSubscriptionsToOneRuleAllHaveItWhenTheyReturn() async throws {
    let subscriptions = try await withThrowingTaskGroup(of: Subscription.self) { [client] group in
      for _ in 0..<20 { group.addTask { try await client.subscribe(to: [Self.rule()]) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    if let count = try await ruleCount() { #expect(count == 1) }
    for member in ["A", "End"] { try await peer.emit(member) }
    for subscription in subscriptions {
      var signals = subscription.makeAsyncIterator()
      #expect(await Self.members(&signals) == ["A"])
    }
  }

  @Test func theLastReferenceTakesTheRulesWithIt() async throws {
    do {
      let subscription = try await client.subscribe(to: [Self.rule()])
      if let count = try await ruleCount() { #expect(count == 1) }
      _ = subscription
    }
    // The removal was queued before this call.
    if let count = try await ruleCount() { #expect(count == 0) }
  }

  @Test func theIteratorAloneKeepsTheSubscription() async throws {
    var signals = try await client.subscribe(to: [Self.rule()]).makeAsyncIterator()
    for member in ["A", "End"] { try await peer.emit(member) }
    #expect(await Self.members(&signals) == ["A"])
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
