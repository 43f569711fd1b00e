import ControlProtocol
import Programs
import Terminal
import Testing

@testable import Reports

struct FeedViewTests {
  private static let bare = TerminalAbilities(colours: false, unicode: true)

  private static func source(
    _ id: String?,
    x: Double = 4.1,
    y: Double = 9.8,
    zone: String? = "3-1",
    age: Double = 0.04,
    delay: Double? = nil,
    isPlayer: Bool = false
  ) -> FeedersRecord.Source {
    var source = FeedersRecord.Source(
      x: x,
      y: y,
      zone: zone,
      age: age,
      positions: 300,
      stamp: delay == nil ? "none" : "wallClock"
    )
    source.id = id
    source.perSecond = age > 4 ? 0 : 29.9
    source.delay = delay
    source.greatestDelay = delay.map { $0 * 2 }
    source.followed = isPlayer
    return source
  }

  private static func feeder(
    _ connection: String,
    _ sources: [FeedersRecord.Source] = []
  ) -> FeedersRecord.Feeder {
    FeedersRecord.Feeder(
      connection: connection,
      sources: sources,
      badLines: 0,
      droppedPositions: 0
    )
  }

  private static func record(_ feeders: FeedersRecord.Feeder...) -> FeedersRecord {
    var record = FeedersRecord(t: 100, safety: SafetyRecord(state: "live"), feeders: feeders)
    record.mode = "SIM"
    return record
  }

  /// A camera with the player and two others, one of them long gone, and a feeder whose lines are refused.
  private static let busy: FeedersRecord = {
    var second = feeder("client 2")
    second.badLines = 3
    second.droppedPositions = 2
    second.lastBadLine = StatusRecord.BadLine(
      t: 97,
      connection: "client 2",
      line: 3,
      text: #"{"y": 3}"#,
      reason: "“x” is missing"
    )
    var record = Self.record(
      feeder(
        "client 1",
        [
          source("3", x: 1, y: 2, zone: "0-0", age: 250),
          source("12", x: -2.5, y: 14.25, zone: nil),
          source("7", delay: 0.0424, isPlayer: true),
        ]
      ),
      second
    )
    record.lastBadLine = second.lastBadLine
    record.safety.holds = [
      SafetyRecord.Hold(code: "nearNet", reason: "the player is nearer to the net than 0.5 m"),
      SafetyRecord.Hold(code: "stopOnItsWay", reason: "a stop command is on its way"),
    ]
    return record
  }()

  private func frame(_ view: FeedView, width: Int, height: Int) -> String {
    view.frame(width, height, Self.bare).joined(separator: "\n")
  }

  @Test func aFrameOfABusyFeed() {
    #expect(
      frame(FeedView(Self.busy), width: 80, height: 21) == """
         SIM   Position feed

          Source                       x      y  Zone              Age     Rate  Latency
        ● client 1, id 7            4.10   9.80  3-1             0.0 s   29.9/s    42 ms
          client 1, id 12          -2.50  14.25  out of court    0.0 s   29.9/s        -
          client 1, id 3            1.00   2.00  0-0             4 min    0.0/s        -

        Latency   42 ms, at most 85 ms
        Others    1 other, not followed
        Refused   3 lines, the last 3 s ago: client 2, line 3 “{"y": 3}”: “x” is missing
        Dropped   2 lines, not taken in time
        Arming    LIVE
                  held: the player is nearer to the net than 0.5 m

         STOP  space or s    q leaves
        """
    )
  }

  /// A phone's terminal.
  @Test func aNarrowTerminalHasNoTable() {
    #expect(
      frame(FeedView(Self.busy), width: 45, height: 30) == """
         SIM   Position feed

        ● client 1, id 7  x 4.10 y 9.80  zone 3-1
          0.0 s ago  29.9/s  latency 42 ms, at most
          85 ms
          client 1, id 12  x -2.50 y 14.25  out of
          court  0.0 s ago  29.9/s  latency unknown:
          no t
          client 1, id 3  x 1.00 y 2.00  zone 0-0  4
          min ago  0.0/s  latency unknown: no t

        Others    1 other, not followed
        Refused   3 lines, the last 3 s ago: client
                  2, line 3 “{"y": 3}”: “x” is
                  missing
        Dropped   2 lines, not taken in time
        Arming    LIVE
                  held: the player is nearer to the
                  net than 0.5 m

         STOP  space or s    q leaves
        """
    )
  }

  @Test func theSourcesThatDontFitAreCounted() {
    let record = Self.record(
      Self.feeder(
        "client 1",
        (1...16).map { Self.source("\($0)", isPlayer: $0 == 16) }
      )
    )
    let lines = FeedView(record).frame(80, 15, Self.bare)
    #expect(lines.count <= 15)
    #expect(lines[3].hasPrefix("● client 1, id 16"))
    #expect(lines.contains("  and 11 more"), "\(lines)")
    #expect(lines.suffix(1) == [" STOP  space or s    q leaves"])
    #expect(lines.contains { $0.hasPrefix("Arming    LIVE") })
  }

  @Test func withoutAFeederItSaysSo() {
    var record = Self.record()
    record.lastBadLine = Self.busy.lastBadLine
    #expect(
      frame(FeedView(record), width: 80, height: 21) == """
         SIM   Position feed

        no feeder is connected

        Refused   the last 3 s ago: client 2, line 3 “{"y": 3}”: “x” is missing
        Arming    LIVE

         STOP  space or s    q leaves
        """
    )
    #expect(
      record.text.hasPrefix("no feeder is connected  refused: the last 3 s ago: client 2, line 3")
    )
    let silent = Self.record(Self.feeder("client 1"), Self.feeder("client 2"))
    #expect(silent.text == "no position yet from client 1, client 2")
  }

  @Test func whatAHangingServiceHasSaidIsTakenBack() {
    var view = FeedView(Self.busy)
    view.doubt(after: .milliseconds(1_999))
    #expect(frame(view, width: 80, height: 21).contains("client 1, id 7"))
    view.doubt(after: .seconds(3))
    view.stop = .underWay
    let text = frame(view, width: 80, height: 21)
    #expect(text.contains("Arming    no answer for 3 s"))
    #expect(text.contains("stop: on its way; use the machine's switch"))
    #expect(!text.contains("id 7") && !text.contains("no feeder"))
  }

  @Test func everyFrameFitsItsTerminal() {
    var failed = FeedView(Self.busy)
    failed.stop = .failed(Failure(.unavailable, "NOTHING was stopped: use the machine's switch"))
    for view in [FeedView(Self.busy), FeedView(Self.record()), failed] {
      for width in [0, 1, 2, 10, 40, 70, 71, 80, 200] {
        for height in [0, 1, 2, 5, 12, 21, 60] {
          let frame = view.frame(width, height, Self.bare)
          #expect(frame.count <= height)
          #expect(frame.allSatisfy { $0.count <= max(width, 1) })
          if width >= 40, height >= 5 {
            #expect(frame.last == " STOP  space or s    q leaves", "\(width), \(height)")
          }
        }
      }
    }
  }

  @Test(
    arguments: [
      (0.0424, 0.0848, "wallClock", "42 ms, at most 85 ms"),
      (-0.2, 0.1, "wallClock", "-200 ms, at most 100 ms"),
      (-1800, -1800, "wallClock", "-1800.0 s, at most -1800.0 s"),
      (nil, nil, "other", "unknown: t is not the wall clock"), (nil, nil, "none", "unknown: no t"),
    ] as [(Double?, Double?, String, String)]
  )
  func theLatencyOrWhyItIsNotKnown(
    _ delay: Double?,
    _ greatest: Double?,
    _ stamp: String,
    _ text: String
  ) {
    var source = Self.source(nil, delay: delay)
    source.greatestDelay = greatest
    source.stamp = stamp
    #expect(source.latencyText == text)
  }

  @Test func aLineHasAll() {
    #expect(
      Self.busy.text == """
        client 1, id 7  x 4.10 y 9.80  zone 3-1  0.0 s ago  29.9/s  \
        latency 42 ms, at most 85 ms  1 other, not followed  \
        refused: 3 lines, the last 3 s ago: client 2, line 3 “{"y": 3}”: “x” is missing  \
        dropped: 2 lines, not taken in time  held: the player is nearer to the net than 0.5 m
        """
    )
  }

  @Test func aSourceThatWasThePlayersIsNamedAsTheLast() {
    let record = Self.record(Self.feeder("client 1", [Self.source(nil, age: 4.26)]))
    #expect(
      record.text.hasPrefix("no player, the last: client 1  x 4.10 y 9.80  zone 3-1  4.3 s ago")
    )
  }

  @Test func timeAloneIsNoChange() {
    var changes = FeedChanges()
    var record = Self.busy
    var isChange = changes.receive(record)
    #expect(isChange)
    record.t += 1
    record.safety.remaining = 3
    for index in record.feeders[0].sources.indices {
      record.feeders[0].sources[index].age += 1
      record.feeders[0].sources[index].perSecond = 12
      record.feeders[0].sources[index].greatestDelay = nil
    }
    isChange = changes.receive(record)
    #expect(!isChange)
    let same = record
    for change in [
      { $0.feeders[0].sources[1].positions += 1 }, { $0.feeders[0].sources[1].followed = true },
      { $0.feeders[1].badLines += 1 }, { $0.feeders[1].droppedPositions += 1 },
      { $0.feeders.removeLast() }, { $0.safety.holds = [] }, { $0.safety.state = "paused" },
    ] as [(inout FeedersRecord) -> Void] {
      change(&record)
      let isTold = changes.receive(record)
      record = same
      let isTakenBack = changes.receive(record)
      let isToldAgain = changes.receive(record)
      #expect(isTold && isTakenBack && !isToldAgain)
    }
  }
}
