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
}
