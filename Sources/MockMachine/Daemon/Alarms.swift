/// One adapter's view of one device: what an object `/org/bluez/hci0/dev_…` stands for.
struct DeviceID: Hashable, Sendable {
  var adapter: String
  var address: MockAddress
}

/// What a time may come for. At most one of each is set.
enum Alarm: Hashable, Sendable {
  /// The device is heard by the scanning adapter.
  case report(DeviceID)
  /// A temporary device was not seen for too long.
  case temporary(DeviceID)
  /// The pending Connect reaches its planned end.
  case attempt(DeviceID)
  case resolve(DeviceID)
  /// GATT objects that are announced late.
  case gattObjects(DeviceID)
  /// The wait of Disconnect or RemoveDevice is over.
  case disconnect(DeviceID)
  /// The silent peer's link times out.
  case supervision(DeviceID)
  /// The first of the queued ATT requests is answered.
  case response(DeviceID)
  /// … was never answered.
  case attTimeout(DeviceID)
  /// A Write Command reaches the machine.
  case command(UInt64)
  /// The machine answers a StartNotify.
  case subscription(UInt64)
  /// A notification reaches us.
  case notification(UInt64)
  /// The machine sends bytes that nothing asked for.
  case garbage(MockAddress)
  /// A delayed call starts.
  case held(UInt64)
  /// Set Powered is done.
  case power(String)
  case discovery(adapter: String, client: String)
  case clientGone(String)
  /// The machine advertises again.
  case advertise(MockAddress)
  case comeUp
  case objects
  case flood
}

/// The alarms that are set, by deadline; those of one deadline in the order of their setting.
struct Alarms {
  private struct Entry: Comparable {
    var deadline: Duration
    var order: Int

    static func < (left: Entry, right: Entry) -> Bool {
      (left.deadline, left.order) < (right.deadline, right.order)
    }
  }

  private var entries: [Alarm: Entry] = [:]
  private var order = 0

  var nextDeadline: Duration? { entries.values.min()?.deadline }

  func contains(_ alarm: Alarm) -> Bool { entries[alarm] != nil }

  mutating func set(_ alarm: Alarm, at deadline: Duration) {
    order += 1
    entries[alarm] = Entry(deadline: deadline, order: order)
  }

  mutating func cancel(_ alarm: Alarm) { entries[alarm] = nil }

  mutating func cancel(where isObsolete: (Alarm) -> Bool) {
    entries = entries.filter { !isObsolete($0.key) }
  }

  /// Takes the first alarm that is due.
  mutating func popDue(at now: Duration) -> (alarm: Alarm, deadline: Duration)? {
    guard let first = entries.min(by: { $0.value < $1.value }), first.value.deadline <= now else {
      return nil
    }
    entries[first.key] = nil
    return (first.key, first.value.deadline)
  }
}
