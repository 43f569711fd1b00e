import Fleet
import Testing

@Suite struct CourtTopicTests {
  @Test(arguments: CourtTopic.allCases) func aTopicIsReadAsItIsWritten(_ topic: CourtTopic) throws {
    let read = try #require(CourtTopic.parse(topic.path(of: "court-1")))
    #expect(read.court == "court-1")
    #expect(read.topic == topic)
  }

  @Test(arguments: [
    "", "ballmachine", "ballmachine/court-1", "ballmachine/court-1/arm", "other/court-1/stop",
  ])
  func othersAreNone(_ path: String) {
    #expect(CourtTopic.parse(path) == nil)
  }
}
