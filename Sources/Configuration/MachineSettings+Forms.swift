import Glibc
import Host
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

  /// An adapter's address as ``address(_:)``, or its present name, such as `hci0`, also of a D-Bus path; nil
  /// for other text.
  package static func adapter(_ text: String) -> String? { AdapterReference(text)?.argument }

  /// Whether the text is a UUID, or a characteristic's handle or path.
  package static func isCharacteristic(_ text: String) -> Bool {
    isUUID(text) || isHandle(text)
  }

  /// Whether the text is a characteristic's handle or path, which needs no service.
  package static func isHandle(_ text: String) -> Bool {
    var link = LinkConfiguration()
    return link.addProfile(service: nil, characteristic: text)
  }

  /// Whether the text is a UUID of 16, 32 or 128 bits.
  package static func isUUID(_ text: String) -> Bool {
    var link = LinkConfiguration()
    return link.addProfile(service: text, characteristic: "ffe1")
  }
}

extension PositionSettings {
  /// Whether the text, meant as a source of positions, is an address on a network: `tcp:…`,
  /// `http://…` or `localhost:5000`. A file of such a name is a file.
  package static func isNetwork(_ text: String) -> Bool {
    let parts = text.lowercased().split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count > 1, access(text, F_OK) != 0 else { return false }
    let schemes = [
      "tcp", "tcp4", "tcp6", "udp", "http", "https", "ws", "wss", "mqtt", "ssh", "rtsp",
    ]
    let isHost = (parts.count == 2 || text.hasPrefix("[")) && !text.contains("/")
    return schemes.contains(String(parts[0])) || isHost && UInt16(parts[parts.count - 1]) != nil
  }

  /// Why such a source is refused, and what to do.
  package static let noNetwork =
    "there is no network here: positions from another machine come through ssh and socat, see"
    + " ballmachine(1), “Positions from another machine”"
}
