import Clocks
import CourtLogic
import MachineLink
import MockMachine
import Testing

/// A row of the fault table: what goes wrong while a ball is fed every 3 s, and what is measured
/// until it is well again.
struct FaultScenario: Sendable, CustomTestStringConvertible {
  /// What the time runs to.
  enum Goal: Sendable {
    /// The link is ready again, without help, and delivers.
    case recovery
    /// The link never ceases to be ready, and delivers again.
    case delivery
    /// The link has ended.
    case end
  }

  /// Where it is worth its time in real time.
  enum Length: Sendable {
    case short
    /// Takes a minute or so: measured once.
    case long
    /// Takes many minutes: measured in injected time only.
    case injected
  }

  /// The row in the table of faults.
  var row: Int
  var fault: String
  /// What the link does about it.
  var response: String
  /// The test that tells the whole story.
  var story: String
  var goal = Goal.recovery
  var length = Length.short
  /// What the link waits on purpose, back-off and scans apart.
  var patience = Duration.zero
  /// How long it may take at the worst, BlueZ's own delays and the back-off included.
  var limit = Duration.seconds(2)
  var model = MockModel.oneMachine
  var configuration = LinkConfiguration()
  /// Before the link starts.
  var before: @Sendable (any Setup) async throws -> Void = { _ in }
  /// Brings the fault about. Returns the moment from which it could be well again: of the fault
  /// itself, or of its end where nobody could do anything before that.
  var strike: @Sendable (LinkFixture) async throws -> MonotonicInstant

  var testDescription: String { "\(row): \(fault)" }
}

extension FaultScenario {
  /// A fault that strikes a ready link.
  static func whileReady(
    _ verbs: MockVerb...,
    then: (@Sendable (LinkFixture) async throws -> MonotonicInstant)? = nil
  ) -> @Sendable (LinkFixture) async throws -> MonotonicInstant {
    { fixture in
      try await fixture.reaches(.ready)
      let start = fixture.now
      for verb in verbs { try await fixture.perform(verb) }
      return try await then?(fixture) ?? start
    }
  }
}
