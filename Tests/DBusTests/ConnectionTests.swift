import DBus
import Foundation
import MockMachine
import TestSupport
import Testing

@Suite(.mustEnd)
struct ConnectionTests {
  let bus: PrivateBus
  let address: BusAddress

  init() throws {
    bus = try PrivateBus.start()
    address = .address(bus.address)
  }

  @Test func aConnectionHasTheUniqueNameThatTheBusGave() async throws {
    let connection = try await Connection.open(address)
    #expect(connection.uniqueName.hasPrefix(":1."))
    let reply = try await connection.call(
      try .bus("GetNameOwner", [.string(connection.uniqueName)])
    )
    #expect(reply.arguments == [.string(connection.uniqueName)])
    await connection.close()
  }
}
