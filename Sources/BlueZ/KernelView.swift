import Glibc

/// Bluetooth as the kernel shows it: its controllers, and the switches that silence them.
///
/// bluetoothd shows less: a controller that it could not set up is missing, and a blocked one is
/// only off.
package struct KernelView: Hashable, Sendable {
  package var controllers: Result<[HostController], HostController.Failure>
  package var switches: [RadioSwitch] = []
  /// The output of `uname -r`, such as `6.1.0-56-amd64`; nil when not asked for.
  package var release: String?

  /// The present view of this box.
  ///
  /// - Parameter sysfs: the folder that stands for `/sys`.
  package static func current(sysfs: String = "/sys") -> KernelView {
    KernelView(
      controllers: Result(catching: HostController.all),
      switches: RadioSwitch.all(in: sysfs),
      release: currentRelease
    )
  }

  private static var currentRelease: String? {
    var names = utsname()
    guard uname(&names) == 0 else { return nil }
    return withUnsafeBytes(of: names.release) { name in
      String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// The block by the switch of `hciN` itself; nil if there is none.
  package func block(ofController index: Int) -> RadioSwitch.Block? {
    switches.first { $0.controller == index && $0.block != nil }?.block
  }

  /// The block by a switch of the box, which may hide controllers completely; nil if none blocks.
  package var blockOfTheBox: RadioSwitch.Block? {
    switches.first { $0.controller == nil && $0.block != nil }?.block
  }
}
