import Configuration
import Host
import MachineLink
import Programs

/// Which bus, which adapter, and which machine.
struct MachineOptions: Equatable {
  /// `system`, `session` or a D-Bus address; nil: the configuration's, which is system by default.
  var bus: String?
  /// An address, or a name until ``AdapterSubcommand`` has looked it up.
  var adapter: String?
  var address: String?
  var name: String?
  var service: String?
  var characteristic: String?
  var forgetsMachine = false

  static let busOption: Option<MachineOptions> = .value(
    "bus",
    .bus,
    \.bus,
    "Look for BlueZ on this bus: system (default), session or a D-Bus address"
  )

  static let adapterOption: Option<MachineOptions> = .value(
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
  static let linkOptions: [Option<MachineOptions>] =
    [busOption, adapterOption] + identityOptions + [
      .value("service", .uuid, \.service, "Try this GATT service before the known ones"),
      .value(
        "characteristic",
        .characteristic,
        \.characteristic,
        "The command characteristic in that service, or its handle where UUIDs are equal"
      ),
    ]

  static let options: [Option<MachineOptions>] =
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
  static let memory = """
    The machine of the last good link is remembered in machine.json in \
    $BALLMACHINE_STATE_DIRECTORY; else in $STATE_DIRECTORY; else in /var/lib/ballmachine for \
    root, and in $XDG_STATE_HOME/ballmachine or ~/.local/state/ballmachine for other users.
    """

  func validate() throws(UsageError) {
    let isByHandle = characteristic.map(MachineSettings.isHandle) == true
    guard (service == nil) == (characteristic == nil) || isByHandle else {
      throw UsageError("--service and --characteristic go together")
    }
  }
}

extension MachineOptions {
  /// How the link finds the machine, including one that an earlier run remembered.
  ///
  /// - Parameter owing: the stop commands that earlier programs owe: each goes to its machine.
  func link(
    for settings: MachineSettings,
    with machines: KnownMachines,
    owing debts: [StopDebt] = []
  ) async -> LinkConfiguration {
    if forgetsMachine { await machines.memory.forget() }
    var link = settings.link
    link.remembered = forgetsMachine ? [] : await machines.memory.recall()
    link.adopted = await machines.adopted.recall()
    link.leftLink = await machines.left.recall()
    link.owedStops = debts
    return link
  }
}

extension MachineOptions {
  /// ``link(for:with:)`` for a command that must not wait for a disk: it does without the memory
  /// if the settings name a machine.
  ///
  /// - Parameters:
  ///   - debts: where another bridge has their directory, its files stay as they are.
  ///   - owing: as in ``link(for:with:owing:)``.
  /// - Throws: ``Failure`` if only the memory could name the machine.
  func promptLink(
    for settings: MachineSettings,
    with machines: KnownMachines,
    beside debts: StopDebts,
    owing owed: [StopDebt] = [],
    of subcommand: String
  ) async throws -> LinkConfiguration {
    do {
      return try await waiting(atMost: ReadingLimit.duration) { [self] in
        if await debts.isHeldElsewhere {
          await machines.memory.onlyLook()
          await machines.left.onlyLook()
        }
        return await link(for: settings, with: machines, owing: owed)
      }
    } catch is TimeoutError {
      let trouble = "the disk of the state directory does not answer"
      guard settings.address != nil || settings.name != nil else {
        throw Failure(
          .inputOutput,
          "the machine is not known: \(trouble): give --address, or use the"
            + " machine's switch"
        )
      }
      Output.complain("ballmachine \(subcommand): warning: \(trouble): no machine is remembered")
      return settings.link
    }
  }
}

/// How long a command by hand waits for a file's disk.
enum ReadingLimit {
  static let duration = Duration.seconds(3)
}

extension StopDebts {
  /// Whether a stop command may be owed; true if the disk does not answer.
  nonisolated func mayOwe(_ isOwed: @escaping @Sendable (StopDebts) async -> Bool) async -> Bool {
    (try? await waiting(atMost: ReadingLimit.duration) { await isOwed(self) }) ?? true
  }

  /// ``takeDirectory()`` for a command by hand; without the directory if the disk does not answer.
  nonisolated func takeDirectoryPromptly() async throws {
    do {
      try await waiting(atMost: ReadingLimit.duration) { try await self.takeDirectory() }
    } catch is TimeoutError {
      // The memory of the machine says so.
    }
  }
}

extension StopDebts {
  /// The debts in the user's state directory; warnings go to standard error.
  init(of subcommand: String) {
    let warn: @Sendable (String) -> Void = {
      Output.complain("ballmachine \(subcommand): warning: \($0)")
    }
    do throws(StateDirectoryError) {
      self.init(in: try StateDirectory(), warn: warn)
    } catch {
      self.init(in: nil, warn: warn)
      warn("an owed stop command can't be recorded: \(error)")
    }
  }
}

extension ValueKind where Value == String {
  static var bus: ValueKind { ValueKind("BUS", .bus) }

  /// An adapter's address, or its present name.
  static var adapter: ValueKind {
    ValueKind("ADAPTER") { (text) throws(UsageError) in
      guard let adapter = MachineSettings.adapter(text) else {
        throw UsageError("is neither an adapter's address such as F0:F1:F2:F3:F4:F5 nor hci0")
      }
      return adapter
    }
  }

  /// A characteristic's UUID, handle or path.
  static var characteristic: ValueKind { ValueKind("CHARACTERISTIC", .characteristic) }

  static var uuid: ValueKind { ValueKind("UUID", .uuid) }

  /// The value has capital letters, as BlueZ writes it.
  static var deviceAddress: ValueKind { ValueKind("ADDRESS", .deviceAddress) }
}
