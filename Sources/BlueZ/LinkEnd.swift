/// Why a link has ended, where BlueZ tells it: from 5.83 on, by the signal `Device1.Disconnected`.
///
/// Source: BlueZ src/device.c, `device_disconnected`.
package enum LinkEnd: String, Hashable, Sendable, CaseIterable {
  /// Nothing was heard of the device any more.
  case timeout = "Timeout"
  /// This box: bluetoothd itself, or a program that asked it to.
  case local = "Local"
  /// The device.
  case remote = "Remote"
  case authentication = "Authentication"
  /// This box went to sleep.
  case suspend = "Suspend"

  /// - Parameter name: such as `org.bluez.Reason.Timeout`. Nil for `Unknown`, and for names that are not known.
  package init?(reason name: String) {
    let start = "org.bluez.Reason."
    guard name.hasPrefix(start) else { return nil }
    self.init(rawValue: String(name.dropFirst(start.count)))
  }

  /// Who or what ended the link, for people.
  package var reason: String {
    switch self {
    case .timeout: "the machine is out of range, or was switched off"
    case .local: "this box ended it"
    case .remote: "the machine ended it"
    case .authentication: "the machine and this box could not agree on their keys"
    case .suspend: "this box went to sleep"
    }
  }
}
