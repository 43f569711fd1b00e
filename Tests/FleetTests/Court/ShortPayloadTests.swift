import Testing

@testable import Fleet

/// Payloads for a broker whose packets are short.
struct ShortPayloadTests {
  /// An office knows its own stop by its text.
  @Test func theNewestStopOfAnOutcomeStaysWhole() throws {
    let stops = (0..<16).map { #""stop 1844674407370955160\#($0)""# }.joined(separator: ",")
    let reason = "the machine has acknowledged the stop command"
    let outcome = #"{"outcome":"confirmed","reason":"\#(reason)","stops":[\#(stops)]}"#
    let cut = try #require(CourtPayload.cut(Array(outcome.utf8), toBytes: 152))
    #expect(
      String(decoding: cut, as: UTF8.self) == """
        {"outcome":"confirmed","reason":"the machine has acknowledged th…",\
        "stops":["stop 18446744073709551600","stop 18446744073709551601"]}
        """
    )
    #expect(CourtPayload.cut(Array(outcome.utf8), toBytes: 40) == nil)
  }

  /// What the broker has kept would look like the present.
  @Test(arguments: [
    (
      130,
      #"{"mode":"REAL","reason":"no answer","state":"stopNotDelivered","stop":{"outcome":"notDelivered"}}"#
    ), (90, #"{"mode":"REAL","state":"stopNotDelivered","stop":{"outcome":"notDelivered"}}"#),
    (60, #"{"mode":"REAL","state":"stopNotDelivered"}"#),
  ])
  func theWordOfAStateComesFirst(_ bytes: Int, short: String) {
    let reason = String(repeating: "a", count: 80)
    let state = """
      {"mode":"REAL","reason":"no answer","since":"2026-11-30T08:41:42Z","state":"stopNotDelivered",\
      "stop":{"outcome":"notDelivered","reason":"\(reason)"}}
      """
    let members = CourtTopic.state.leastMembers
    let cut = CourtPayload.cut(Array(state.utf8), toBytes: bytes, leavingOut: members)
    #expect(cut.map { String(decoding: $0, as: UTF8.self) } == short)
    #expect(CourtPayload.cut(Array(state.utf8), toBytes: bytes) == nil)
  }
}
