import Clocks
import CourtLogic
import Host
import TestSupport
import Testing

@testable import Positions

struct PositionEventQueueTests {
  @Test func aBoundedQueueForgetsItsOldest() {
    var queue = BoundedQueue<Int>(capacity: 3)
    #expect(queue.first == nil)
    #expect(queue.popFirst() == nil)
    #expect((1...5).map { queue.append($0) } == [false, false, false, true, true])
    #expect(queue.count == 3)
    #expect(queue.first == 3)
    #expect((1...4).map { _ in queue.popFirst() } == [3, 4, 5, nil])
    _ = queue.append(6)
    #expect(queue.popFirst() == 6)
  }

  @Test func openingsAndClosingsAreNeverLost() async throws {
    let queue = PositionEventQueue()
    let lane = queue.open("a")
    let count = PositionEventLine.capacity + 5
    let lines = (0..<count).map { PositionLine.bad(BadLine(line: $0, reason: .notJSON)) }
    queue.append(lines, at: .start, to: lane)
    queue.close(lane)
    queue.finish(ended: true)

    var events: [PositionEvent] = []
    for await event in queue { events.append(event) }
    #expect(events.first == .opened(connection: "a"))
    #expect(events.suffix(2) == [.closed(connection: "a"), .ended])
    #expect(events.count == PositionEventLine.capacity + 3)
    #expect(
      events[1] == .badLine(BadLine(line: 5, reason: .notJSON), connection: "a"),
      "the oldest went"
    )
    #expect(queue.statistics.dropped == 5)
    #expect(queue.laneCount == 0)
  }

  @Test func eventsOfSeveralConnectionsKeepTheirOrder() async throws {
    let queue = PositionEventQueue()
    let lanes = [queue.open("a"), queue.open("b"), queue.open("c")]
    var generator = SeededGenerator(seed: 1)
    for number in 0..<1_000 {
      let lane = lanes.randomElement(using: &generator)!
      queue.append([.bad(BadLine(line: number, reason: .cut))], at: .start, to: lane)
    }
    queue.finish(ended: false)
    var numbers: [Int] = []
    for await event in queue {
      if case .badLine(let bad, _) = event { numbers.append(bad.line) }
    }
    #expect(numbers == Array(0..<1_000))
  }

  @Test func aClosingComesWhereItHappened() async throws {
    let queue = PositionEventQueue()
    let bad = BadLine(line: 1, reason: .cut)
    let first = queue.open("a")
    queue.append([.bad(bad)], at: .start, to: first)
    let second = queue.open("b")
    queue.close(first)
    queue.append([.bad(bad)], at: .start, to: second)
    queue.finish(ended: false)
    var events: [PositionEvent] = []
    for await event in queue { events.append(event) }
    #expect(
      events == [
        .opened(connection: "a"), .badLine(bad, connection: "a"), .opened(connection: "b"),
        .closed(connection: "a"), .badLine(bad, connection: "b"),
      ]
    )
  }

  @Test func eachConnectionHasTheSameRoom() async throws {
    let queue = PositionEventQueue()
    let lanes = (0..<PositionFeed.clientLimit).map { queue.open("\($0)") }
    let room = PositionEventLine.capacity
    let count = room + 88
    for line in 0..<count {
      for lane in lanes {
        queue.append([.bad(BadLine(line: line, reason: .cut))], at: .start, to: lane)
      }
    }
    queue.finish(ended: false)
    var seen: [String: [Int]] = [:]
    for await event in queue {
      if case .badLine(let bad, let connection) = event {
        seen[connection, default: []].append(bad.line)
      }
    }
    // The newest of each, in their order.
    #expect(seen.count == lanes.count)
    #expect(seen.values.allSatisfy { $0 == Array(count - room..<count) })
    #expect(queue.statistics.dropped == (count - room) * lanes.count)
  }

  @Test func whatIsLostInOneConnectionLeavesTheOthersInOrder() async throws {
    let queue = PositionEventQueue()
    let (flooding, quiet) = (queue.open("flooding"), queue.open("quiet"))
    var generator = SeededGenerator(seed: 2)
    var (floodingCount, quietCount) = (0, 0)
    var events = queue.makeAsyncIterator()
    var (floodingSeen, quietSeen): ([Int], [Int]) = ([], [])
    func take(_ event: PositionEvent?) {
      guard case .badLine(let bad, let connection) = event else { return }
      if connection == "quiet" { quietSeen.append(bad.line) } else { floodingSeen.append(bad.line) }
    }
    for _ in 0..<200 {
      for _ in 0..<Int.random(in: 0...400, using: &generator) {
        queue.append([.bad(BadLine(line: floodingCount, reason: .cut))], at: .start, to: flooding)
        floodingCount += 1
      }
      queue.append([.bad(BadLine(line: quietCount, reason: .cut))], at: .start, to: quiet)
      quietCount += 1
      // Slower than it comes.
      for _ in 0..<50 { take(await events.next()) }
    }
    queue.close(flooding)
    queue.finish(ended: false)
    while let event = await events.next() { take(event) }
    #expect(quietSeen == Array(0..<quietCount))
    #expect(floodingSeen == floodingSeen.sorted())
    #expect(floodingSeen.suffix(500) == Array(floodingCount - 500..<floodingCount)[...])
    #expect(queue.statistics.dropped == floodingCount - floodingSeen.count)
    #expect(queue.statistics.dropped > 0)
  }
}
