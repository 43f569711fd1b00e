import CourtLogic
import Foundation
import Host
import TestSupport
import Testing

@testable import ballmachine

/// What people have loaded, as a file of the state directory has it.
struct TrainingMemoryTests {
  private let base: TemporaryDirectory
  private let directory: StateDirectory
  private let warnings = Warnings()

  init() throws {
    base = try TemporaryDirectory()
    let path = base("state")
    directory = try StateDirectory(variable: { _ in path })
  }

  private func recall(_ text: String) async throws -> TrainingMemory.Choice? {
    try FileManager.default.createDirectory(
      atPath: directory.path,
      withIntermediateDirectories: true
    )
    let path = directory.path(of: TrainingMemory.fileName)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return await TrainingMemory(in: directory) { [warnings] in warnings.add($0) }.recall()
  }

  @Test func whatWasLoadedIsKnownAgain() async throws {
    let text = #"{"version": 1, "drill": "run", "level": "beginner", "seed": 7}"#
    let choice = try await recall(text)
    #expect(choice == TrainingMemory.Choice(drill: "run", level: .beginner, seed: 7))
    #expect(try await recall(#"{"version": 1, "level": "advanced"}"#)?.level == .advanced)
    let own = try await recall(#"{"version": 1, "level": "beginner", "levelHasCommands": true}"#)
    #expect(own == TrainingMemory.Choice(level: .beginner, levelHasCommands: true))
    #expect(warnings.all.isEmpty)
  }

  @Test(arguments: [
    ("", "is damaged"), (#"{"version": 2, "drill": "run"}"#, "has version 2, not 1"),
    (#"{"version": 1, "level": "expert"}"#, "is damaged"),
    (#"{"version": 1, "drill": "run", "seed": -1}"#, "is damaged"),
  ])
  func whatCantBeReadIsNotLoadedAndNamed(_ text: String, _ reason: String) async throws {
    #expect(try await recall(text) == nil)
    let path = directory.path(of: TrainingMemory.fileName)
    #expect(warnings.all == ["no drill and no level is loaded again: \(path) \(reason)"])
  }
}
