import Foundation
import MockMachine
import TestSupport

/// The machines in range of a ``CommandLineStage``, and what they and BlueZ tell.
final class StagedMachines: Sendable {
  private let journal = Journal<ProgramEvent>()
  private let reading: Task<Void, any Error>
  private let mock: RunningProgram?
  private let stage: RealStage?

  /// - Parameter mock: a mock that is up, in a process of its own.
  static func mock(_ mock: sending ProgramEvents) -> StagedMachines {
    StagedMachines(mock: mock)
  }

  static func real(_ stage: RealStage) -> StagedMachines { StagedMachines(stage: stage) }

  private init(mock: sending ProgramEvents) {
    self.mock = mock.program
    stage = nil
    reading = Task { [journal] in
      var mock = mock
      while let event = try await mock.next() { await journal.append(event) }
    }
  }

  private init(stage: RealStage) {
    mock = nil
    self.stage = stage
    reading = Task { [journal] in
      for await event in stage.events {
        // The same lines as the mock's.
        let line = try JSONEncoder().encode(event)
        await journal.append(try JSONDecoder().decode(ProgramEvent.self, from: line))
      }
    }
  }

  /// Lets a verb of the mock's take effect.
  func perform(_ line: String) async throws {
    if let stage {
      for verb in try MockScript.parse(line) { try await stage.perform(verb) }
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
    await stage?.close()
  }
}
