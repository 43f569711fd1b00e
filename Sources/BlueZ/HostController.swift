import CBlueZ
import Glibc

/// A Bluetooth controller as the kernel sees it, whatever bluetoothd makes of it: for diagnosis.
package struct HostController: Hashable, Sendable {
  /// The N of `hciN`.
  package let index: Int
  package let address: BluetoothAddress?
  /// Whether it is switched on.
  package let isUp: Bool

  /// Why the kernel can't be asked.
  package enum Failure: Error, Hashable, Sendable {
    /// The kernel has no Bluetooth, or this process is in a network namespace without it.
    case noBluetooth
    case system(errno: Int32)
  }

  /// All controllers, in the order of their indices. Needs no privilege.
  package static func all() throws(Failure) -> [HostController] {
    var controllers: [HostController] = []
    // Source: BlueZ lib/hci.h, HCI_MAX_DEV.
    for index in 0..<16 {
      var information = hci_dev_info()
      if hci_devinfo(Int32(index), &information) == 0 {
        controllers.append(HostController(index: index, information))
        continue
      }
      switch errno {
      case ENODEV: continue
      case EAFNOSUPPORT: throw .noBluetooth
      case let code: throw .system(errno: code)
      }
    }
    return controllers
  }

  private init(index: Int, _ information: hci_dev_info) {
    var information = information
    self.index = index
    isUp = hci_test_bit(Int32(HCI_UP), &information.flags) != 0
    var text = [CChar](repeating: 0, count: 18)
    ba2str(&information.bdaddr, &text)
    address = BluetoothAddress(String(decoding: text.prefix(17).map(UInt8.init), as: UTF8.self))
  }
}
