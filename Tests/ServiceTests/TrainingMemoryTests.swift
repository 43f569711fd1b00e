import CourtLogic
import Foundation
import Glibc
import Host
import StateFiles
import TestSupport
import Testing

@testable import Service

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

  private var path: String { directory.path(of: TrainingMemory.fileName) }

  private var memory: TrainingMemory {
    TrainingMemory(in: directory) { [warnings] in warnings.add($0) }
  }

  private func recall(_ bytes: some Sequence<UInt8>) async throws -> Kept<TrainingMemory.Choice> {
    try FileManager.default.createDirectory(
      atPath: directory.path,
      withIntermediateDirectories: true
    )
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return await memory.recall()
  }

  @Test func whatWasLoadedIsKnownAgain() async throws {
    #expect(await memory.recall() == .nothing)
    let text = #"{"version": 1, "drill": "run", "level": "beginner", "seed": 7}"#
    let choice = try await recall(text.utf8)
    #expect(choice == .content(.init(drill: "run", level: .beginner, seed: 7)))
    let level = try await recall(#"{"version": 1, "level": "advanced"}"#.utf8)
    #expect(level == .content(.init(level: .advanced)))
    let own = try await recall(
      #"{"version": 1, "level": "beginner", "levelHasCommands": true}"#.utf8
    )
    #expect(own == .content(.init(level: .beginner, levelHasCommands: true)))
    #expect(warnings.all.isEmpty)
  }

  @Test(arguments: [
    ("", "is damaged"), ("{}", "is damaged"), ("null", "is damaged"), ("[]", "is damaged"),
    ("\0", "is damaged"), (#"{"version": 1}"#, "is damaged"),
    (#"{"version": 1, "level": null}"#, "is damaged"),
    (#"{"version": 1, "drill": "run", "levels": "beginner"}"#, "is damaged"),
    (#"{"version": 2, "drill": "run"}"#, "has version 2, not 1"),
    (#"{"version": 1, "level": "expert"}"#, "is damaged"),
    (#"{"version": 1, "level": "Beginner"}"#, "is damaged"),
    (#"{"version": 1, "drill": "run", "seed": -1}"#, "is damaged"),
    (String(repeating: " ", count: 4097), "is too long"),
  ])
  func whatCantBeReadIsLostAndNamed(_ text: String, _ reason: String) async throws {
    #expect(try await recall(text.utf8) == .unreadable)
    #expect(warnings.all == ["no drill and no level is loaded again: \(path) \(reason)"])
  }

  /// The environment names none, or not by a whole path: what was loaded may be anywhere.
  @Test func withoutADirectoryNothingIsKnownOfWhatWasLoaded() async throws {
    let memory = TrainingMemory(in: nil) { [warnings] in warnings.add($0) }
    #expect(await memory.recall() == .unreadable)
    #expect(warnings.all.count == 1)
  }

  @Test func aFileThatIsCutIsLostWhereverItIsCut() async throws {
    let whole = Array(#"{"version": 1, "drill": "run", "level": "beginner", "seed": 7}"#.utf8)
    for count in 0..<whole.count {
      #expect(try await recall(whole.prefix(count)) == .unreadable, "\(count)")
    }
  }

  /// What is no file is not waited for.
  @Test(arguments: ["folder", "FIFO", "link", "unreadable directory"])
  func whatIsNoFileIsLost(_ what: String) async throws {
    try FileManager.default.createDirectory(
      atPath: directory.path,
      withIntermediateDirectories: true
    )
    switch what {
    case "folder":
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    case "FIFO": #expect(mkfifo(path, 0o600) == 0)
    case "link": #expect(symlink("/dev/zero", path) == 0)
    default: #expect(chmod(directory.path, 0o777) == 0)
    }
    #expect(await memory.recall() == .unreadable)
    #expect(warnings.all.count == 1)
  }
}
