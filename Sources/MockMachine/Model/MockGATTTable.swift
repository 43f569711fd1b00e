/// What a peer's GATT server holds, with the attribute handles that BlueZ's object paths show.
package struct MockGATTTable: Hashable, Sendable {
  package struct Descriptor: Hashable, Sendable {
    package var handle: UInt16
    package var uuid: MockUUID
  }

  package struct Characteristic: Hashable, Sendable {
    /// The handle of the declaration, which names the object; the value's handle is the next one.
    package var handle: UInt16
    package var uuid: MockUUID
    package var flags: [String]
    package var descriptors: [Descriptor]

    /// The flag of a peer that takes writes over an encrypted link alone. BlueZ does not show it.
    static let encryptWrite = "encrypt-write"

    /// The flags that BlueZ shows.
    var shownFlags: [String] { flags.filter { $0 != Self.encryptWrite } }

    var canNotify: Bool { flags.contains("notify") || flags.contains("indicate") }
  }

  package struct Service: Hashable, Sendable {
    package var handle: UInt16
    package var uuid: MockUUID
    package var characteristics: [Characteristic]
  }

  package var services: [Service]

  package init(services: [Service] = []) {
    self.services = services
  }

  /// A service before it has handles.
  package struct Draft: Sendable {
    package var uuid: MockUUID
    package var characteristics: [(uuid: MockUUID, flags: [String])]

    package init(_ uuid: MockUUID, _ characteristics: (uuid: MockUUID, flags: [String])...) {
      self.uuid = uuid
      self.characteristics = characteristics
    }
  }

  /// Lays services out one after the other, as a GATT server numbers its attributes: service
  /// declaration, then for each characteristic its declaration, value and, if it can notify, the
  /// client characteristic configuration descriptor.
  package init(_ drafts: [Draft]) {
    var next: UInt16 = 1
    func take(_ count: UInt16 = 1) -> UInt16 {
      defer { next += count }
      return next
    }
    services = drafts.map { draft in
      Service(
        handle: take(),
        uuid: draft.uuid,
        characteristics: draft.characteristics.map { uuid, flags in
          var characteristic = Characteristic(
            handle: take(2),
            uuid: uuid,
            flags: flags,
            descriptors: []
          )
          if characteristic.canNotify {
            characteristic.descriptors = [Descriptor(handle: take(), uuid: "2902")]
          }
          return characteristic
        }
      )
    }
  }

  package func characteristic(_ handle: UInt16) -> Characteristic? {
    for service in services {
      if let found = service.characteristics.first(where: { $0.handle == handle }) { return found }
    }
    return nil
  }

  /// The device's `UUIDs` once it is resolved. GAP is claimed by bluetoothd and shows only here.
  var resolvedUUIDs: [MockUUID] { ["1800"] + services.map(\.uuid) }

  /// The first characteristic that can notify: what the verb `notify` uses.
  var notifier: Characteristic? {
    services.filter { $0.uuid != "1801" }.flatMap(\.characteristics).first(where: \.canNotify)
  }
}
