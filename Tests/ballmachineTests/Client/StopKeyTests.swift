import ControlProtocol
import Programs
import Testing

@testable import Reports
@testable import ballmachine

/// What `watch` shows of the stop that a key asked for.
struct StopKeyTests {
  @Test func theOutcomeIsForgottenOnceTheStopIsReleased() async throws {
    let key = try await pressed("confirmed")
    key.learn(isStopped: true, askedAfter: key.known)
    #expect(key.known != nil)
    key.learn(isStopped: false, askedAfter: key.known)
    #expect(key.known == nil)
  }

  /// The answer is older than the stop.
  @Test func anAnswerThatWasAskedForBeforeSaysNothing() async throws {
    let key = try await pressed("confirmed")
    key.learn(isStopped: false, askedAfter: nil)
    #expect(key.known != nil)
    let first = key.known
    key.press()
    _ = await key.settle()
    key.learn(isStopped: false, askedAfter: first)
    #expect(key.known != nil)
  }

  /// A service that says nothing of a stop has not had it: the machine may move.
  @Test func aStopThatFailedIsKeptUntilAStopIsReleased() async throws {
    let key = try await pressed("notDelivered")
    key.learn(isStopped: false, askedAfter: key.known)
    #expect(key.known != nil)
    key.learn(isStopped: true, askedAfter: key.known)
    key.learn(isStopped: false, askedAfter: key.known)
    #expect(key.known == nil)
  }

  /// A key that was pressed, and whose outcome is known.
  private func pressed(_ outcome: String) async throws -> StopKey {
    let key = StopKey { StopReport(stop: StopRecord(outcome: outcome, reason: "")) }
    key.press()
    _ = await key.settle()
    return key
  }
}
