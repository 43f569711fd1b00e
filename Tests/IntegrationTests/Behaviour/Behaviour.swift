import Clocks
import DBus
import MockMachine
import Testing

/// Something that happens between a client, BlueZ and a machine, and what BlueZ says then.
struct Behaviour: Sendable, CustomTestStringConvertible {
  enum Start: Sendable {
    /// Nobody knows the machine.
    case unknown
    /// It was heard, and is trusted, so that it isn't forgotten.
    case known
    /// There is a link, and its services are known.
    case connected
    /// The machine is known, and was switched off.
    case away
  }

  var name: String
  var start: Start
  var machine: MockPeripheral
  /// Takes half a minute or more in real time; the mock's clock then runs faster.
  var isLong = false
  /// Played on the real stack each time.
  var isCore = false
  var act: @Sendable (Witness) async throws -> Void

  init(
    _ name: String,
    from start: Start,
    of machine: MockPeripheral = MockPeripheral(),
    isLong: Bool = false,
    isCore: Bool = false,
    _ act: @escaping @Sendable (Witness) async throws -> Void
  ) {
    self.name = name
    self.start = start
    self.machine = machine
    self.isLong = isLong
    self.isCore = isCore
    self.act = act
  }

  var testDescription: String { name }

  /// Plays it on a setup of its own, and gives the record.
  func play() async throws -> [Witness.Entry] {
    let model = MockModel(peripherals: [machine])
    let setup = try await Setups.set(model, speed: isLong ? 20 : 1)
    do {
      let witness = try await Witness.call(to: setup)
      do {
        try await prepare(witness)
        try await witness.begin()
        try await act(witness)
        try await witness.hush()
      } catch {
        await witness.leave()
        throw error
      }
      let record = await witness.record
      await witness.leave()
      await setup.close()
      return record
    } catch {
      await setup.close()
      throw error
    }
  }

  private func prepare(_ witness: Witness) async throws {
    guard start != .unknown else { return }
    try await witness.scan()
    await witness.trust()
    await witness.adapter("StopDiscovery")
    switch start {
    case .unknown, .known: break
    case .connected: try await witness.connect()
    case .away: try await witness.perform(.vanish(machine: Witness.machine.string))
    }
    try await witness.hush(.seconds(1))
  }
}

extension Witness {
  /// Connects, and waits for the services.
  func connect() async throws {
    await device("Connect")
    try await hears("machine: ServicesResolved = true")
  }

  /// Disconnects, and waits for the last word about it.
  func disconnect() async throws {
    await device("Disconnect")
    try await hears("machine: Connected = false")
  }

  /// Scans until the machine is there.
  func scan() async throws {
    await adapter("SetDiscoveryFilter", [.properties(["Transport": .string("le")])])
    await adapter("StartDiscovery")
    try await hears("+ machine")
  }
}
