import DBus
import MockMachine

extension MethodCall {
  /// A call of the bus itself.
  static func bus(_ member: String, _ arguments: [Value] = []) throws -> MethodCall {
    MethodCall(
      destination: "org.freedesktop.DBus",
      path: try ObjectPath("/org/freedesktop/DBus"),
      interface: "org.freedesktop.DBus",
      member: member,
      arguments: arguments
    )
  }
}

/// A connection that exports objects, with the task that serves them.
final class Peer: Sendable {
  static let interface = "test.Peer"
  static let path = "/test/peer"

  let connection: Connection
  let server: ObjectServer
  private let service: Task<Void, Never>

  init(
    _ bus: PrivateBus,
    managerPath: ObjectPath? = nil,
    exporting interfaces: [ExportedInterface] = []
  ) async throws {
    connection = try await Connection.open(.address(bus.address))
    server = ObjectServer(connection: connection, managerPath: managerPath)
    if !interfaces.isEmpty { await server.addSilently(try ObjectPath(Peer.path), interfaces) }
    service = Task { [server] in await server.run() }
  }

  convenience init(_ bus: PrivateBus, methods: [ExportedMethod]) async throws {
    try await self.init(
      bus,
      exporting: [ExportedInterface(name: Peer.interface, methods: methods)]
    )
  }

  deinit {
    service.cancel()
  }

  func call(_ member: String, _ arguments: [Value] = []) throws -> MethodCall {
    MethodCall(
      destination: connection.uniqueName,
      path: try ObjectPath(Peer.path),
      interface: Peer.interface,
      member: member,
      arguments: arguments
    )
  }

  /// A call of one of the standard interfaces.
  func call(
    standard interface: String,
    _ member: String,
    _ arguments: [Value] = [],
    at path: String = Peer.path
  ) throws -> MethodCall {
    MethodCall(
      destination: connection.uniqueName,
      path: try ObjectPath(path),
      interface: "org.freedesktop.DBus.\(interface)",
      member: member,
      arguments: arguments
    )
  }

  func emit(_ member: String, _ arguments: [Value] = []) async throws {
    try await connection.emit(
      path: try ObjectPath(Peer.path),
      interface: Peer.interface,
      member: member,
      arguments: arguments
    )
  }
}

extension ExportedMethod {
  /// Returns the variant that it is given.
  static let echo = ExportedMethod("Echo", in: [("value", "v")], out: [("value", "v")]) { call in
    .reply(call.arguments)
  }

  /// Hands each call over and leaves it unanswered.
  static func handingOver(
    _ calls: AsyncStream<IncomingCall>.Continuation
  ) -> ExportedMethod {
    ExportedMethod("Wait") { call in
      calls.yield(call)
      return .later
    }
  }
}

/// The error of an operation that has to fail.
func failure<Result>(
  of operation: () async throws(DBusError) -> Result
) async -> DBusError? {
  do throws(DBusError) {
    _ = try await operation()
    return nil
  } catch {
    return error
  }
}
