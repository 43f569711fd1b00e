import Clocks
import Testing

@testable import Camera

@Suite struct SightNewsTests {
  /// - Parameter milliseconds: nil: a record that counts at once.
  private typealias Step = (milliseconds: Int?, code: String, isNews: Bool)

  private static let cases: [[Step]] = [
    // What is there already is no news, however long.
    [(0, "first", false), (1000, "first", false)],
    // News has lasted half a second, and is reported once.
    [(0, "a", false), (499, "a", false), (500, "a", true), (2000, "a", false)],
    // A player who is lost for a frame is no news.
    [(0, "a", false), (400, "first", false), (500, "a", false), (999, "a", false)],
    // Each state must last by itself.
    [(0, "a", false), (400, "b", false), (800, "b", false), (900, "b", true)],
    // A failed camera has no frames to wait for; what came before is forgotten.
    [(0, "a", false), (nil, "b", true), (nil, "b", false), (600, "a", false), (1100, "a", true)],
  ]

  @Test(arguments: cases.indices) func aStateIsNewsOnceItHasLasted(_ index: Int) {
    var news = SightNews(SightRecord(state: .nothing, code: "first"))
    for step in Self.cases[index] {
      let time = step.milliseconds.map(at)
      let record = SightRecord(state: .nothing, code: step.code)
      let isNews = news.receive(record, at: time)
      #expect(isNews == step.isNews, "\(step)")
      #expect(!step.isNews || news.sight == record, "\(step)")
    }
  }

  @Test func aReasonMayChangeWithEachFrame() {
    var news = SightNews(SightRecord(state: .nothing, code: "a", reason: "1 pixel"))
    let next = SightRecord(state: .nothing, code: "a", reason: "2 pixels")
    var isNews = news.receive(next, at: .start)
    #expect(!isNews && news.sight == next)
    // The state is another one, though the code is not.
    isNews = news.receive(SightRecord(state: .noCamera, code: "a"), at: nil)
    #expect(isNews)
  }
}
