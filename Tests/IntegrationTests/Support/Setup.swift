import Clocks
import CourtLogic
import DBus
import Foundation
import Host
import MockMachine
import TestSupport
import Testing

/// Where a story is played: BlueZ on a bus, its adapters and the machines in range, and what can
/// happen to them. ``MockSetup`` plays them all itself; ``RealSetup`` has the real ones in a box.
protocol Setup: Sendable {
  var bus: BusAddress { get }
  var clock: any MonotonicClock { get }
  /// What happens on it from the story's beginning to ``close()``.
  var events: AsyncStream<MockEvent> { get }

  /// Performs a verb of the mock machine; returns when it is done.
  func perform(_ verb: MockVerb) async throws
  /// What a machine received, in order.
  func received(by machine: MockAddress) async -> [MockWrite]
  /// The scans and connections that clients have left behind; of connections perhaps only those to
  /// one machine.
  /// - Parameter events: what has happened so far.
  func traces(of machine: MockAddress?, after events: [MockEvent]) async -> [String]
  /// Ends the bus itself.
  func stopBus() async throws
  /// The bus dies, and bluetoothd with it; the bus is back after a while, bluetoothd isn't.
  func restartBus(downFor: Duration) async throws
  /// Has time stand still, where it is not the box's: for what must happen at once, however long the
  /// test's own task waits for its turn.
  func holdTime(_ isHeld: Bool)
  /// Lets the story's time flow, until cancelled.
  func keepTime(of fixture: LinkFixture) async
  /// Ends everything, ``events`` too.
  func close() async
}

extension Setup {
  func holdTime(_ isHeld: Bool) {}
}

/// This setup can't do that. The story should have said so by a trait.
struct CannotBePlayed: Error, CustomStringConvertible {
  var description: String
}

/// Which setup this run has: `BALLMACHINE_REAL_STACK` names the folder of the box, if it runs in one.
enum Setups {
  private static let environment = ProcessInfo.processInfo.environment

  /// The folder through which the box is controlled; nil outside of it.
  static let realStack = environment["BALLMACHINE_REAL_STACK"]
  static var isReal: Bool { realStack != nil }
  /// The version of BlueZ that is played, or runs.
  static var bluez: String { environment["BALLMACHINE_BLUEZ"] ?? PlayedBlueZ.version.rawValue }
  /// Whether there is time for what takes minutes on the real stack.
  static let isFull = environment["BALLMACHINE_REAL_STACK_FULL"] == "1"

  /// How long anything may take in real time before a test gives it up.
  static let patience = Duration.seconds(180)

  /// - Parameter speed: on the mock, time shall run so many times as fast as real time, instead of
  ///   as fast as everybody keeps up with it.
  static func set(_ model: MockModel, speed: Double? = nil) async throws -> any Setup {
    if let realStack { return try await RealSetup.set(model, control: realStack) }
    let clock: any MonotonicClock =
      if let speed { SystemClock(speed: speed) } else { ManualClock() }
    return try await MockSetup.set(model, clock: clock)
  }
}

extension Connection {
  /// Calls a method, and gives up after a time.
  @discardableResult
  func call(_ call: MethodCall, within patience: Duration) async throws -> Reply {
    try await waiting(atMost: patience) { try await self.call(call) }
  }
}

/// On the real stack, lets only ``CoreStory``s play unless there is time for all.
struct RealStackTrait: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    if !test.isSuite, !test.traits.contains(where: { $0 is CoreStory }) { try longOnRealStack() }
    try await function()
  }
}

/// Which BlueZ the mock plays in a story.
enum PlayedBlueZ {
  /// Unless said otherwise, the one that the page of recorded behaviour begins with.
  @TaskLocal static var version = MockVersion.v5_66
}

/// Has the mock play each version of BlueZ in turn; on the real stack there is one.
struct EveryBlueZTrait: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard !Setups.isReal, testCase != nil else { return try await function() }
    for version in MockVersion.allCases {
      try await PlayedBlueZ.$version.withValue(version) { try await function() }
    }
  }
}

extension Trait where Self == EveryBlueZTrait {
  static var onEveryBlueZ: Self { EveryBlueZTrait() }
}

/// Belongs to what is played on the real stack each time.
struct CoreStory: TestTrait {}

extension Trait where Self == RealStackTrait {
  static var onEitherSetup: Self { RealStackTrait() }
}

extension Trait where Self == CoreStory {
  static var core: Self { CoreStory() }
}

extension Trait where Self == ConditionTrait {
  /// The story needs what only the mock can be told to do.
  static func mockOnly(_ reason: Comment) -> Self { .disabled(if: Setups.isReal, reason) }

  /// The programs under test have no sanitizer, which `tools/test --sanitize` tells.
  static func withoutSanitizer(_ reason: Comment) -> Self {
    .disabled(if: ProcessInfo.processInfo.environment["BALLMACHINE_SANITIZER"] != nil, reason)
  }

  /// The story needs what only the box has.
  static func realStackOnly(_ reason: Comment) -> Self { .enabled(if: Setups.isReal, reason) }

  /// bluetoothd does in the story what the real one can't be told to do.
  static var scriptedBlueZ: Self { .mockOnly(IntegrationTests.scriptedBlueZ) }
}

let scriptedBlueZ: Comment = "bluetoothd can't be told to do that"

/// Ends one case of a story of many: this one needs what only the mock can be told to do.
func mockOnly(_ reason: Comment) throws {
  if Setups.isReal { try Test.cancel(reason) }
}

/// Ends one case of a story of many on the real stack, unless there is time for all.
func longOnRealStack() throws {
  if Setups.isReal, !Setups.isFull { try Test.cancel("there is time for it with --full only") }
}
