import DBus

// Decides which code answers a call. Errors and their texts are gdbus's, hence BlueZ's.
// Source: BlueZ gdbus/object.c, dbus dbus-connection.c (dbus_connection_dispatch).
extension ObjectServer {
  func outcome(of call: IncomingCall) async -> MethodOutcome {
    if call.interface == StandardInterface.peer { return answerAsPeer(call) }
    guard exists(call.path) else { return .failure(.unknownObject(call)) }
    guard
      let interface = allInterfaces(of: call.path).first(where: { $0.name == call.interface }),
      let method = interface.methods.first(where: { $0.name == call.member }),
      method.inputs.map(\.type) == call.arguments.map(\.type)
    else { return .failure(.unknownMethod(call)) }

    switch interface.name {
    case StandardInterface.introspectable.name: return .reply([.string(introspect(call.path))])
    case StandardInterface.properties.name: return await answerAsProperties(call)
    case StandardInterface.objectManager.name: return .reply([managedObjects()])
    default: return await method.handler(call)
    }
  }

  /// The object's own interfaces and the standard ones that these imply.
  func allInterfaces(of path: ObjectPath) -> [ExportedInterface] {
    guard let own = objects[path] else {
      return path == managerPath
        ? [StandardInterface.introspectable, StandardInterface.objectManager]
        : [StandardInterface.introspectable]
    }
    var interfaces = [StandardInterface.introspectable] + own
    if own.contains(where: { !$0.properties.isEmpty }) {
      interfaces.append(StandardInterface.properties)
    }
    if path == managerPath { interfaces.append(StandardInterface.objectManager) }
    return interfaces
  }

  /// Whether the path is exported, or above an exported one.
  private func exists(_ path: ObjectPath) -> Bool {
    objects[path] != nil || path == managerPath
      || objects.keys.contains { $0.isDescendant(of: path) }
  }

  /// Answers for every path, as libdbus does, whether there is an object or not.
  private func answerAsPeer(_ call: IncomingCall) -> MethodOutcome {
    switch call.member {
    case "Ping": return .reply([])
    case "GetMachineId":
      do throws(DBusError) { return .reply([.string(try Bus.machineID())]) } catch {
        return .failure(error)
      }
    default: return .failure(.unknownMethod(call))
    }
  }

  private func managedObjects() -> Value {
    var entries: [Value: Value] = [:]
    for path in objects.keys where path != managerPath {
      entries[.objectPath(path)] = .interfaces(allInterfaces(of: path))
    }
    return .dictionary(
      key: .objectPath,
      value: .dictionary(key: .string, value: .dictionary(key: .string, value: .variant)),
      entries
    )
  }
}
