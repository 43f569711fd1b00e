import Glibc

/// Bluetooth as the kernel shows it: its controllers, and the switches that silence them.
///
/// bluetoothd tells neither: a controller that it could not set up is missing there, and one that is
/// blocked is only off.
package struct KernelView: Hashable, Sendable {
  package var controllers: Result<[HostController], HostController.Failure>
  package var switches: [RadioSwitch]
  /// As `uname -r` tells it, such as `6.1.0-56-amd64`; nil when nobody has asked.
  package var release: String?

  package init(
    controllers: Result<[HostController], HostController.Failure>,
    switches: [RadioSwitch] = [],
    release: String? = nil
  ) {
    self.controllers = controllers
    self.switches = switches
    self.release = release
  }

  /// This box's, now.
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

  /// What keeps `hciN` from being switched on, if its own switch does.
  package func block(ofController index: Int) -> RadioSwitch.Block? {
    switches.first { $0.controller == index && $0.block != nil }?.block
  }

  /// What may keep a controller from showing at all: a switch of the box's own that is off.
  package var blockOfTheBox: RadioSwitch.Block? {
    switches.first { $0.controller == nil && $0.block != nil }?.block
  }
}
