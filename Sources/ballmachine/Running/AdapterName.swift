import BlueZ
import Configuration
import Host
import MachineLink
import Options
import Programs
import Service

/// A subcommand with the option `--adapter`, which also takes a present name, such as `hci0`.
///
/// The address is looked up once: the name may be another adapter's when one is plugged in again. Where two
/// adapters have the same address, or this one has none, the name stays.
protocol AdapterSubcommand: Subcommand {
  var configuration: ConfigurationOptions { get }
  var machine: MachineOptions { get set }
  /// Whether it is better to end than to use any adapter. A stop goes through any.
  var needsAdapter: Bool { get }
}

extension AdapterSubcommand {
  func validate() throws(UsageError) {
    try machine.validate()
  }

  /// The subcommand with the adapter's address in place of its name.
  func withAdapterAddress() async throws -> any Subcommand {
    guard let name = machine.adapter, MachineSettings.address(name) == nil else { return self }
    var command = self
    do {
      command.machine.adapter = try await waiting(atMost: .seconds(3)) {
        [bus = machine.bus, configuration] in
        let given = if let bus { bus } else { try await configuration.bus() }
        return try await reference(toAdapter: name, on: given)
      }
    } catch {
      let failure =
        error is TimeoutError
        ? Failure(.unavailable, "--adapter \(name): bluetoothd, or a disk, does not answer")
        : error
      guard !needsAdapter else { throw failure }
      command.machine.adapter = nil
      Output.complain("ballmachine \(Self.usage.name): warning: \(failure): any adapter is used")
    }
    return command
  }
}

/// - Parameter name: the present one, such as `hci0`.
private func reference(toAdapter name: String, on bus: String) async throws -> String {
  let adapters: [Adapter]
  do throws(BlueZError) { adapters = try await Adapter.all(on: bus) } catch {
    let failure = Failure(
      linkFault: error.kind == .serviceAbsent ? .serviceAbsent : .busUnreachable(error)
    )
    throw Failure(failure.code, "--adapter \(name): \(failure)")
  }
  guard let adapter = adapters.first(where: { $0.name == name }) else {
    let others = adapters.map { "\($0.name) \($0.address)" }
    throw Failure(
      .unavailable,
      "--adapter \(name): there is no such adapter; there "
        + (others.isEmpty ? "is none" : "is " + others.joined(separator: ", "))
    )
  }
  return AdapterReference(adapter, among: adapters).argument
}

extension ConfigurationOptions {
  /// The configured bus, even if other parts of the files are wrong.
  fileprivate func bus() async throws -> String {
    try await WaitingThread.value {
      Result {
        do { return try effective().values.machine.bus } catch let error as ConfigurationError {
          return error.machine.bus
        }
      }
    }.get()
  }
}
