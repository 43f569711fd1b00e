import Foundation
import TestSupport
import Testing

/// The service as those meet it who run it: processes, sockets, a bus, and a machine that none of them
/// shares its memory with. What takes minutes is played by `tools/test --service` alone.
@Suite enum ServiceTests {
  /// How many services are killed at random moments; none in the everyday run.
  static let kills = number("BALLMACHINE_KILLS")

  /// How many decisions the bridge is watched at under load; none in the everyday run.
  static let decisions = number("BALLMACHINE_LOAD")
  /// How many scenarios of a service among faults; none in the everyday run.
  static let scenarios = number("BALLMACHINE_SERVICE_SCENARIOS")
  /// The first of all random choices; `BALLMACHINE_SEED` takes another one.
  static let seed = firstSeed()

  private static let environment = ProcessInfo.processInfo.environment

  private static func number(_ variable: String) -> Int {
    environment[variable].flatMap { Int($0) } ?? 0
  }
}

extension Trait where Self == ConditionTrait {
  /// There is time for it in `tools/test --service` and `--soak` alone.
  static func onRequest(_ isRequested: Bool) -> Self {
    .enabled(if: isRequested, "there is time for it with --service and --soak only")
  }
}
