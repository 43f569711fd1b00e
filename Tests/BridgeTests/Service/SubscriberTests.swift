import CourtLogic
import MachineLink
import TestSupport
import Testing

@testable import Bridge

/// Those who follow the service each have a buffer of their own. On the socket, whoever misses
/// something is told how much: see the suites of the control server.
@Suite(.mustEnd) struct SubscriberTests {
  @Test func aSubscriberWhoLagsMissesTheOldestAndNobodyElseDoes() async throws {
    let bench = try ServiceBench()
    await bench.wait(for: .ready)
    let lazy = await bench.service.subscribe(backlog: 3)
    let keen = await bench.service.subscribe()
    for _ in 1...10 {
      _ = await bench.service.perform(.arm(countdown: .seconds(9)))
      _ = await bench.service.perform(.disarm)
    }
    _ = try await bench.end()
    let words = { (stream: AsyncStream<BridgeEvent>) in
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
    #expect(await words(lazy) == all.suffix(3))
  }

  /// Should the thread that serves the control socket stand still, its mail is bounded and says what
  /// is missing.
  @Test func theMailOfTheControlSocketIsBoundedAndCountsWhatItHasLost() throws {
    let mailbox = try ControlMailbox()
    for number in 1...ControlMailbox.eventCapacity + 7 {
      mailbox.post(.stopped(.delivered), at: .start.advanced(by: .seconds(number)))
    }
    let mail = mailbox.empty()
    #expect(mail.lostEvents == 7 && mail.events.count == ControlMailbox.eventCapacity)
    #expect(mail.events.first?.instant == .start.advanced(by: .seconds(8)))
    let next = mailbox.empty()
    #expect(next.lostEvents == 0 && next.events.isEmpty)
  }
}
