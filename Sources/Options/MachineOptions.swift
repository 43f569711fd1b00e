import Configuration
package import Programs

/// Which bus, which adapter, and which machine.
package struct MachineOptions: Equatable {
  /// `system`, `session` or a D-Bus address; nil: the configuration's, which is system by default.
  package var bus: String?
  /// An address, or a name until ``AdapterSubcommand`` has looked it up.
  package var adapter: String?
  package var address: String?
  package var name: String?
  package var service: String?
  package var characteristic: String?
  package var forgetsMachine = false

  package init() {}

  package static let busOption: Option<MachineOptions> = .value(
    "bus",
    .bus,
    \.bus,
    "Look for BlueZ on this bus: system (default), session or a D-Bus address"
  )

  package static let adapterOption: Option<MachineOptions> = .value(
    "adapter",
    .adapter,
    \.adapter,
    """
    Use only the Bluetooth adapter with this address, or with this present name, such as hci0, or \
    D-Bus path
    """
  )

  /// Which machine is meant, by its address or name.
  static let identityOptions: [Option<MachineOptions>] = [
    .value(
      "address",
      .deviceAddress,
      \.address,
      "Use the machine with this Bluetooth address, whatever its name"
    ),
    .value("name", .text("NAME"), \.name, "Use the machine that advertises this name"),
  ]

  /// What a link needs to know.
  package static let linkOptions: [Option<MachineOptions>] =
    [busOption, adapterOption] + identityOptions + [
      .value("service", .uuid, \.service, "Try this GATT service before the known ones"),
      .value(
        "characteristic",
        .characteristic,
        \.characteristic,
        "The command characteristic in that service, or its handle where UUIDs are equal"
      ),
    ]

  package static let options: [Option<MachineOptions>] =
    linkOptions + [
      .flag(
        "forget-machine",
        \.forgetsMachine,
        """
        Forget the machine of the last good link first. Without this, and without --address and \
        --name, only that machine is used
        """
      )
    ]

  /// The paragraph on the remembered machine, in the help of each subcommand that links to a
  /// machine.
  package static let memory = """
    The machine of the last good link is remembered in machine.json in \
    $BALLMACHINE_STATE_DIRECTORY; else in $STATE_DIRECTORY; else in /var/lib/ballmachine for \
    root, and in $XDG_STATE_HOME/ballmachine or ~/.local/state/ballmachine for other users.
    """

  package func validate() throws(UsageError) {
    let isByHandle = characteristic.map(MachineSettings.isHandle) == true
    guard (service == nil) == (characteristic == nil) || isByHandle else {
      throw UsageError("--service and --characteristic go together")
    }
  }
}

extension ValueKind where Value == String {
  package static var bus: ValueKind { ValueKind("BUS", .bus) }

  /// An adapter's address, or its present name.
  package static var adapter: ValueKind {
    ValueKind("ADAPTER") { (text) throws(UsageError) in
      guard let adapter = MachineSettings.adapter(text) else {
        throw UsageError("is neither an adapter's address such as F0:F1:F2:F3:F4:F5 nor hci0")
      }
      return adapter
    }
  }

  /// A characteristic's UUID, handle or path.
  package static var characteristic: ValueKind { ValueKind("CHARACTERISTIC", .characteristic) }

  static var uuid: ValueKind { ValueKind("UUID", .uuid) }

  /// The value has capital letters, as BlueZ writes it.
  static var deviceAddress: ValueKind { ValueKind("ADDRESS", .deviceAddress) }
}
