package import DBus
import Host

/// The objects that a connection exports, with the standard interfaces as gdbus (BlueZ's own D-Bus
/// code) implements them: Properties, ObjectManager, Introspectable and Peer.
///
/// It shares the connection's executor: a reply and then a signal are sent in that order. A reply
/// that the protocol does not allow becomes an error reply that says so. A signal that it does not
/// allow is a programming error: it stops debug builds, and release builds drop it.
package actor ObjectServer {
  package nonisolated let connection: Connection
  let managerPath: ObjectPath?
  var objects: [ObjectPath: [ExportedInterface]] = [:]
  private let calls: AsyncStream<IncomingCall>

  package nonisolated var unownedExecutor: UnownedSerialExecutor { connection.unownedExecutor }

  /// - Parameter managerPath: where ObjectManager lives; nil for no manager.
  ///
  /// From now on the connection's incoming calls wait for ``run()``. A connection has one server.
  package init(connection: Connection, managerPath: ObjectPath?) {
    self.connection = connection
    self.managerPath = managerPath
    calls = connection.serve()
  }

  /// Handles incoming calls, one after the other, until the connection ends or the task is
  /// cancelled.
  ///
  /// - Parameter screen: sees each call first, those of the standard interfaces too. If it returns
  ///   false, the server ignores the call; other code may answer it.
  package func run(screen: (@Sendable (IncomingCall) async -> Bool)? = nil) async {
    for await call in calls {
      if let screen, await !screen(call) { continue }
      switch await outcome(of: call) {
      case .reply(let arguments): reply(to: call, arguments)
      case .failure(let error): fail(call, error)
      case .later: break
      }
    }
  }

  /// Exports an object, or more interfaces of one, and signals one InterfacesAdded.
  package func add(_ path: ObjectPath, _ interfaces: [ExportedInterface]) {
    let before = objects[path] == nil ? [] : allInterfaces(of: path).map(\.name)
    addSilently(path, interfaces)
    let added = allInterfaces(of: path).filter { interface in
      !before.contains(interface.name) || interfaces.contains { $0.name == interface.name }
    }
    announce("InterfacesAdded", path, .interfaces(added))
  }

  /// Exports without a signal, for the time before the service owns its name.
  package func addSilently(_ path: ObjectPath, _ interfaces: [ExportedInterface]) {
    let names = interfaces.map(\.name)
    objects[path, default: []].removeAll { names.contains($0.name) }
    objects[path, default: []] += interfaces
  }

  /// Removes one object and signals InterfacesRemoved. Objects below it stay.
  package func remove(_ path: ObjectPath) {
    guard objects[path] != nil else { return }
    let names = allInterfaces(of: path).map(\.name)
    removeSilently(path)
    announce("InterfacesRemoved", path, .strings(names))
  }

  package func removeSilently(_ path: ObjectPath) {
    objects[path] = nil
  }

  /// Changes properties of an interface and signals one PropertiesChanged, which lists nil values
  /// as invalidated. Unknown properties are ignored.
  package func set(
    _ path: ObjectPath,
    _ interface: String,
    _ changes: [String: Value?],
    signal: Bool = true
  ) {
    guard let index = objects[path]?.firstIndex(where: { $0.name == interface }),
      var properties = objects[path]?[index].properties
    else { return }
    var changed: [String: Value] = [:]
    var invalidated: [String] = []
    for index in properties.indices {
      guard let change = changes[properties[index].name] else { continue }
      precondition(
        change == nil || change?.type == properties[index].type,
        "\(interface).\(properties[index].name) is not of type \(properties[index].type.code)"
      )
      properties[index].value = change
      if let change {
        changed[properties[index].name] = change
      } else {
        invalidated.append(properties[index].name)
      }
    }
    objects[path]?[index].properties = properties
    guard signal, !changed.isEmpty || !invalidated.isEmpty else { return }
    emit(
      path,
      StandardInterface.properties.name,
      "PropertiesChanged",
      [.string(interface), .properties(changed), .strings(invalidated)]
    )
  }

  package func emit(
    _ path: ObjectPath,
    _ interface: String,
    _ member: String,
    _ arguments: [Value] = []
  ) {
    let failure = withConnection { (connection) throws(DBusError) in
      try connection.emit(path: path, interface: interface, member: member, arguments: arguments)
    }
    assert(failure == nil, "\(failure?.description ?? "")")
  }

  /// Answers a call whose handler returned ``MethodOutcome/later``.
  package func reply(to call: IncomingCall, _ arguments: [Value] = []) {
    answer(call, .success(arguments))
  }

  /// Fails a call whose handler returned ``MethodOutcome/later``.
  package func fail(_ call: IncomingCall, _ error: DBusError) {
    answer(call, .failure(error))
  }

  private func answer(_ call: IncomingCall, _ result: Result<[Value], DBusError>) {
    let failure = withConnection { (connection) throws(DBusError) in
      try connection.answer(call, result)
    }
    guard let failure else { return }
    // The caller waits for an answer.
    let substitute = DBusError(
      name: DBusError.failed,
      message: "The answer to \(call.member) can't be sent: \(failure)"
    )
    _ = withConnection { (connection) throws(DBusError) in
      try connection.answer(call, .failure(substitute))
    }
  }

  private func announce(_ member: String, _ path: ObjectPath, _ interfaces: Value) {
    guard let managerPath, path != managerPath else { return }
    emit(
      managerPath,
      StandardInterface.objectManager.name,
      member,
      [.objectPath(path), interfaces]
    )
  }

  /// Both actors share an executor, so the connection is available without waiting. Returns the
  /// error of a failed send, but nil when the connection is closed.
  private func withConnection(
    _ body: @Sendable (isolated Connection) throws(DBusError) -> Void
  ) -> DBusError? {
    connection.assumeIsolated { connection in
      do throws(DBusError) {
        try body(connection)
        return nil
      } catch {
        return error.name == DBusError.disconnected ? nil : error
      }
    }
  }
}
