import Clocks
import CourtLogic
import Foundation
import Glibc
import Host
import MockMachine
import TestSupport

/// A random scenario of `serve` as a process, among people, feeders, a machine and a box that misbehave.
///
/// All that happens is kept with its time, for ``ServiceScenarioJudge``. The seed decides what happens, not
/// when it is through.
final class ServiceScenario {
  enum Deed: CaseIterable {
    case arm, stop, reset, pause, resume
    case freeze, slowAnswers, usualAnswers, vanish, hang, refuse, recover
    case badLines, deepLine, hangUp, end, kill

    /// What makes well again, and what lets balls fly, comes more often.
    var weight: Int {
      switch self {
      case .arm: 8
      case .recover: 6
      case .usualAnswers, .freeze, .slowAnswers: 3
      case .reset: 1
      case .stop, .pause, .resume, .vanish, .hang, .refuse, .badLines, .deepLine, .hangUp,
        .end, .kill:
        1
      }
    }

    static let drawn = allCases.flatMap { Array(repeating: $0, count: $0.weight) }
  }

  /// One `serve`, from its start to its end.
  struct Run {
    var started: Double
    var ended = 0.0
    /// Whether a stop was owed when it began.
    var inheritsStop: Bool
    /// Nil when it was killed.
    var code: Int32?
    /// From the signal to the end, in seconds.
    var ending = 0.0
    var owesStop = false
    var told: [ProgramEvent] = []
    var errors = ""
  }

  /// Somebody's stop, and what was answered.
  struct Stop {
    var asked: Double
    var answered: Double
    var outcome: String?
  }

  private(set) var runs: [Run] = []
  private(set) var stops: [Stop] = []
  /// When somebody asked to unlatch a stop.
  private(set) var resets: [Double] = []
  /// From when on bluetoothd takes a write so much later, in seconds.
  private var delays: [(since: Double, delay: Double)] = [(0, 0)]
  private(set) var trace: [String] = []
  let walk = Walk()

  private let setup: CommandLineSetup
  private let mock: MockMachines
  private var generator: SeededGenerator
  private var serve: ProgramEvents

  static var now: Double { SystemClock().now.seconds }

  init(seed: UInt64, on setup: CommandLineSetup) async throws {
    self.setup = setup
    generator = SeededGenerator(seed: seed)
    // Acknowledged writes alone, so that a stop command is one write.
    mock = try await setup.mock(
      "machine \(CommandLineSetup.machine) flags write",
      "timing connect 0.05",
      "timing resolve 0.05"
    )
    serve = try setup.start(Self.serving(setup))
    runs.append(Run(started: Self.now, inheritsStop: false))
  }

  private static func serving(_ setup: CommandLineSetup) -> [String] {
    ["serve", "--json", "--bus", setup.address]
  }

  /// Plays it to the end of the last `serve`.
  ///
  /// - Returns: what the machine was sent.
  func play(deeds: Int) async throws -> [ProgramEvent] {
    let player = WalkingPlayer(walk, in: setup.directory)
    defer { player.leave() }
    _ = try await serve.next("link", state: "ready")
    for _ in 0..<deeds {
      try await perform(Deed.drawn.randomElement(using: &generator)!)
      try await Task.sleep(for: .milliseconds(Int.random(in: 100...4_000, using: &generator)))
    }
    try await perform(.recover)
    try await Task.sleep(for: .seconds(3))
    try await end(signal: SIGTERM)
    return try await mock.terminate().named("write")
  }

  private func note(_ text: String) { trace.append("\(Self.now) \(text)") }

  // MARK: Deeds

  private func perform(_ deed: Deed) async throws {
    note("\(deed)")
    let machine = CommandLineSetup.machine
    switch deed {
    case .arm:
      try await reset()
      _ = try await setup.run(["arm", "--countdown", "0"])
      _ = try await setup.run(["resume"])
    case .pause: _ = try await setup.run(["pause"])
    case .resume: _ = try await setup.run(["resume"])
    case .stop: try await stop()
    case .reset: try await reset()
    case .freeze:
      serve.program.send(signal: SIGSTOP)
      try await Task.sleep(for: .milliseconds(Int.random(in: 600...4_500, using: &generator)))
      serve.program.send(signal: SIGCONT)
    case .slowAnswers:
      let delay = Int.random(in: 2...29, using: &generator)
      delays.append((Self.now, Double(delay) / 10))
      try await mock.perform("delay WriteValue \(Double(delay) / 10)")
    case .usualAnswers: try await takeWritesAtOnce()
    case .vanish: try await mock.perform("vanish \(machine)")
    case .hang: try await mock.perform("hang-writes \(machine) lost always")
    case .refuse:
      try await mock.perform(
        "fail-writes \(machine) org.bluez.Error.Failed \"Operation failed with ATT error: 0x80\" always"
      )
    case .recover:
      try await mock.perform("clear-faults")
      delays.append((Self.now, 0))
      try await mock.perform("appear \(machine)")
    case .badLines: write(String(repeating: "nonsense\n", count: 20_000), to: "positions.sock")
    case .deepLine: write(deepLine, to: "control.sock")
    case .hangUp: serve.program.send(signal: SIGHUP)
    case .end, .kill:
      // A write that bluetoothd takes after its client's end would be taken for the next one's.
      if delays.last?.delay != 0 {
        try await takeWritesAtOnce()
        try await Task.sleep(for: .seconds(3))
      }
      try await end(signal: deed == .kill ? SIGKILL : SIGTERM)
      if Bool.random(using: &generator) { try await safeStop() }
      try start()
    }
    note("\(deed) done")
  }

  private func reset() async throws {
    resets.append(Self.now)
    _ = try await setup.run(["reset"])
  }

  private func takeWritesAtOnce() async throws {
    try await mock.perform("delay WriteValue 0")
    delays.append((Self.now, 0))
  }

  /// By how much a write that arrived at a time may have been taken late, in seconds.
  func delay(at time: Double) -> Double {
    let ends = delays.dropFirst().map(\.since) + [.infinity]
    return zip(delays, ends).filter { $0.since <= time && $1 >= time - 3 }.map(\.0.delay).max() ?? 0
  }

  /// By somebody who doesn't wait for an answer.
  private func write(_ text: String, to socket: String) {
    let path = setup.path(socket)
    Task { try? await SocketFeeder(path).write(text) }
  }

  private var deepLine: String {
    let arrays = Array(
      repeating: String(repeating: "[", count: 500) + String(repeating: "]", count: 500),
      count: 60
    )
    return "{\"a\":[\(arrays.joined(separator: ","))]}\n"
  }

  private func stop() async throws {
    var stop = Stop(asked: Self.now, answered: 0)
    let result = try await setup.run(["stop", "--json"])
    stop.answered = Self.now
    stop.outcome = try? ProgramEvent.all(result.output).first?.outcome
    stops.append(stop)
    note("stop: \(result.code) \(stop.outcome ?? "") \(result.errors)")
  }

  private func end(signal: Int32) async throws {
    let asked = Self.now
    serve.program.send(signal: signal)
    let result = try await serve.result()
    runs[runs.count - 1].ended = Self.now
    runs[runs.count - 1].ending = Self.now - asked
    runs[runs.count - 1].code = signal == SIGKILL ? nil : result.code
    runs[runs.count - 1].owesStop = owesStop
    runs[runs.count - 1].told = result.events
    runs[runs.count - 1].errors = result.errors
    note("ended with \(result.code), a stop is \(owesStop ? "" : "not ")owed: \(result.errors)")
  }

  private var owesStop: Bool { access(setup.path("state/stop-owed.json"), F_OK) == 0 }

  private func safeStop() async throws {
    let result = try await setup.run(
      ["safe-stop", "--wait", "7", "--bus", setup.address],
      after: "SERVICE_RESULT=signal EXIT_CODE=killed EXIT_STATUS=KILL"
    )
    note("safe-stop: \(result.code) \(result.errors)")
  }

  private func start() throws {
    runs.append(Run(started: Self.now, inheritsStop: owesStop))
    serve = try setup.start(Self.serving(setup))
  }
}

/// Where the player is at which time: 4 s in each column of the third row, there and back.
struct Walk: Sendable {
  func column(at time: Double) -> Int {
    [0, 1, 2, 3, 2, 1][Int(time / 4) % 6]
  }

  func line(at time: Double) -> String {
    "{\"x\": \((Double(column(at: time)) + 0.5) * 2.0575), \"y\": 7.4}\n"
  }
}

/// Is seen 20 times a second by something that comes back whenever there is a bridge.
private final class WalkingPlayer {
  private let ticker: Ticker

  init(_ walk: Walk, in directory: String) {
    let feeder = Feeder(path: directory + "/positions.sock")
    ticker = Ticker { _ in feeder.write(walk.line(at: ServiceScenario.now)) }
  }

  func leave() { ticker.cancel() }

  /// Used by the ticker's thread alone.
  private final class Feeder: @unchecked Sendable {
    private let path: String
    private var socket: SocketFeeder?

    init(path: String) { self.path = path }

    func write(_ line: String) {
      if socket == nil { socket = try? SocketFeeder(path) }
      if socket?.writeNow(line) == false { socket = nil }
    }
  }
}
