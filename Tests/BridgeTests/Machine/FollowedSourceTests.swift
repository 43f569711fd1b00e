import CourtLogic
import Testing

@testable import Bridge

struct FollowedSourceTests {
  @Test func theFollowedSourceIsTheOneThatTheAverageIsOf() {
    var fixture = BridgeFixture()
    #expect(fixture.snapshot.followed == nil)
    fixture.stand()
    fixture.stand(from: "other")
    #expect(fixture.snapshot.followed == SourceID(connection: "test"))
    fixture.pass(.milliseconds(1_001))
    #expect(fixture.snapshot.followed == nil, "it isn't seen any more")
  }
}
