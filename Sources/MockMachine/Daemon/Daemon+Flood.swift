import Clocks
import DBus

/// A hall full of phones that another program scans for.
struct Flood: Hashable, Sendable {
  /// Advertisements a second; 0 when there is no flood.
  var perSecond = 0
  /// What is left of an advertisement after the last tick.
  var fraction = 0.0
  var count = 0

  static let client = "another program"
  static let interval = Duration.milliseconds(20)
  /// How many phones are in the hall at a time.
  static let phones = 64
  /// After so many advertisements a phone takes its next private address.
  static let addressLifetime = 1000

  /// The phone that advertises now: non-resolvable private addresses, as phones use.
  func address(after count: Int) -> MockAddress? {
    let phone = count % Self.phones
    // Each phone changes its address once in a while, at another time than the others.
    let epoch = (count + phone * Self.addressLifetime) / (Self.addressLifetime * Self.phones)
    return MockAddress(
      [0x2a, epoch >> 24, epoch >> 16, epoch >> 8, epoch, phone]
        .map { UInt8(truncatingIfNeeded: $0).hexadecimal }
        .joined(separator: ":")
    )
  }
}

extension Daemon {
  mutating func setFlood(_ perSecond: Int) throws(MockVerbError) {
    guard let adapter = floodedAdapter else {
      throw MockVerbError("there is no powered adapter to flood")
    }
    flood.perSecond = perSecond
    if perSecond > 0 {
      startForeignScan(adapter)
      alarms.set(.flood, at: now + Flood.interval)
    } else {
      alarms.cancel(.flood)
      forget(Flood.client)
    }
  }

  mutating func rearmFlood() {
    guard flood.perSecond > 0, let adapter = floodedAdapter else { return }
    startForeignScan(adapter)
    alarms.set(.flood, at: now + Flood.interval)
  }

  mutating func advertiseFlood() {
    alarms.set(.flood, at: now + Flood.interval)
    guard let adapter = floodedAdapter, adapters[adapter]?.isDiscovering == true else { return }
    flood.fraction += Double(flood.perSecond) * Flood.interval.seconds
    while flood.fraction >= 1 {
      flood.fraction -= 1
      flood.count += 1
      replaceStalePhone(adapter)
      guard let address = flood.address(after: flood.count) else { continue }
      let byte = UInt8(truncatingIfNeeded: flood.count)
      hear(
        Advertisement(
          address: address,
          addressType: .random,
          name: nil,
          uuids: [],
          // 0x004c: Apple.
          manufacturerData: [0x004c: [0x10, 0x05, byte, byte >> 1]],
          rssi: flood.count / Flood.phones % 2 == 0 ? -90 : -70,
          isConnectable: false
        ),
        on: adapter
      )
      // Each advertisement is a signal of its own.
      outbox.append(.flush)
    }
  }

  /// The object of a phone that changed its address goes.
  private mutating func replaceStalePhone(_ adapter: String) {
    guard let old = flood.address(after: flood.count - Flood.phones),
      old != flood.address(after: flood.count)
    else { return }
    remove(DeviceID(adapter: adapter, address: old))
  }

  private var floodedAdapter: String? { adapters.keys.sorted().first { adapters[$0]!.isPowered } }
}
