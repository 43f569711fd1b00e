/// The objects that a connection exports, with Properties, ObjectManager, Introspectable and Peer.
package actor ObjectServer {
  package nonisolated let connection: Connection
  private let managerPath: ObjectPath?

  package nonisolated var unownedExecutor: UnownedSerialExecutor { connection.unownedExecutor }

  package init(connection: Connection, managerPath: ObjectPath?) {
    self.connection = connection
    self.managerPath = managerPath
  }

  package func run() async { fatalError("not yet") }

  package func add(_ path: ObjectPath, _ interfaces: [ExportedInterface]) {
    fatalError("not yet")
  }

  package func addSilently(_ path: ObjectPath, _ interfaces: [ExportedInterface]) {
    fatalError("not yet")
  }

  package func remove(_ path: ObjectPath) { fatalError("not yet") }

  package func removeSilently(_ path: ObjectPath) { fatalError("not yet") }

  package func value(_ path: ObjectPath, _ interface: String, _ property: String) -> Value? {
    fatalError("not yet")
  }

  package func set(
    _ path: ObjectPath,
    _ interface: String,
    _ changes: [String: Value?],
    signal: Bool = true
  ) {
    fatalError("not yet")
  }

  package func emit(
    _ path: ObjectPath,
    _ interface: String,
    _ member: String,
    _ arguments: [Value] = []
  ) {
    fatalError("not yet")
  }

  package func reply(to call: IncomingCall, _ arguments: [Value] = []) { fatalError("not yet") }

  package func fail(_ call: IncomingCall, _ error: DBusError) { fatalError("not yet") }
}
