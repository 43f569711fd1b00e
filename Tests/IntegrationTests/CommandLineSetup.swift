import Foundation
import Glibc
import MockMachine
import Synchronization
import TestSupport

/// A bus and a runtime directory of its own for the program's processes, which end with it.
///
/// A mock machine on it is quick to let go, so that tests are; all else is as slow as the real thing.
/// On the real stack the bus is the system's, and the machines are Bumble's.
final class CommandLineSetup: Sendable {
  static let machine = "F0:F1:F2:F3:F4:F5"

  /// nil on the real stack.
  private let bus: PrivateBus?
  private let folder: TemporaryDirectory
  private let programs = Mutex<[RunningProgram]>([])
  private let machines = Mutex<[MockMachines]>([])

  private init() throws {
    bus = Setups.isReal ? nil : try PrivateBus.start()
    folder = try TemporaryDirectory()
  }

  var directory: String { folder.path }

  /// Makes the setup, and clears it whatever happens on it.
  static func with(_ body: (CommandLineSetup) async throws -> Void) async throws {
    let setup = try CommandLineSetup()
    do { try await body(setup) } catch {
      await setup.clear()
      throw error
    }
    await setup.clear()
  }

  private func clear() async {
    for program in programs.withLock({ $0 }) {
      program.send(signal: SIGKILL)
      _ = await program.result()
    }
    for machines in machines.withLock({ $0 }) { await machines.close() }
    bus?.stop()
  }

  /// Starts the program with this setup's runtime directory.
  func start(_ arguments: [String], script: String? = nil) throws -> ProgramEvents {
    let program = try RunningProgram(arguments, script: script, environment: environment)
    programs.withLock { $0.append(program) }
    return ProgramEvents(program)
  }

  /// Runs the program to its end.
  func run(_ arguments: [String], script: String? = nil) async throws -> BuiltProgram.Result {
    let program = try start(arguments, script: script)
    program.program.endInput()
    return await program.ending()
  }

  /// Puts one machine in range, and lets these verbs take effect.
  ///
  /// It is a mock's, in a process of its own.
  func mock(_ verbs: String...) async throws -> MockMachines {
    let staged: MockMachines
    if let realStack = Setups.realStack {
      staged = .real(try await RealSetup.set(.oneMachine, control: realStack))
    } else {
      var mock = try start(["mock", "--json", "--bus", address])
      _ = try await mock.next("up")
      staged = .mock(mock)
      try await staged.perform("timing disconnect 0.05")
    }
    machines.withLock { $0.append(staged) }
    for verb in verbs { try await staged.perform(verb) }
    return staged
  }

  /// Sees to it that no machine is in range: the box's keeps that of the story before.
  func withoutMachines() async throws {
    guard let realStack = Setups.realStack else { return }
    let none = MockMachines.real(
      try await RealSetup.set(MockModel(peripherals: []), control: realStack)
    )
    machines.withLock { $0.append(none) }
  }

  func path(_ name: String) -> String { directory + "/" + name }

  /// Returns when there is such a file.
  func appears(_ name: String) async throws {
    while access(path(name), F_OK) != 0 { try await Task.sleep(for: .milliseconds(10)) }
  }

  func vanishes(_ name: String) async throws {
    while access(path(name), F_OK) == 0 { try await Task.sleep(for: .milliseconds(10)) }
  }

  /// Returns when the run logs have so many lines with this text.
  func logs(_ text: String, times: Int) async throws {
    let folder = URL(fileURLWithPath: path("state/sessions"))
    while true {
      let files =
        (try? FileManager.default.contentsOfDirectory(
          at: folder,
          includingPropertiesForKeys: nil
        )) ?? []
      let lines = files.flatMap { file in
        (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n") ?? []
      }
      if lines.count(where: { $0.contains(text) }) >= times { return }
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: path(name),
      withIntermediateDirectories: true
    )
  }

  func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  /// For `--bus`.
  var address: String { bus?.address ?? "system" }

  private var environment: [String: String] {
    [
      "BALLMACHINE_RUNTIME_DIR": directory, "BALLMACHINE_STATE_DIRECTORY": path("state"),
      "BALLMACHINE_CAMERA_DIR": directory, "BALLMACHINE_MQTT_DIR": directory,
      "BALLMACHINE_WEB_DIR": directory,
    ]
  }
}

/// The arguments of a service on the setup's bus.
func serving(_ setup: CommandLineSetup, _ options: String...) -> [String] {
  ["serve", "--json", "--bus", setup.address] + options
}

/// A line of the program's JSON output: the keys that the tests look at.
struct ProgramEvent: Decodable {
  struct Hold: Decodable, Hashable {
    var code: String
    var reason: String
  }

  var event: String
  var t: Double?
  var time: String?
  // Dispatches
  var number: Int?
  var x: Double?
  var y: Double?
  var samples: Int?
  var zone: String?
  var target: String?
  var command: String?
  var answer: String?
  var outcome: String?
  // Link and feed
  var state: String?
  var mode: String?
  var code: String?
  var holds: [Hold]?
  var reason: String?
  var remedy: String?
  var since: String?
  var attempt: Int?
  var refused: Int?
  var nextAttempt: Double?
  var rssi: Int?
  var rssiAge: Double?
  var adapter: String?
  var adapterName: String?
  var adapterState: String?
  var remembered: Bool?
  var line: Int?
  var text: String?
  var count: Int?
  var seconds: Double?
  var remaining: Double?
  var connection: String?
  var positions: Int?
  var feeders: [Feeder]?
  // Summaries
  var dispatches: Int?
  var badLines: Int?
  var otherPositions: Int?
  var byZone: [String: Int]?
  var outcomes: [String: Int]?
  var stop: Stop?
  var machineReceived: [String]?
  // Drills
  var drill: String?
  var level: String?
  var interval: Double?
  var rest: Double?
  var sets: Int?
  var ballsPerSet: Int?
  var safety: Safety?
  var training: Training?
  // Starts and reloads
  var source: String?
  var armed: Bool?
  var applied: [String]?
  // What is said at the court; with text
  var cue: String?
  // Scans, and the mock
  var address: String?
  var machine: String?
  var value: String?
  var hex: String?
  var method: String?

  struct Stop: Decodable, Equatable {
    var outcome: String
  }

  struct Safety: Decodable {
    var state: String
    var holds: [Hold]?
  }

  struct Feeder: Decodable {
    struct Source: Decodable {
      var id: String?
      var followed: Bool
      var zone: String?
      var perSecond: Double?
      var stamp: String
      var delay: Double?
    }

    var connection: String
    var sources: [Source]
    var badLines: Int
  }

  struct Training: Decodable {
    var drill: String?
    var level: String?
  }

  /// Every line of `output`; one that is no such object is an error.
  static func all(_ output: String) throws -> [ProgramEvent] {
    try output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map { try JSONDecoder().decode(ProgramEvent.self, from: Data($0.utf8)) }
  }
}

/// A running program and what it tells, as it comes.
struct ProgramEvents {
  struct Ended: Error {
    var waitingFor: String
    var result: BuiltProgram.Result
  }

  let program: RunningProgram
  private var lines: AsyncStream<String>.Iterator

  init(_ program: RunningProgram) {
    self.program = program
    lines = program.lines.makeAsyncIterator()
  }

  /// The next object; nil at the end.
  mutating func next() async throws -> ProgramEvent? {
    guard let line = await lines.next(isolation: #isolation) else { return nil }
    return try JSONDecoder().decode(ProgramEvent.self, from: Data(line.utf8))
  }

  /// The next object with this `event`, and this `state` if one is given; others are skipped.
  mutating func next(_ event: String, state: String? = nil) async throws -> ProgramEvent {
    while let object = try await next() {
      if object.event == event, state == nil || object.state == state { return object }
    }
    // Out of time?
    try Task.checkCancellation()
    throw Ended(waitingFor: event, result: await ending())
  }

  /// Ends the program as a service manager does, and reads what it has told in all.
  func terminate() async throws -> (code: Int32, events: [ProgramEvent], errors: String) {
    program.send(signal: SIGTERM)
    return try await result()
  }

  /// Waits for the end; when the test's time is over, there is no more waiting.
  func ending() async -> BuiltProgram.Result {
    let program = program
    return await withTaskCancellationHandler {
      await program.result()
    } onCancel: {
      program.send(signal: SIGKILL)
    }
  }

  /// Waits for the end, and reads what it has told in all.
  func result() async throws -> (code: Int32, events: [ProgramEvent], errors: String) {
    let result = await ending()
    return (result.code, try ProgramEvent.all(result.output), result.errors)
  }
}

extension [ProgramEvent] {
  func named(_ event: String) -> [ProgramEvent] { filter { $0.event == event } }

  /// What a mock's machine was sent, in order, the stop commands left out.
  func ballWrites(to machine: String? = nil) -> [String] {
    writes(to: machine).filter { $0 != CourtFacts.stop }
  }

  func writes(to machine: String? = nil) -> [String] {
    named("write").filter { machine == nil || $0.machine == machine }.compactMap(\.value)
  }
}

/// What the tests know of court and table without asking the program's own code.
enum CourtFacts {
  static let stop = "000000000000000000"

  static let commands = [
    "0-0": "105001050012002000", "0-1": "106001052012002500",
    "0-2": "107001054013003000", "1-1": "110001060014004500",
    "2-0": "113001066016006000", "2-1": "114001068016006500",
    "2-2": "115001070017007000", "2-3": "116001072017007500", "3-0": "117001074018008000",
    "3-1": "118001076018008500", "3-2": "119001078019009000",
    "3-3": "120001080019009500",
  ]

  /// The commands of the third row, from left to right.
  static let row2 = [
    "113001066016006000", "114001068016006500", "115001070017007000", "116001072017007500",
  ]

  /// The zone of a position that is on the court; nil elsewhere.
  static func zone(x: Double, y: Double) -> String? {
    guard (0...8.23).contains(x), (0...11.885).contains(y) else { return nil }
    return "\(min(Int(y / 2.97125), 3))-\(min(Int(x / 2.0575), 3))"
  }
}
