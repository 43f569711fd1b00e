import MachineLink

extension MachineSettings {
  /// Whether the text names a bus. An address is `transport:key=value,…`; libdbus checks the rest.
  package static func isBus(_ text: String) -> Bool {
    let transport = text.prefix { $0 != ":" }
    return text == "system" || text == "session"
      || (!transport.isEmpty && transport.count < text.count)
  }

  /// Six hexadecimal bytes with colons, in capital letters like BlueZ's; nil for other text.
  package static func address(_ text: String) -> String? {
    var link = LinkConfiguration()
    return link.setAddress(text) ? text.uppercased() : nil
  }

  /// Whether the text is a UUID of 16, 32 or 128 bits.
  /// Whether the text is an adapter's present name, such as `hci0`.
  package static func isAdapterName(_ text: String) -> Bool {
    let number = text.utf8.dropFirst(3)
    return text.hasPrefix("hci") && !number.isEmpty
      && number.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  package static func isUUID(_ text: String) -> Bool {
    var link = LinkConfiguration()
    return link.addProfile(service: text, characteristic: text)
  }
}
