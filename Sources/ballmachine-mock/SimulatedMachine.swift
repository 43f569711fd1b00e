import Clocks
import CourtLogic
import Host
import MockMachine
import Programs

/// A mock machine on a bus of its own.
struct SimulatedMachine {
  private let bus: PrivateBus
  private let model: MockModel
  private let mock: MockBlueZ

  /// - Throws: ``Failure`` without a `dbus-daemon`.
  init(_ encoding: MachineEncoding, clock: SystemClock) async throws {
    do { bus = try PrivateBus.start() } catch { throw Failure(.unavailable, error) }
    let isFramed = encoding == .framed
    model = MockModel(peripherals: [MockPeripheral(encoding: isFramed ? .framed : .digits)])
    mock = MockBlueZ(bus: bus.address, model: model, clock: clock)
    try await mock.start()
  }

  /// The bus's address.
  var address: String { bus.address }

  /// Stops the bus.
  func stop() { bus.stop() }

  /// Runs it until `body` ends.
  func run<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await mock.run() }
      let value = try await body()
      await mock.stop()
      try await group.waitForAll()
      return value
    }
  }

  /// The commands that it has got, in order.
  func received() async -> [String] {
    var received: [String] = []
    for machine in model.peripherals {
      received += await mock.received(by: machine.address).map { $0.text ?? "(not text)" }
    }
    return received
  }
}
