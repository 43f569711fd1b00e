import Testing

@testable import Camera

@Suite struct ReopeningPauseTests {
  @Test func pausesGrowUntilAFrameComes() {
    var pause = ReopeningPause(longest: .seconds(10))
    #expect((0..<6).map { _ in pause.next() } == [1, 2, 4, 8, 10, 10].map { .seconds($0) })
    pause.reset()
    #expect(pause.next() == .seconds(1))
    var short = ReopeningPause(longest: .seconds(1))
    #expect((0..<3).allSatisfy { _ in short.next() == .seconds(1) })
  }
}
