import Glibc
import Host
import MockMachine
import TestSupport
import Testing

@testable import BlueZ
@testable import DBus

/// Snapshots among signals: more than the client could read, and in an order that its tasks change.
@Suite(.mustEnd)
struct SnapshotTests {
  private let bus: PrivateBus
  /// Plays BlueZ.
  private let bluez: Connection
  private let calls: AsyncStream<IncomingCall>

  init() async throws {
    bus = try PrivateBus.start()
    bluez = try await Connection.open(.address(bus.address))
    calls = bluez.serve()
    try await bluez.requestName(BlueZClient.service)
  }

  /// The answer of a BlueZ with one adapter.
  private static func objects(isPowered: Bool) -> Value {
    var model = BlueZModel()
    model.radios[0].isPowered = isPowered
    return model.objects
  }

  /// The two come in one, and the task that reads signals goes first.
  @Test func noSnapshotUndoesASignalThatCameAfterIt() async throws {
    let executor = LoopExecutor()
    let client = try await BlueZClient(
      bus: .address(bus.address),
      executor: executor,
      revision: 0
    ) { _ in }
    var calls = calls.makeAsyncIterator()
    let running = Task(priority: .urgent) { await client.run() }
    defer { running.cancel() }
    let first = try #require(await calls.next())
    try await bluez.answer(first, .success([Self.objects(isPowered: false)]))
    while await client.current.tree == nil { try await Task.yieldUnlessCancelled() }

    let received = await client.signalsReceived
    async let refreshed: Void = client.refresh()
    let call = try #require(await calls.next())
    let isHeld = Locked(true)
    executor.perform { while isHeld.withLock(\.self) { usleep(1_000) } }
    try await bluez.answerAndSwitchOff(call, Self.objects(isPowered: true))
    // The bus has passed both on by then.
    for _ in 1...2 { _ = try await bluez.call(Bus.call("GetId")) }
    isHeld.withLock { $0 = false }
    try await refreshed
    while await client.signalsReceived == received { try await Task.yieldUnlessCancelled() }
    #expect(await client.current.tree?.adapters.values.map(\.isPowered) == [false])
    await client.close()
  }

  private func flood(_ count: Int) async throws {
    let path = BlueZClient.blueZPath
    for _ in 0..<count {
      try await bluez.emit(
        path: path,
        interface: Interface.properties,
        member: "PropertiesChanged",
        arguments: []
      )
    }
  }

  @Test(arguments: [(waiting: 0, isTooMuch: false), (1, true)])
  func whatWasMissedIsAskedForAgain(more: Int, isTooMuch: Bool) async throws {
    let (changes, changing) = AsyncStream<BlueZState>.makeStream()
    let client = try await BlueZClient(bus: .address(bus.address), revision: 0) {
      changing.yield($0)
    }
    var calls = calls.makeAsyncIterator()
    var states = changes.makeAsyncIterator()
    let running = Task { await client.run() }
    defer { running.cancel() }

    // Nothing is read until the first answer, and all signals come before it.
    let first = try #require(await calls.next())
    try await flood(Connection.mostSignals + more)
    try await bluez.answer(first, .success([Self.objects(isPowered: true)]))
    let before = try #require(await states.next())
    #expect(before.tree?.adapters.values.map(\.isPowered) == [true])
    guard isTooMuch else {
      // By the next answer all has been read.
      async let refreshed: Void = client.refresh()
      let call = try #require(await calls.next())
      try await bluez.answer(call, .success([Self.objects(isPowered: true)]))
      try await refreshed
      #expect(await states.next()?.tree != nil)
      try await bluez.releaseName(BlueZClient.service)
      let next = try #require(await states.next())
      #expect(next.owner == nil && next.tree == nil)
      return
    }

    // What is known does not count until BlueZ has said it again.
    let unsure = try #require(await states.next())
    #expect(unsure.tree == nil && unsure.isBusConnected)
    let second = try #require(await calls.next())
    #expect(second.member == "GetManagedObjects")
    try await bluez.answer(second, .success([Self.objects(isPowered: false)]))
    var after = try #require(await states.next())
    while after.tree == nil { after = try #require(await states.next()) }
    #expect(after.owner == bluez.uniqueName)
    #expect(after.tree?.adapters.values.map(\.isPowered) == [false])
    // Once is enough.
    try await bluez.releaseName(BlueZClient.service)
    #expect(try #require(await states.next()).owner == nil)
    await client.close()
  }
}

extension Connection {
  /// Answers with the objects, and goes on at once with the signal that the adapter is off.
  fileprivate func answerAndSwitchOff(_ call: IncomingCall, _ objects: Value) throws {
    let on = BlueZModel()
    var off = on
    off.radios[0].isPowered = false
    try answer(call, .success([objects]))
    for signal in off.signals(since: on) {
      try emit(
        path: signal.path,
        interface: signal.interface,
        member: signal.member,
        arguments: signal.arguments
      )
    }
  }
}
