import DBus
import Foundation
import MockMachine
import TestSupport
import Testing

@Suite(.mustEnd)
struct FileDescriptorTests {
  let bus: PrivateBus

  init() throws {
    bus = try PrivateBus.start()
  }

  static func pipe() throws -> (read: OwnedFileDescriptor, write: OwnedFileDescriptor) {
    var ends: [Int32] = [-1, -1]
    try #require(Foundation.pipe(&ends) == 0)
    return (OwnedFileDescriptor(ends[0]), OwnedFileDescriptor(ends[1]))
  }

  @Test func aDescriptorArrivesAsADuplicateOfOurs() async throws {
    let peer = try await Peer(bus, methods: [.echo])
    let (output, input) = try Self.pipe()
    let reply = try await peer.connection.call(
      peer.call("Echo", [.variant(.unixFD(input))]),
      timeout: nil
    )
    let received = try #require(reply.arguments.first?.unixFD)
    #expect(received.rawValue != input.rawValue)
    #expect(fcntl(received.rawValue, F_GETFD) & FD_CLOEXEC != 0)

    var byte: UInt8 = 42
    #expect(write(received.rawValue, &byte, 1) == 1)
    byte = 0
    #expect(read(output.rawValue, &byte, 1) == 1)
    #expect(byte == 42)
  }

  @Test func nestedDescriptorsArrive() async throws {
    let peer = try await Peer(bus, methods: [.echo])
    let (output, input) = try Self.pipe()
    let pair = Value.structure([.unixFD(output), .uint16(23), .unixFD(input)])
    let reply = try await peer.connection.call(
      peer.call("Echo", [.variant(pair)]),
      timeout: nil
    )
    let members = try #require(reply.arguments.first?.structure)
    let receivedRead = try #require(members[0].unixFD)
    let receivedWrite = try #require(members[2].unixFD)
    var byte: UInt8 = 7
    #expect(write(receivedWrite.rawValue, &byte, 1) == 1)
    #expect(read(receivedRead.rawValue, &byte, 1) == 1)
  }

  @Test func moreThanSixteenDescriptorsAreRefused() async throws {
    let peer = try await Peer(bus, methods: [.echo])
    let (_, input) = try Self.pipe()
    func call(_ count: Int) throws -> MethodCall {
      let descriptors = Array(repeating: Value.unixFD(input), count: count)
      return try peer.call("Echo", [.variant(.array(of: .unixFD, descriptors))])
    }
    let allowed = try call(16)
    let reply = try await peer.connection.call(allowed, timeout: nil)
    #expect(reply.arguments.first?.array?.count == 16)
    let refused = try call(17)
    let error = await failure { () async throws(DBusError) in
      try await peer.connection.call(refused, timeout: nil)
    }
    #expect(error?.name == DBusError.limitsExceeded)
  }

  @Test func aBusThatCarriesNoDescriptorsIsNotAskedTo() async throws {
    let listener = try FakeListener()
    let serving = Task { try await listener.greetWithoutDescriptors() }
    let connection = try await Connection.open(.address(listener.address))
    #expect(connection.uniqueName == ":1.9")
    let (_, input) = try Self.pipe()
    let error = await failure { () async throws(DBusError) in
      try await connection.emit(
        path: .root,
        interface: "a.b",
        member: "C",
        arguments: [.unixFD(input)]
      )
    }
    #expect(error?.name == DBusError.notSupported)
    await connection.close()
    try await serving.value
  }
}
