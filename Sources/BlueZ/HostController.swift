import CBlueZ
import Glibc
import Host

/// A Bluetooth controller as the kernel sees it, independent of bluetoothd: for diagnosis.
package struct HostController: Hashable, Sendable {
  /// The N of `hciN`.
  package var index: Int
  /// Nil while it has none, for example without its firmware.
  package var address: BluetoothAddress?
  /// The controller's bus, as libbluetooth names it: `USB`, `UART`, `VIRTUAL`.
  package var bus = "USB"
  /// Whether it is switched on.
  package var isUp = true
  /// Errors since it was plugged in: packets that could not be received or sent.
  package var receiveErrors: UInt32 = 0
  package var sendErrors: UInt32 = 0

  package var name: String { "hci\(index)" }

  /// Reads `hciN`.
  ///
  /// - Returns: the N; nil for another name.
  package static func index(ofName name: some StringProtocol) -> Int? {
    let digits = name.utf8.dropFirst(3)
    guard name.hasPrefix("hci"), (1...5).contains(digits.count),
      digits.allSatisfy(\.isDigit)
    else { return nil }
    return Int(String(decoding: digits, as: UTF8.self))
  }

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
}

extension HostController {
  private init(index: Int, _ information: hci_dev_info) {
    var information = information
    var text = [CChar](repeating: 0, count: 18)
    ba2str(&information.bdaddr, &text)
    let address = BluetoothAddress(String(decoding: text.prefix(17).map(UInt8.init), as: UTF8.self))
    self.init(
      index: index,
      address: address == BluetoothAddress("00:00:00:00:00:00") ? nil : address,
      // The low four bits; the high ones distinguish primary controllers from others.
      bus: hci_bustostr(Int32(information.type & 0x0f)).map { String(cString: $0) } ?? "unknown",
      isUp: hci_test_bit(Int32(HCI_UP), &information.flags) != 0,
      receiveErrors: information.stat.err_rx,
      sendErrors: information.stat.err_tx
    )
  }
}
