import Foundation
import MockMachine
import TestSupport

/// The machines in range of a ``CommandLineSetup``, and what they and BlueZ tell.
final class MockMachines: Sendable {
  private let journal = Journal<ProgramEvent>()
  private let reading: Task<Void, any Error>
  private let mock: RunningProgram?
  private let setup: RealSetup?

  /// - Parameter mock: a mock that is up, in a process of its own.
  static func mock(_ mock: sending ProgramEvents) -> MockMachines {
    MockMachines(mock: mock)
  }

  static func real(_ setup: RealSetup) -> MockMachines { MockMachines(setup: setup) }

  private init(mock: sending ProgramEvents) {
    self.mock = mock.program
    setup = nil
    reading = Task { [journal] in
      var mock = mock
      while let event = try await mock.next() { await journal.append(event) }
    }
  }

  private init(setup: RealSetup) {
    mock = nil
    self.setup = setup
    reading = Task { [journal] in
      for await event in setup.events {
        // The same lines as the mock's.
        let line = try JSONEncoder().encode(event)
        await journal.append(try JSONDecoder().decode(ProgramEvent.self, from: line))
      }
    }
  }

  /// Lets a verb of the mock's take effect.
  func perform(_ line: String) async throws {
    if let setup {
      for verb in try MockScript.parse(line) { try await setup.perform(verb) }
    } else if let mock {
      mock.write(line + "\n")
      _ = try await next("verb")
    }
  }

  /// The next line with this `event`; others are skipped.
  @discardableResult
  func next(_ event: String) async throws -> ProgramEvent {
    try await journal.next(event) { $0.event == event }
  }

  /// All that they have told so far.
  var told: [ProgramEvent] { get async { await journal.entries } }

  /// Ends the machines, and gives all that they told.
  func terminate() async throws -> [ProgramEvent] {
    await close()
    try await reading.value
    return await journal.entries
  }

  func close() async {
    mock?.send(signal: SIGTERM)
    _ = await mock?.result()
    await setup?.close()
  }
}
