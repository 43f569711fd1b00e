import Foundation
import Glibc
import MockMachine
import TestSupport

/// `ballmachine serve`, as it was built beside this program, with a mock machine on a bus of its own.
final class ServiceUnderLoad {
  /// A line of its JSON output: what is looked at here.
  private struct Event: Decodable {
    var event: String
    var state: String?
  }

  /// What a run came to: what is looked at here.
  struct Summary: Decodable {
    var positions: Int
    var otherPositions: Int
    /// More than were taken in time.
    var droppedPositions: Int

    var all: Int { positions + otherPositions + droppedPositions }
  }

  struct Ended: Error, CustomStringConvertible {
    var description: String
  }

  let use: ProcessUse
  let positions: String
  private let bus: PrivateBus
  private let mock: MockBlueZ
  private let mocking: Task<Void, Never>
  private let directory: TemporaryDirectory
  private let program: RunningProgram
  private var lines: AsyncStream<String>.Iterator

  /// Starts it.
  ///
  /// - Parameter devices: how many BlueZ knows, the machine included.
  init(devices: Int = 1) async throws {
    bus = try PrivateBus.start()
    let strangers = (1..<devices).compactMap(Self.stranger)
    let model = MockModel(peripherals: [MockPeripheral()] + strangers)
    mock = MockBlueZ(bus: bus.address, model: model)
    try await mock.start()
    mocking = Task { [mock] in await mock.run() }
    directory = try TemporaryDirectory()
    positions = directory("positions.sock")
    program = try RunningProgram(
      [
        "serve", "--json", "--bus", bus.address, "--arm", "--countdown", "0",
        "--address", MockPeripheral().address.string,
      ],
      environment: [
        "BALLMACHINE_RUNTIME_DIR": directory.path,
        "BALLMACHINE_STATE_DIRECTORY": directory("state"),
      ]
    )
    use = ProcessUse(process: program.processID)
    lines = program.lines.makeAsyncIterator()
  }

  /// Somebody's device that BlueZ has bonded with, so that it is there from the start. It is elsewhere.
  private static func stranger(_ number: Int) -> MockPeripheral? {
    let digits = String(number + 0x100_0000, radix: 16).suffix(6)
    let pairs = stride(from: 0, to: 6, by: 2).map { digits.dropFirst($0).prefix(2) }
    return MockAddress("C0:00:00:" + pairs.joined(separator: ":")).map {
      MockPeripheral(
        $0,
        name: "Stranger \(number)",
        advertisedUUIDs: [],
        isPaired: true,
        isAdvertising: false
      )
    }
  }

  /// Waits for so many events of this kind.
  ///
  /// - Returns: the last one.
  @discardableResult
  func wait(for kind: String, _ state: String? = nil, count: Int = 1) async throws -> Data {
    var missing = count
    while let line = await lines.next(isolation: #isolation) {
      let data = Data(line.utf8)
      let event = try JSONDecoder().decode(Event.self, from: data)
      if event.event == kind, state == nil || event.state == state { missing -= 1 }
      if missing == 0 { return data }
    }
    throw Ended(description: "the service has ended: \(await program.result().errors)")
  }

  /// Begins a flood of signals of strangers' devices.
  ///
  /// - Parameter rate: signals a second.
  func flood(rate: Int) async throws { try await mock.perform(.advertiseFlood(perSecond: rate)) }

  /// Ends it, and says what it came to.
  func end() async throws -> Summary {
    program.send(signal: SIGTERM)
    let summary = try JSONDecoder().decode(Summary.self, from: try await wait(for: "summary"))
    let result = await program.result()
    await mock.stop()
    await mocking.value
    bus.stop()
    guard result.code == 0 else { throw Ended(description: result.errors) }
    return summary
  }
}
