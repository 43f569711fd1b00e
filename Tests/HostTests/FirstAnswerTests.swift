import Glibc
import Host
import TestSupport
import Testing

@Suite(.mustEnd) struct FirstAnswerTests {
  private struct Wrong: Error, Hashable {}

  @Test func whatComesInTimeIsTheAnswer() async throws {
    #expect(try await waiting { 7 } == 7)
    #expect(try await waiting(atMost: .seconds(3600)) { 7 } == 7)
    await #expect(throws: Wrong()) { try await waiting { throw Wrong() } }
  }

  @Test func whatNeverComesIsGivenUpAfterTheLimit() async throws {
    let answer = FirstAnswer<Int>()
    await #expect(throws: TimeoutError()) {
      try await waiting(atMost: .milliseconds(1)) { try await answer.wait() }
    }
    // It goes on without its caller.
    answer.give(.success(1))
  }

  @Test func aCancelledTaskWaitsNoLonger() async throws {
    let answer = FirstAnswer<Int>()
    let begun = FirstAnswer<Void>()
    let task = Task {
      try await waiting {
        begun.give(.success(()))
        return try await answer.wait()
      }
    }
    try await begun.wait()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    answer.give(.success(1))
  }

  @Test func theFirstAnswerCounts() async throws {
    let answer = FirstAnswer<Int>()
    for number in 1...3 { answer.give(.success(number)) }
    #expect(try await answer.wait() == 1)
  }
}
