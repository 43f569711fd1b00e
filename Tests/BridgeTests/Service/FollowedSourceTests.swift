import CourtLogic
import Positions
import TestSupport
import Testing

@testable import Bridge

struct FollowedSourceTests {
  @Test func theFollowedSourceIsTheOneThatTheAverageIsOf() async throws {
    let fixture = try ServiceFixture()
    #expect(await fixture.service.snapshot.followed == nil)
    try await fixture.stand()
    let other = SourceID(connection: "other")
    let position = try PlayerPosition(x: 4, y: 9)
    fixture.feed(.position(position, from: other, at: fixture.clock.now))
    #expect(await fixture.service.snapshot.followed == SourceID(connection: "test"))
    try await fixture.pass(.milliseconds(1_001))
    #expect(await fixture.service.snapshot.followed == nil, "it isn't seen any more")
    _ = try await fixture.end()
  }
}
