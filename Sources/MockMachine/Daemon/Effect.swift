import DBus

/// A method call to bluetoothd, or the Set of a property.
struct Call: Hashable, Sendable {
  /// Names the call when it is answered.
  var id: UInt64
  var sender: String
  var path: ObjectPath
  /// The method, or `Set Powered` for a property.
  var method: String
  var arguments: [Value]
}

/// An interface of a new object with the properties that it has now.
struct ObjectInterface: Hashable, Sendable {
  var name: String
  var properties: [String: Value]
}

/// What bluetoothd does, in this order.
enum Effect: Hashable, Sendable {
  case reply(UInt64, [Value])
  case fail(UInt64, DBusError)
  /// The call is never answered.
  case abandon(UInt64)
  case add(ObjectPath, [ObjectInterface], silently: Bool)
  case remove(ObjectPath)
  /// One PropertiesChanged; nil for a property that ceased to exist.
  case change(ObjectPath, String, [String: Value?], silently: Bool)
  /// A signal of an interface's own, with strings for arguments.
  case signal(ObjectPath, String, String, [String])
  /// What changes after this is a signal of its own.
  case flush
  /// The connection to the bus closes, as when bluetoothd dies.
  case goDown
  /// A new connection takes the name.
  case comeUp
  case publish(MockEvent.Kind)
}

/// Effects in the making. Changes of one interface coalesce until something else is sent, as in
/// gdbus (`gdbus/object.c`): signals show levels, not edges.
struct Outbox {
  private(set) var effects: [Effect] = []

  mutating func append(_ effect: Effect) { effects.append(effect) }

  mutating func change(_ path: ObjectPath, _ interface: String, _ changes: [String: Value?]) {
    for index in effects.indices.reversed() {
      switch effects[index] {
      case .change(path, interface, let earlier, silently: false):
        let all = earlier.merging(changes) { _, new in new }
        effects[index] = .change(path, interface, all, silently: false)
        return
      case .change, .publish: continue
      default: break
      }
      break
    }
    effects.append(.change(path, interface, changes, silently: false))
  }

  mutating func drain() -> [Effect] {
    defer { effects = [] }
    return effects
  }
}
