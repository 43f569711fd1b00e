import Clocks
import CourtLogic
import TestSupport
import Testing

struct LogicManagerTests {
  private let camera = SourceID(connection: "camera")

  /// 30 positions a second, asked when it wants to be asked plus a delay that a busy box may have:
  /// the 1,200 decisions stand exactly on the grid of the first one.
  @Test(arguments: [2_000, 2_500, 3_000, 4_700, 9_000])
  func theCadenceDoesNotDriftIn1200Ticks(milliseconds: Int) throws {
    let interval = Duration.milliseconds(milliseconds)
    var logic = LogicManager(.init(table: plainTable, interval: interval))
    var generator = SeededGenerator(seed: 7)
    let start = Duration.milliseconds(12_345)
    var due: [Duration] = []
    var asked: Duration?
    var frame = 0
    while due.count < 1_201 {
      let arrival = start + .microseconds(33_333) * frame
      while let time = asked, time <= arrival {
        let answer = logic.decide(at: instant(time))
        let decision = try #require(answer, "asked at \(time)")
        #expect(decision.time == instant(time))
        due.append(decision.due.sinceStart)
        asked = nil
      }
      let position = try PlayerPosition(x: 1, y: 1)
      #expect(logic.insert(position, from: camera, at: instant(arrival)) == .accepted)
      frame += 1
      if asked == nil, let next = logic.nextDecision {
        asked = next.sinceStart + .microseconds(Int.random(in: 0...66_666, using: &generator))
      }
    }
    // The first position was answered when it was first asked about.
    let phase = due[0]
    #expect(due == (0..<1_201).map { phase + interval * $0 })
  }

  /// The next point is the new interval after the last one, sooner or later than it was due.
  @Test(arguments: [2_000, 2_999, 3_000, 3_001, 60_000])
  func anotherIntervalCountsFromTheGridsLastPoint(milliseconds: Int) throws {
    var logic = LogicManager(.init(table: plainTable))
    #expect(logic.interval == LogicManager.standardInterval)
    logic.reconfigure(.init(court: Court(), table: plainTable, interval: .seconds(9)))
    #expect(logic.nextDecision == nil, "there is no grid yet")
    let position = try PlayerPosition(x: 1, y: 1)
    _ = logic.insert(position, from: camera, at: instant(.seconds(1)))
    #expect(logic.decide(at: instant(.milliseconds(1_050)))?.due == instant(.milliseconds(1_050)))
    #expect(logic.nextDecision == instant(.milliseconds(10_050)))
    let interval = Duration.milliseconds(milliseconds)
    logic.reconfigure(.init(court: Court(), table: plainTable, interval: interval))
    #expect(logic.nextDecision == instant(.milliseconds(1_050) + interval))
    logic.reconfigure(.init(court: Court(), table: plainTable, interval: interval))
    #expect(logic.nextDecision == instant(.milliseconds(1_050) + interval))
  }

  /// What is due at once because the interval is shorter now is still on the grid: it is too late.
  @Test func aShorterIntervalBringsNoBallOffTheGrid() throws {
    var logic = LogicManager(.init(table: plainTable, interval: .seconds(60)))
    let position = try PlayerPosition(x: 1, y: 1)
    _ = logic.insert(position, from: camera, at: .start)
    #expect(logic.decide(at: .start) != nil)
    _ = logic.insert(position, from: camera, at: instant(.seconds(10)))
    logic.reconfigure(.init(court: Court(), table: plainTable, interval: .seconds(3)))
    #expect(logic.decide(at: instant(.seconds(10))) == nil)
    #expect(logic.nextDecision == instant(.seconds(12)))
  }

  @Test func positionsAreKeptFor3Seconds() throws {
    var logic = LogicManager(.init(table: plainTable))
    let position = try PlayerPosition(x: 1, y: 1)
    for second in 0...10 {
      _ = logic.insert(position, from: camera, at: instant(.seconds(second)))
    }
    #expect(logic.retainedCount == 4, "seconds 7 to 10, both included")
  }

  @Test func aFloodKeepsItsNewestPositionsInFixedMemory() throws {
    var logic = LogicManager(.init(table: plainTable))
    for index in 0..<10_000 {
      let position = try PlayerPosition(x: index < 7_000 ? 1 : 7, y: 1)
      _ = logic.insert(position, from: camera, at: instant(.microseconds(index * 10)))
    }
    #expect(logic.retainedCount == LogicManager.capacity)
    let answer = logic.decide(at: instant(.milliseconds(100)))
    let decision = try #require(answer)
    #expect(decision.sampleCount == LogicManager.capacity)
    #expect(decision.position.x == 7)
  }

  @Test func theFallbackIsTheEntryOfZone11UnlessGiven() throws {
    let behind = try PlayerPosition(x: 4, y: 13)
    let other = try MachineCommand(digits: "123456789012345678")
    for (logic, expected) in [
      (LogicManager(.init(table: plainTable)), plainTable[Zone("1-1")!]),
      (LogicManager(.init(table: plainTable, fallback: .command(other))), other),
    ] {
      var logic = logic
      _ = logic.insert(behind, from: camera, at: .start)
      let answer = logic.decide(at: .start)
      let decision = try #require(answer)
      #expect(decision.zone == nil)
      #expect(decision.command == expected)
    }
  }

  @Test func connectionAndIDTogetherAreTheSource() throws {
    var logic = LogicManager(.init(table: plainTable))
    let position = try PlayerPosition(x: 4, y: 3)
    let near = SourceID(connection: "camera", id: "near")
    #expect(logic.insert(position, from: near, at: .start) == .accepted)
    #expect(logic.insert(position, from: camera, at: .start) == .otherSource)
    #expect(
      logic.insert(position, from: SourceID(connection: "camera", id: "far"), at: .start)
        == .otherSource
    )
    #expect(logic.player == near)
    #expect("\(near)" == "camera, id near")
  }

  @Test func onlyThePlayersPositionsAreHeld() throws {
    var logic = LogicManager(.init(table: plainTable))
    let position = try PlayerPosition(x: 4, y: 3)
    _ = logic.insert(position, from: camera, at: .start)
    _ = logic.insert(position, from: camera, at: instant(.seconds(1)))
    let phone = SourceID(connection: "phone")
    #expect(logic.insert(position, from: phone, at: instant(.milliseconds(2_001))) == .accepted)
    #expect(logic.player == phone)
    #expect(logic.retainedCount == 1)
  }

  private func instant(_ time: Duration) -> MonotonicInstant { MonotonicInstant(sinceStart: time) }
}
