package import BlueZ
import CourtLogic
package import DBus
import Host

/// Carries the link's operations out over BlueZ. The only file of this module that does I/O.
package actor BlueZCentral: MachineCentral {
  package nonisolated let levels: AsyncStream<BlueZState>
  /// Of all connections, and of the link as well.
  private nonisolated let executor = LoopExecutor.ofProgram()
  private let bus: BusAddress
  private let kernel: (@Sendable () -> KernelView)?
  private let levelsContinuation: AsyncStream<BlueZState>.Continuation
  package nonisolated let notifications: AsyncStream<(bytes: [UInt8], receipt: UInt64)>
  private let notificationsContinuation: AsyncStream<(bytes: [UInt8], receipt: UInt64)>.Continuation
  private let clients: AsyncStream<BlueZClient>
  private let clientsContinuation: AsyncStream<BlueZClient>.Continuation
  private var client: BlueZClient?
  /// The revision of the last state of all clients so far: the next one's are newer.
  private var revision: UInt64 = 0
  private var isClosed = false

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// How many values a slow link may be behind: more can only be garbage.
  private static let notificationBacklog = 64

  /// - Parameter kernel: asks the kernel what it has when BlueZ shows no adapter that is on. By
  ///   default this box's is asked on the system bus, and none elsewhere: a mock there has adapters of
  ///   its own.
  package init(bus: BusAddress, kernel: (@Sendable () -> KernelView)? = nil) {
    self.bus = bus
    let ofThisBox: @Sendable () -> KernelView = { .current() }
    self.kernel = kernel ?? (bus == .system ? ofThisBox : nil)
    (levels, levelsContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    (notifications, notificationsContinuation) = AsyncStream.makeStream(
      bufferingPolicy: .bufferingNewest(Self.notificationBacklog)
    )
    (clients, clientsContinuation) = AsyncStream.makeStream()
  }

  /// - Parameter bus: `system`, `session` or a D-Bus address.
  package init(bus: String) {
    self.init(bus: BusAddress(option: bus))
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
  }

  package func perform(_ operation: LinkOperation) async -> OperationAnswer {
    do throws(BlueZError) {
      var receipt: UInt64 = 0
      if case .openBus = operation {
        try await open()
      } else if let client {
        receipt = try await Self.perform(operation, on: client)
      } else {
        throw .noBus
      }
      return (await client?.current, nil, receipt)
    } catch {
      return (await client?.current, error, 0)
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
