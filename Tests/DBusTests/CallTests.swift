import MockMachine
import TestSupport
import Testing

@testable import DBus

/// Each call ends exactly once: with its reply, an error, its task or the connection.
@Suite(.mustEnd)
struct CallTests {
  let bus: PrivateBus

  init() throws {
    bus = try PrivateBus.start()
  }

  @Test func anErrorReplyIsThrown() async throws {
    let error = DBusError(name: "org.bluez.Error.Failed", message: "le-connection-abort-by-local")
    let peer = try await Peer(bus, methods: [ExportedMethod("Connect") { _ in .failure(error) }])
    let call = try peer.call("Connect")
    let thrown = await failure { () async throws(DBusError) in
      try await peer.connection.call(call)
    }
    #expect(thrown == error)
  }

  @Test func aNameWithoutOwnerIsNotStarted() async throws {
    let connection = try await Connection.open(.address(bus.address))
    var call = try MethodCall.bus("Anything")
    call.destination = "org.bluez"
    let refused = call
    let error = await failure { () async throws(DBusError) in
      try await connection.call(refused)
    }
    #expect(error?.name == DBusError.nameHasNoOwner)
  }

  @Test func cancellingTheTaskEndsTheCallAndTheLateReplyIsDropped() async throws {
    let (calls, continuation) = AsyncStream<IncomingCall>.makeStream()
    var arrivals = calls.makeAsyncIterator()
    let peer = try await Peer(bus, methods: [.handingOver(continuation), .echo])
    let client = try await Connection.open(.address(bus.address))
    let call = try peer.call("Wait")
    let waiting = Task {
      await failure { () async throws(DBusError) in try await client.call(call) }
    }
    let arrived = try #require(await arrivals.next())
    waiting.cancel()
    #expect(await waiting.value?.name == DBusError.cancelled)

    await peer.server.reply(to: arrived)
    let echo = try peer.call("Echo", [.variant(.byte(2))])
    #expect(try await client.call(echo).arguments == [.variant(.byte(2))])
  }

  @Test func aCancelledTaskSendsNothing() async throws {
    let (calls, continuation) = AsyncStream<IncomingCall>.makeStream()
    var arrivals = calls.makeAsyncIterator()
    let peer = try await Peer(bus, methods: [.handingOver(continuation)])
    let client = try await Connection.open(.address(bus.address))
    let call = try peer.call("Wait")
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await failure { () async throws(DBusError) in
        try await client.call(call)
      }
    }
    #expect(await cancelled.value?.name == DBusError.cancelled)
    let second = Task { try await client.call(call) }
    let first = try #require(await arrivals.next())
    await peer.server.reply(to: first, [])
    _ = try await second.value
  }

  @Test func aCalleeThatVanishesGivesNoReply() async throws {
    let (calls, continuation) = AsyncStream<IncomingCall>.makeStream()
    var arrivals = calls.makeAsyncIterator()
    let peer = try await Peer(bus, methods: [.handingOver(continuation)])
    let client = try await Connection.open(.address(bus.address))
    let call = try peer.call("Wait")
    async let error = failure { () async throws(DBusError) in
      try await client.call(call)
    }
    _ = await arrivals.next()
    await peer.connection.close()
    #expect(await error?.name == DBusError.noReply)
  }

  @Test func theBusDyingEndsEverything() async throws {
    let (calls, continuation) = AsyncStream<IncomingCall>.makeStream()
    var arrivals = calls.makeAsyncIterator()
    let peer = try await Peer(bus, methods: [.handingOver(continuation)])
    let client = try await Connection.open(.address(bus.address))
    let signals = try await client.subscribe(to: [MatchRule()])
    let call = try peer.call("Wait")
    async let error = failure { () async throws(DBusError) in
      try await client.call(call)
    }
    _ = await arrivals.next()

    bus.stop()
    #expect(await error?.name == DBusError.disconnected)
    for await _ in signals {}
    await peer.connection.waitUntilDisconnected()
    let another = await failure { () async throws(DBusError) in
      _ = try await client.subscribe(to: [MatchRule()])
    }
    #expect(another?.name == DBusError.disconnected)
    let later = await failure { () async throws(DBusError) in
      try await client.call(call)
    }
    #expect(later?.name == DBusError.disconnected)
    let emission = await failure { () async throws(DBusError) in
      try await client.emit(path: .root, interface: "a.b", member: "C")
    }
    #expect(emission?.name == DBusError.disconnected)
    let change = await failure { () async throws(DBusError) in
      try await client.setRules([MatchRule()])
    }
    #expect(change?.name == DBusError.disconnected)
    await client.close()
  }

  @Test func closingEndsPendingCallsAndIsIdempotent() async throws {
    let (calls, continuation) = AsyncStream<IncomingCall>.makeStream()
    var arrivals = calls.makeAsyncIterator()
    let peer = try await Peer(bus, methods: [.handingOver(continuation)])
    let client = try await Connection.open(.address(bus.address))
    let call = try peer.call("Wait")
    async let error = failure { () async throws(DBusError) in
      try await client.call(call)
    }
    _ = await arrivals.next()
    await client.close()
    await client.close()
    #expect(await error?.name == DBusError.disconnected)
  }

  @Test func aHundredConcurrentCallsGetTheirOwnReplies() async throws {
    let peer = try await Peer(bus, methods: [.echo])
    let client = try await Connection.open(.address(bus.address))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<100 {
        let call = try peer.call("Echo", [.variant(.int32(Int32(number)))])
        group.addTask {
          let reply = try await client.call(call)
          #expect(reply.arguments == [.variant(.int32(Int32(number)))])
        }
      }
      try await group.waitForAll()
    }
  }

  /// More than the socket's buffer takes at once: the rest leaves when it drains.
  @Test func longMessagesOfManyCallsAllArrive() async throws {
    let peer = try await Peer(bus, methods: [.echo])
    let client = try await Connection.open(.address(bus.address))
    let megabyte = Value.bytes(Array(repeating: 9, count: 1 << 20))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<16 {
        let call = try peer.call("Echo", [.variant(megabyte)])
        group.addTask {
          let reply = try await client.call(call)
          #expect(reply.arguments == [.variant(megabyte)])
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func aCallBehindTooManyThatWaitIsRefused() async throws {
    let peer = try await Connection.open(.address(bus.address))
    var calls = peer.serve().makeAsyncIterator()
    let client = try await Connection.open(.address(bus.address))
    func call(_ number: Int) -> MethodCall {
      MethodCall(
        destination: peer.uniqueName,
        path: .root,
        interface: Peer.interface,
        member: "Number",
        arguments: [.int32(Int32(number))]
      )
    }
    for number in 0..<Connection.mostCalls { await client.sendWithoutReply(call(number)) }
    let error = await failure { () async throws(DBusError) in
      try await client.call(call(Connection.mostCalls))
    }
    #expect(error?.name == DBusError.limitsExceeded)
    for number in 0..<Connection.mostCalls {
      #expect(await calls.next()?.arguments == [.int32(Int32(number))])
    }
    // There is room again.
    async let reply = client.call(call(0))
    try await peer.answer(try #require(await calls.next()), .success([.byte(7)]))
    #expect(try await reply.arguments == [.byte(7)])
  }

  @Test func aNameHasOneOwner() async throws {
    let first = try await Connection.open(.address(bus.address))
    let second = try await Connection.open(.address(bus.address))
    try await first.requestName("org.bluez")
    try await first.requestName("org.bluez")
    let error = await failure { () async throws(DBusError) in
      try await second.requestName("org.bluez")
    }
    #expect(error?.name == DBusError.addressInUse)
    try await second.releaseName("org.bluez")
    try await first.releaseName("org.bluez")
    try await second.requestName("org.bluez")
  }
}
