/// Which bus, and which machine on it.
struct MachineOptions {
  /// `system`, `session` or a D-Bus address.
  var bus = "system"
  var address: String?
  var name: String?

  static let busOption: Option<MachineOptions> = .value(
    "bus",
    .bus,
    \.bus,
    "Look for BlueZ on this bus: system (default), session or a D-Bus address"
  )

  static let options: [Option<MachineOptions>] = [
    busOption,
    .value(
      "address",
      .deviceAddress,
      \.address,
      "Use the machine with this Bluetooth address, whatever it calls itself"
    ),
    .value("name", .text("NAME"), \.name, "Use the machine that advertises this name"),
  ]
}

extension ValueKind where Value == String {
  static var bus: ValueKind {
    ValueKind("BUS") { (text) throws(UsageError) in
      // An address is `transport:key=value,…`; libdbus checks the rest.
      let transport = text.prefix { $0 != ":" }
      guard
        text == "system" || text == "session"
          || (!transport.isEmpty && transport.count < text.count)
      else {
        throw UsageError("is neither system, session nor a D-Bus address such as unix:path=/…")
      }
      return text
    }
  }

  /// Six hexadecimal bytes with colons; the value has capital letters, as BlueZ writes it.
  static var deviceAddress: ValueKind {
    ValueKind("ADDRESS") { (text) throws(UsageError) in
      let bytes = text.split(separator: ":", omittingEmptySubsequences: false)
      guard bytes.count == 6,
        bytes.allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy { $0.isASCII && $0.isHexDigit } })
      else { throw UsageError("is no Bluetooth address such as F0:F1:F2:F3:F4:F5") }
      return text.uppercased()
    }
  }
}
