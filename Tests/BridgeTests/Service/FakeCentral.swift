import BlueZ
import CourtLogic
import DBus
import MachineLink

/// A BlueZ that has our machine linked and ready from the first moment, and that answers writes as
/// it is told.
actor FakeCentral: MachineCentral {
  static let address = "F0:F1:F2:F3:F4:F5"

  nonisolated let levels: AsyncStream<BlueZState>
  private let continuation: AsyncStream<BlueZState>.Continuation
  private let isThere: Bool
  private var answers: [BlueZError?] = []
  private(set) var written: [String] = []

  /// - Parameter isThere: whether there is a machine at all.
  init(isThere: Bool = true) {
    self.isThere = isThere
    (levels, continuation) = AsyncStream.makeStream()
  }

  /// What the next writes are answered with; later ones succeed.
  func answerWrites(with errors: [BlueZError?]) {
    answers = errors
  }

  func run() async {}

  func close() {
    continuation.finish()
  }

  func perform(_ operation: LinkOperation) async -> (levels: BlueZState?, error: BlueZError?) {
    if case .write(let command, _, _) = operation {
      written.append(command.digits)
      return (state, answers.isEmpty ? nil : answers.removeFirst())
    }
    return (state, nil)
  }

  private var state: BlueZState {
    var tree = ObjectTree()
    tree.replace(with: objects)
    var state = BlueZState()
    state.revision = 1
    state.isBusConnected = true
    state.owner = ":1.1"
    state.tree = tree
    return state
  }

  private var objects: Value {
    let adapter = ObjectPath(literal: "/org/bluez/hci0")
    let device = ObjectPath(literal: "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5")
    let service = ObjectPath(literal: "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5/service0001")
    let characteristic = ObjectPath(
      literal: "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5/service0001/char0002"
    )
    var objects: [(ObjectPath, String, [String: Value])] = [
      (
        adapter, Interface.adapter,
        ["Address": .string("AA:BB:CC:DD:EE:01"), "Powered": .boolean(true)]
      )
    ]
    if isThere {
      objects += [
        (
          device, Interface.device,
          [
            "Address": .string(Self.address), "Adapter": .objectPath(adapter),
            "Connected": .boolean(true), "ServicesResolved": .boolean(true),
          ]
        ),
        (service, Interface.service, ["UUID": .string("ffe0"), "Device": .objectPath(device)]),
        (
          characteristic, Interface.characteristic,
          [
            "UUID": .string("ffe1"), "Service": .objectPath(service), "Flags": .strings(["write"]),
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
