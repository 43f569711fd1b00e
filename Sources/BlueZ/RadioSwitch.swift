import Host

/// One of the kernel's switches that silence a Bluetooth radio (rfkill), as sysfs shows it.
///
/// Source: Linux Documentation/ABI/stable/sysfs-class-rfkill.
package struct RadioSwitch: Hashable, Sendable {
  /// What keeps a radio silent.
  package enum Block: Hashable, Sendable {
    /// A program blocks it, and a program can unblock it.
    case soft
    /// A switch, a key or the firmware of the box blocks it: no program can undo that.
    case hard
  }

  /// The N of `rfkillN`.
  package var number: Int
  /// The driver's name for it: `hci0`, or `tpacpi_bluetooth_sw`, say, for a switch of the box.
  package var name: String
  /// The N of the `hciN` that it silences. Nil for a switch of the box, which mostly removes the
  /// whole controller.
  package var controller: Int?
  /// Nil when it lets the radio work. A hard block takes precedence: it outlasts a soft one.
  package var block: Block?

  /// The switches of Bluetooth radios, in the order of their numbers.
  ///
  /// An entry that is not exactly as the kernel writes it is left out. A kernel without rfkill has
  /// none.
  ///
  /// - Parameter sysfs: the folder that stands for `/sys`.
  package static func all(in sysfs: String = "/sys") -> [RadioSwitch] {
    let folder = sysfs + "/class/rfkill"
    let entries = (try? Directory.names(in: folder)) ?? []
    return entries.compactMap { RadioSwitch(entry: $0, in: folder) }
      .sorted { $0.number < $1.number }
  }
}

extension RadioSwitch {
  private init?(entry: String, in folder: String) {
    let path = "\(folder)/\(entry)"
    guard entry.hasPrefix("rfkill"), let number = Int(entry.dropFirst(6)), number >= 0,
      attribute("type", of: path) == "bluetooth",
      let soft = flag("soft", of: path), let hard = flag("hard", of: path)
    else { return nil }
    let name = attribute("name", of: path) ?? entry
    let device = Directory.target(ofLink: path + "/device")
    let parent = device?.split(separator: "/").last.map(String.init)
    self.init(
      number: number,
      name: name,
      controller: parent.flatMap(HostController.index) ?? HostController.index(ofName: name),
      block: hard ? .hard : soft ? .soft : nil
    )
  }
}

private func flag(_ name: String, of path: String) -> Bool? {
  attribute(name, of: path).flatMap { ["0": false, "1": true][$0] }
}

private func attribute(_ name: String, of path: String) -> String? {
  KernelAttribute.text(in: "\(path)/\(name)")
}
