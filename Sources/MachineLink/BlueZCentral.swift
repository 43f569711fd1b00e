package import BlueZ
import CourtLogic
package import DBus
package import Host

/// Carries the link's operations out over BlueZ. The only file of this module that does I/O.
package actor BlueZCentral: MachineCentral {
  package nonisolated let levels: AsyncStream<BlueZState>
  /// Runs all connections, and the link as well.
  private nonisolated let executor = LoopExecutor.ofProgram()
  private let bus: BusAddress
  private let kernel: (@Sendable () -> KernelView)?
  private let levelsContinuation: AsyncStream<BlueZState>.Continuation
  package nonisolated let notifications: AsyncStream<(bytes: [UInt8], receipt: UInt64)>
  private let notificationsContinuation: AsyncStream<(bytes: [UInt8], receipt: UInt64)>.Continuation
  private let clients: AsyncStream<BlueZClient>
  private let clientsContinuation: AsyncStream<BlueZClient>.Continuation
  private let claims: ClaimPolicy
  /// The machine that this link writes to. It stays claimed until another one is, or the end.
  private var claim: Claim?
  private var client: BlueZClient?
  /// The revision of the last state of all clients so far: the next one's are newer.
  private var revision: UInt64 = 0
  private var isClosed = false

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// How many values a slow link may be behind: more can only be garbage.
  private static let notificationBacklog = 64

  private struct Claim {
    let machine: BluetoothAddress
    let bus: String
    /// Nil where it could not be made.
    let claim: MachineClaim?
  }

  /// What a link does about machines, of which one process of the box has each.
  package struct ClaimPolicy: Sendable {
    /// Gets the claim when it is made: a line from its client asks for a stop.
    package var claimed: @Sendable (MachineClaim) -> Void = { _ in }
    /// Told which process has the machine, each time that is seen.
    package var held: @Sendable (MachineHolder) -> Void = { _ in }
    /// Told why a machine could not be claimed though no process has it.
    package var failed: @Sendable (UnixSocketError) -> Void = { _ in }

    package init() {}
  }

  /// - Parameters:
  ///   - kernel: asks the kernel what it has when BlueZ shows no adapter that is on. By default this
  ///     box's is asked on the system bus, and none elsewhere: a mock there has adapters of its own.
  ///   - claims: what to do about the machine's claim.
  package init(
    bus: BusAddress,
    kernel: (@Sendable () -> KernelView)? = nil,
    claims: ClaimPolicy = ClaimPolicy()
  ) {
    self.bus = bus
    self.claims = claims
    let ofThisBox: @Sendable () -> KernelView = { .current() }
    self.kernel = kernel ?? (bus == .system ? ofThisBox : nil)
    (levels, levelsContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    (notifications, notificationsContinuation) = AsyncStream.makeStream(
      bufferingPolicy: .bufferingNewest(Self.notificationBacklog)
    )
    (clients, clientsContinuation) = AsyncStream.makeStream()
  }

  /// - Parameter bus: `system`, `session` or a D-Bus address.
  package init(bus: String, claims: ClaimPolicy = ClaimPolicy()) {
    self.init(bus: BusAddress(option: bus), claims: claims)
  }

  package func run() async {
    for await client in clients { await client.run() }
  }

  /// The version of libdbus, for reports.
  package static var libraryVersion: String { DBusLibrary.version }

  /// Signals that came in on the present connection: each was a wake-up.
  package var signalsReceived: UInt64 {
    get async { await client?.signalsReceived ?? 0 }
  }

  package func close() async {
    isClosed = true
    clientsContinuation.finish()
    levelsContinuation.finish()
    notificationsContinuation.finish()
    await client?.close()
    claim = nil
  }

  package func perform(_ operation: LinkOperation) async -> OperationAnswer {
    do throws(BlueZError) {
      var receipt: UInt64 = 0
      if case .openBus = operation {
        try await open()
      } else if let client {
        if let device = operation.device {
          try takeClaim(of: device, for: operation, on: client, await client.current)
        }
        receipt = try await Self.perform(operation, on: client)
      } else {
        throw .noBus
      }
      return (await client?.current, nil, receipt)
    } catch {
      return (await client?.current, error, 0)
    }
  }

  /// Claims the device's machine before anything is asked of it. BlueZ may show another address for the
  /// same device later.
  private func takeClaim(
    of device: ObjectPath,
    for operation: LinkOperation,
    on client: BlueZClient,
    _ state: BlueZState
  ) throws(BlueZError) {
    guard let machine = state.tree?.devices[device]?.address else { return }
    let bus = client.busID ?? ""
    if let claim, claim.machine == machine, claim.bus == bus { return }
    do throws(MachineClaimError) {
      let claim = try MachineClaim("\(machine)", on: bus)
      self.claim = Claim(machine: machine, bus: bus, claim: claim)
      claims.claimed(claim)
    } catch {
      switch error {
      case .held(let holder):
        claims.held(holder)
        guard case .insisting = operation else { throw .held(by: holder) }
      case .socket(let error):
        claim = Claim(machine: machine, bus: bus, claim: nil)
        claims.failed(error)
      }
    }
  }

  private func open() async throws(BlueZError) {
    if let former = client {
      client = nil
      await former.close()
      revision = max(revision, await former.current.revision)
    }
    let opened = try await BlueZClient(
      bus: bus,
      executor: executor,
      revision: revision,
      kernel: kernel,
      onNotification: { [notificationsContinuation] in
        notificationsContinuation.yield(($0, receipt: $1))
      },
      onChange: { [levelsContinuation] in levelsContinuation.yield($0) }
    )
    // The link may have ended, or begun again, in the meantime.
    guard !isClosed, client == nil else {
      await opened.close()
      return
    }
    client = opened
    clientsContinuation.yield(opened)
  }

  /// - Returns: the receipt of the answer to a write.
  private static func perform(
    _ operation: LinkOperation,
    on client: BlueZClient
  ) async throws(BlueZError) -> UInt64 {
    switch operation {
    case .openBus: break
    case .insisting(let operation): return try await perform(operation, on: client)
    case .startService: try await client.startService()
    case .observe(let scope): try await client.observe(scope)
    case .setPowered(let powered, let adapter):
      try await client.setPowered(powered, adapter: adapter)
    case .startDiscovery(let adapter, let filter):
      try await client.startDiscovery(adapter: adapter, filter: filter)
    case .stopDiscovery(let adapter): try await client.stopDiscovery(adapter: adapter)
    case .trust(let device): try await client.trust(device)
    case .connect(let device): try await client.connect(device)
    case .disconnect(let device): try await client.disconnect(device)
    case .removeDevice(let device, let adapter):
      try await client.removeDevice(device, adapter: adapter)
    case .startNotify(let characteristic): try await client.startNotify(characteristic)
    case .write(let command, let encoding, let characteristic, let mode):
      // The last look before it leaves: what goes out is what was meant.
      guard let bytes = encoding.bytes(of: command), encoding.command(from: bytes) == command else {
        throw .malformedCommand
      }
      return try await client.write(bytes, to: characteristic, mode: mode)
    }
    return 0
  }
}

extension LinkFault {
  /// What the kernel itself says when BlueZ shows no adapter; nil for all other faults.
  package var kernelsView: String? {
    switch self {
    case .adapterMissing, .adapterGone: break
    default: return nil
    }
    do throws(HostController.Failure) {
      let controllers = try HostController.all()
      guard !controllers.isEmpty else { return "the kernel sees no Bluetooth controller either" }
      let list = controllers.map {
        "hci\($0.index)\($0.address.map { " \($0)" } ?? "") (\($0.isUp ? "up" : "down"))"
      }
      return "the kernel sees " + list.joined(separator: ", ")
    } catch {
      switch error {
      case .noBluetooth: return "this kernel has no Bluetooth"
      case .system(let code): return "the kernel's controllers can't be read (errno \(code))"
      }
    }
  }
}

extension BlueZError {
  fileprivate static func held(by holder: MachineHolder) -> BlueZError {
    BlueZError(
      kind: .heldElsewhere(by: holder),
      name: "ballmachine.Error.Held",
      message: "\(holder) controls the machine"
    )
  }

  fileprivate static let noBus = BlueZError(
    kind: .busLost,
    name: DBusError.disconnected,
    message: "not connected to a bus"
  )
  fileprivate static let malformedCommand = BlueZError(
    kind: .invalidArguments,
    name: DBusError.invalidArgs,
    message: "the command's bytes do not decode to the command"
  )
}

extension LinkOperation {
  /// The device that it is about; nil where it is about none.
  package var device: ObjectPath? {
    switch self {
    case .openBus, .startService, .observe(.everything), .setPowered, .startDiscovery,
      .stopDiscovery:
      nil
    case .observe(.device(let device)), .trust(let device), .connect(let device),
      .disconnect(let device), .removeDevice(let device, _):
      device
    case .startNotify(let characteristic), .write(_, _, let characteristic, _):
      characteristic.parent?.parent
    case .insisting(let operation): operation.device
    }
  }

  /// Whether a stop needs it. The process that has the machine keeps its link.
  var canInsist: Bool {
    switch self {
    case .disconnect, .removeDevice: false
    default: device != nil
    }
  }
}
