import Fleet
import Host
import Testing

@Suite struct CourtRankTests {
  private struct Case: CustomTestStringConvertible {
    var rank: CourtRank
    var name: String
    /// The topic `availability`; nil: it has said nothing.
    var availability: String? = "online"
    /// The topic `state`; nil: it has said nothing.
    var state: String?
    var link = #"{"state":"ready"}"#

    var testDescription: String { name }
  }

  private static func stop(_ outcome: String, _ mode: String = "REAL") -> String {
    #"{"state":"stopped","mode":"\#(mode)","stop":{"outcome":"\#(outcome)"}}"#
  }

  private static func state(_ state: String, _ mode: String? = "REAL", code: String = "x") -> String
  {
    let mode = mode.map { #""mode":"\#($0)","# } ?? ""
    return #"{"state":"\#(state)",\#(mode)"code":"\#(code)"}"#
  }

  private static let trouble = #"{"state":"backingOff","reason":"no answer"}"#

  private static let cases = [
    Case(rank: .stopNotDelivered, name: "no stop", state: stop("notDelivered")),
    Case(rank: .stopUnconfirmed, name: "a doubtful stop", state: stop("unconfirmed")),
    Case(rank: .stopUnconfirmed, name: "a later version's outcome", state: stop("perhaps")),
    Case(rank: .lost, name: "lost while live", availability: "offline", state: state("live")),
    Case(
      rank: .lost,
      name: "lost, mode unknown",
      availability: "offline",
      state: state("live", nil)
    ),
    Case(rank: .lost, name: "lost in a rest", availability: "offline", state: state("resting")),
    Case(
      rank: .lost,
      name: "lost, not stopped",
      availability: "offline",
      state: stop("notDelivered")
    ),
    Case(rank: .lost, name: "lost while stopping", availability: "offline", state: stop("pending")),
    Case(rank: .lost, name: "lost in a later state", availability: "offline", state: state("new")),
    Case(
      rank: .lost,
      name: "live, and no word of its box",
      availability: nil,
      state: state("live")
    ),
    Case(rank: .liveTroubled, name: "live, no link", state: state("live"), link: trouble),
    Case(rank: .live, name: "live", state: state("live")),
    Case(rank: .live, name: "a stop on its way", state: stop("pending")),
    Case(rank: .live, name: "counting down", state: state("countdown")),
    Case(rank: .live, name: "resting", state: state("resting")),
    Case(rank: .live, name: "arms by itself", state: state("pending")),
    Case(rank: .live, name: "goes on by itself", state: state("paused", code: "silence")),
    Case(rank: .troubled, name: "stopped", state: stop("confirmed")),
    Case(rank: .troubled, name: "no service", state: #"{"state":"noService"}"#),
    Case(rank: .troubled, name: "no state", state: nil),
    Case(rank: .troubled, name: "disarmed, no link", state: state("disarmed"), link: trouble),
    Case(rank: .troubled, name: "no stop of a simulation", state: stop("notDelivered", "SIM")),
    Case(rank: .troubled, name: "no word of its box", availability: nil, state: state("disarmed")),
    Case(rank: .liveSimulated, name: "live SIM", state: state("live", "SIM")),
    Case(rank: .quiet, name: "disarmed", state: state("disarmed")),
    Case(rank: .quiet, name: "paused", state: state("paused", code: "operator")),
    Case(rank: .offUnknown, name: "off, no state", availability: "offline", state: nil),
    Case(rank: .off, name: "off, disarmed", availability: "offline", state: state("disarmed")),
    Case(rank: .off, name: "off, stopped", availability: "offline", state: stop("confirmed")),
    Case(rank: .off, name: "off, no service", availability: "offline", state: state("noService")),
    Case(rank: .off, name: "off, live SIM", availability: "offline", state: state("live", "SIM")),
  ]

  @Test(arguments: cases)
  private func aCourtHasTheRankOfItsDanger(_ one: Case) throws {
    var academy = Academy()
    academy.say(.link, of: "court-1", one.link)
    if let state = one.state { academy.say(.state, of: "court-1", state) }
    if let availability = one.availability {
      academy.say(.availability, of: "court-1", availability)
    }
    let row = try #require(academy.table.rows.first)
    #expect(CourtRank(row, at: Academy.now) == one.rank)
    // What is marked is above what isn't, but for a real machine in play.
    let isMarked = ![.live, .liveSimulated, .quiet, .off].contains(one.rank)
    #expect(row.needsAttention == isMarked || one.rank == .live)
  }

  @Test func everyRankHasItsCase() {
    #expect(Set(Self.cases.map(\.rank)) == Set(CourtRank.allCases))
  }

  @Test func aStopThatDoesNotEndIsADoubtfulOne() throws {
    var academy = Academy()
    academy.say(.availability, of: "court-1", "online")
    academy.say(.state, of: "court-1", Self.stop("pending"))
    let row = try #require(academy.table.rows.first)
    let later = Academy.now.advanced(by: CourtRank.longestStop)
    #expect(CourtRank(row, at: later) == .live)
    #expect(CourtRank(row, at: later.advanced(by: .seconds(1))) == .stopUnconfirmed)
  }
}
