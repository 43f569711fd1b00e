import Clocks
import CourtLogic
import MachineLink
import Safety
import TestSupport
import Testing

@testable import Bridge
@testable import ControlProtocol
@testable import Positions

/// Those who follow the service each have room of their own, and are told how much they have missed.
@Suite(.mustEnd) struct SubscriberTests {
  @Test func aSubscriberWhoLagsMissesTheOldestAndNobodyElseDoes() async throws {
    let fixture = try ServiceFixture()
    await fixture.wait(for: .ready)
    let lazy = await fixture.service.subscribe(backlog: 3)
    let keen = await fixture.service.subscribe()
    for _ in 1...10 {
      _ = await fixture.service.perform(.arm(countdown: .seconds(9)))
      _ = await fixture.service.perform(.disarm)
    }
    _ = try await fixture.end()
    let words = { (stream: BridgeEvents) in
      var words: [String] = []
      for await event in stream {
        switch event {
        case .safety(let status): words.append(status.state.word)
        case .link(let status): words.append(status.phase.rawValue)
        default: break
        }
      }
      return words
    }
    let all = await words(keen)
    // The present, the changes, and the way out.
    #expect(all.starts(with: ["ready", "disarmed"]))
    #expect(all.count { $0 == "countdown" } == 10)
    // The newest three of safety and of the link, in their order.
    let safety = ["disarmed", "countdown", "live"]
    let newest = [true, false].map { isSafety in
      all.indices.filter { safety.contains(all[$0]) == isSafety }.suffix(3)
    }
    #expect(await words(lazy) == newest.joined().sorted().map { all[$0] })
  }

  @Test func whatFeedersSayPushesOutNothingElse() async throws {
    let fixture = try ServiceFixture()
    await fixture.wait(for: .ready)
    try await fixture.stand()
    let lazy = await fixture.service.subscribe()
    _ = await fixture.service.perform(.arm(countdown: .seconds(9)))
    for _ in 1...5_000 { fixture.feed(.opened(connection: "client 1")) }
    // It comes behind them.
    try await fixture.stand()
    _ = await fixture.service.perform(.disarm)
    _ = try await fixture.end()
    var (states, lines, dropped) = ([String](), 0, 0)
    for await event in lazy {
      switch event {
      case .safety(let status): states.append(status.state.word)
      case .record(.feed(let feed), _) where feed.state == "opened": lines += 1
      case .dropped(let count): dropped += count
      default: break
      }
    }
    #expect(states == ["disarmed", "countdown", "disarmed"])
    #expect(dropped > 0 && lines + dropped == 5_000)
  }

  /// Should the thread that serves the control socket stand still, its mail is bounded and says what
  /// is missing.
  @Test func theMailOfTheControlSocketIsBoundedAndCountsWhatItHasLost() throws {
    let mailbox = try ControlMailbox()
    for number in 1...EventKind.balls.room + 7 {
      mailbox.post(.stopped(.confirmed), at: .start.advanced(by: .seconds(number)))
    }
    var mail = mailbox.empty().events
    #expect(mail.takeLost() == 7)
    #expect(mail.count == EventKind.balls.room)
    #expect(mail.popFirst()?.instant == .start.advanced(by: .seconds(8)))
    var next = mailbox.empty().events
    #expect(next.takeLost() == 0)
    #expect(next.isEmpty)
  }
}
