import Synchronization

/// A private connection to a message bus.
package actor Connection {
  nonisolated let executor: BusExecutor
  private nonisolated let assignedName = Mutex("")

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// The name that the bus gave this connection, such as `:1.42`.
  package nonisolated var uniqueName: String { assignedName.withLock { $0 } }

  private init(executor: BusExecutor) {
    self.executor = executor
  }

  package static func open(
    _ bus: BusAddress,
    clock: any Clock<Duration> = SuspendingClock()
  ) async throws(DBusError) -> Connection {
    fatalError("not yet")
  }

  package func call(_ call: MethodCall, timeout: Duration?) async throws(DBusError) -> Reply {
    fatalError("not yet")
  }

  package func subscribe(to rules: [MatchRule]) async throws(DBusError) -> Subscription {
    fatalError("not yet")
  }

  package func emit(
    path: ObjectPath,
    interface: String,
    member: String,
    arguments: [Value] = []
  ) throws(DBusError) {
    fatalError("not yet")
  }

  package func requestName(_ name: String) async throws(DBusError) {
    fatalError("not yet")
  }

  package func releaseName(_ name: String) async throws(DBusError) {
    fatalError("not yet")
  }

  package func waitUntilDisconnected() async {
    fatalError("not yet")
  }

  package func close() {
    fatalError("not yet")
  }
}
