import DBus

/// bluetoothd's time on the bus: one connection with its objects.
struct BusPresence: Sendable {
  let number: Int
  let connection: Connection
  let server: ObjectServer
  /// Who comes to the bus and leaves it.
  let clients: AsyncStream<Signal>

  static func open(_ bus: BusAddress, number: Int) async throws(DBusError) -> BusPresence {
    let connection = try await Connection.open(bus)
    do throws(DBusError) {
      let rule = MatchRule(
        sender: Bus.name,
        interface: Bus.name,
        member: "NameOwnerChanged"
      )
      return BusPresence(
        number: number,
        connection: connection,
        server: ObjectServer(connection: connection, managerPath: .root),
        clients: try await connection.subscribe(to: [rule])
      )
    } catch {
      await connection.close()
      throw error
    }
  }
}

extension Signal {
  /// The unique name of the connection that left the bus, when this signal says that.
  var departedClient: String? {
    guard sender == Bus.name, member == "NameOwnerChanged", arguments.count == 3,
      let name = arguments[0].string, name.hasPrefix(":"), arguments[2].string == ""
    else { return nil }
    return name
  }
}

extension ObjectServer {
  /// Carries out what bluetoothd does, without letting a call in between.
  /// Returns the calls that are still unanswered.
  func apply(
    _ effects: [Effect],
    answering calls: [UInt64: IncomingCall],
    receive: @escaping ExportedInterface.Receiver
  ) -> [UInt64: IncomingCall] {
    var calls = calls
    for effect in effects {
      switch effect {
      case .reply(let id, let values):
        if let call = calls.removeValue(forKey: id) { reply(to: call, values) }
      case .fail(let id, let error):
        if let call = calls.removeValue(forKey: id) { fail(call, error) }
      case .abandon(let id): calls[id] = nil
      case .add(let path, let interfaces, let silently):
        let exports = interfaces.map { ExportedInterface($0, receive: receive) }
        if silently {
          addSilently(path, exports)
        } else {
          add(path, exports)
        }
      case .remove(let path): remove(path)
      case .change(let path, let interface, let changes, let silently):
        set(path, interface, changes, signal: !silently)
      case .signal(let path, let interface, let member, let texts):
        emit(path, interface, member, texts.map(Value.string))
      case .flush, .goDown, .comeUp, .publish: break
      }
    }
    return calls
  }
}
