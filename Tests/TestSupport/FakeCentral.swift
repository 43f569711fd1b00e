package import BlueZ
import CourtLogic
import DBus
package import Host
package import MachineLink

/// A BlueZ that has our machine linked and ready from the first moment, that answers writes as it is
/// told, and whose link falls and comes back as it is told. It runs on an executor like the program's,
/// and so do the link and the service above it.
package actor FakeCentral: MachineCentral {
  package static let address = "F0:F1:F2:F3:F4:F5"

  package nonisolated let executor = LoopExecutor()
  package nonisolated let levels: AsyncStream<BlueZState>
  private let continuation: AsyncStream<BlueZState>.Continuation
  package nonisolated let notifications: AsyncStream<(bytes: [UInt8], receipt: UInt64)>
  private let notified: AsyncStream<(bytes: [UInt8], receipt: UInt64)>.Continuation
  private var receipts: UInt64 = 0
  private let isThere: Bool
  private var isSimulated: Bool
  private let flags: [String]
  private let onWrite: @Sendable () -> Void
  private var isLinked = true
  private var revision: UInt64 = 1
  private var answers: [BlueZError?] = []
  private var hangingWrites: [CheckedContinuation<Void, Never>] = []
  private var hangsWrites = false
  package private(set) var written: [String] = []
  private let open = AsyncStream.makeStream(of: Void.self)
  /// Whether the task that ran ``run()`` was cancelled.
  package private(set) var wasCutOff = false

  /// - Parameters:
  ///   - isThere: whether there is a machine at all.
  ///   - isSimulated: whether it says that it is no real one.
  ///   - flags: of the machine's characteristic.
  ///   - onWrite: called with each write, on the executor's thread.
  package init(
    isThere: Bool = true,
    isSimulated: Bool = false,
    flags: [String] = ["write"],
    onWrite: @escaping @Sendable () -> Void = {}
  ) {
    self.isThere = isThere
    self.isSimulated = isSimulated
    self.flags = flags
    self.onWrite = onWrite
    (levels, continuation) = AsyncStream.makeStream()
    (notifications, notified) = AsyncStream.makeStream()
  }

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// What the next writes are answered with; later ones succeed.
  package func answerWrites(with errors: [BlueZError?]) {
    answers = errors
  }

  package func forgetWrites() { written = [] }

  /// Lets the machine say something, after the answers to the writes so far.
  package func say(_ bytes: [UInt8]) { notified.yield((bytes, nextReceipt())) }

  /// Lets the machine say something, and then answers all writes, before anybody has heard it.
  package func sayAndAnswer(_ bytes: [UInt8]) {
    say(bytes)
    setHangsWrites(false)
  }

  private func nextReceipt() -> UInt64 {
    receipts += 1
    return receipts
  }

  /// Lets the link fall, or come back.
  package func setLinked(_ linked: Bool) {
    isLinked = linked
    revision += 1
    continuation.yield(state)
  }

  /// Says from now on whether it is no real one.
  package func setSimulated(_ simulated: Bool) {
    isSimulated = simulated
    revision += 1
    continuation.yield(state)
  }

  /// Leaves writes unanswered from now on, or answers them all.
  package func setHangsWrites(_ hangs: Bool) {
    hangsWrites = hangs
    guard !hangs else { return }
    for write in hangingWrites { write.resume() }
    hangingWrites = []
  }

  /// Follows BlueZ until ``close()``, or until its task is cancelled.
  package func run() async {
    for await _ in open.stream {}
    wasCutOff = Task.isCancelled
  }

  package func close() {
    setHangsWrites(false)
    open.continuation.finish()
    continuation.finish()
    notified.finish()
  }

  package func perform(_ operation: LinkOperation) async -> OperationAnswer {
    if case .write(let command, _, _, _) = operation {
      written.append(command.text)
      onWrite()
      if hangsWrites { await withCheckedContinuation { hangingWrites.append($0) } }
      return (state, answers.isEmpty ? nil : answers.removeFirst(), nextReceipt())
    }
    return (state, nil, 0)
  }

  private var state: BlueZState {
    var tree = ObjectTree()
    tree.replace(with: objects)
    var state = BlueZState()
    state.revision = revision
    state.isBusConnected = true
    state.owner = ":1.1"
    state.tree = tree
    return state
  }

  private var objects: Value {
    let adapter = ObjectPath(known: "/org/bluez/hci0")
    let device = ObjectPath(known: "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5")
    let service = ObjectPath(known: "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5/service0001")
    let characteristic = ObjectPath(
      known: "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5/service0001/char0002"
    )
    var objects: [(ObjectPath, String, [String: Value])] = [
      (
        adapter, Interface.adapter,
        ["Address": .string("AA:BB:CC:DD:EE:01"), "Powered": .boolean(true)]
      )
    ]
    if isSimulated {
      objects.append((ObjectPath(known: "/org/bluez"), Interface.simulation, [:]))
    }
    if isThere {
      objects += [
        (
          device, Interface.device,
          [
            "Address": .string(Self.address), "Adapter": .objectPath(adapter),
            "Connected": .boolean(isLinked), "ServicesResolved": .boolean(isLinked),
          ]
        ),
        (service, Interface.service, ["UUID": .string("ffe0"), "Device": .objectPath(device)]),
        (
          characteristic, Interface.characteristic,
          [
            "UUID": .string("ffe1"), "Service": .objectPath(service), "Flags": .strings(flags),
          ]
        ),
      ]
    }
    let entries = objects.map { path, interface, properties in
      (
        Value.objectPath(path),
        Value.dictionary(
          key: .string,
          value: .dictionary(key: .string, value: .variant),
          [.string(interface): .properties(properties)]
        )
      )
    }
    return .dictionary(
      key: .objectPath,
      value: .dictionary(key: .string, value: .dictionary(key: .string, value: .variant)),
      Dictionary(uniqueKeysWithValues: entries)
    )
  }
}
