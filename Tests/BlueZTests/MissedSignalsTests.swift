import MockMachine
import TestSupport
import Testing

@testable import BlueZ
@testable import DBus

/// A client that BlueZ has told more than the client could read.
@Suite(.mustEnd)
struct MissedSignalsTests {
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
