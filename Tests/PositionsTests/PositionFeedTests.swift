import Clocks
import CourtLogic
import Foundation
import Glibc
import Host
import Positions
import Synchronization
import TestSupport
import Testing

@Suite(.mustEnd)
struct PositionFeedTests {
  /// Fewer than a service has, so that tests have few files open.
  private static let clientLimit = 16
  private let clock = ManualClock(start: MonotonicInstant(sinceStart: .seconds(77)))
  private let directory: TemporaryDirectory
  /// On a busy box a reader may seem to stand still.
  private let worldTime: @Sendable () -> Duration = { .zero }

  init() throws {
    directory = try TemporaryDirectory()
  }

  // MARK: - Streams

  @Test func aPipeIsReadLineByLineAsItComes() async throws {
    var pipe = Optional(try FileDescriptor.pipe())
    let path = "/dev/fd/\(try #require(pipe).reading.number)"
    let feed = try PositionFeed(source: .file(path), clock: clock, worldTime: worldTime)
    var feeder = Optional(Feeder(try #require(pipe).writing))
    pipe = nil
    try await run(feed) { events in
      #expect(await events.next() == .opened(connection: path))
      await feeder?.write(#"{"x":1,"y":2}"# + "\n" + #"{"x":1,"#)
      #expect(await events.next() == position(1, 2, from: path))
      clock.advance(by: .seconds(1))
      await feeder?.write(#""y":3}"# + "\r\n")
      #expect(await events.next() == position(1, 3, from: path))
      await feeder?.write("0,4.1,9.8\n\nbad\n0,5,6")
      feeder = nil
      #expect(await events.next() == position(4.1, 9.8, from: path))
      #expect(
        await events.next()
          == .badLine(BadLine(line: 5, text: "bad", reason: .unknownFormat), connection: path)
      )
      #expect(
        await events.next()
          == .badLine(BadLine(line: 6, text: "0,5,6", reason: .cut), connection: path)
      )
      #expect(await events.next() == .closed(connection: path))
      #expect(await events.next() == .ended)
      #expect(await events.next() == nil)
      #expect(await events.next() == nil)
    }
    #expect(feed.statistics.positions == 3)
    #expect(feed.statistics.badLines == 2)
    #expect(feed.statistics.dropped == 0)
  }

  @Test func aRegularFileIsReadToItsEndAtOnce() async throws {
    let rows = (0..<500).map { "\($0),1,\($0 % 10)" }.joined(separator: "\n")
    let path = try directory.write("\u{FEFF}timestamp,x,y\r\n" + rows, to: "positions.csv")
    let events = try await all(
      of: PositionFeed(source: .file(path), clock: clock, worldTime: worldTime)
    )
    #expect(events.first == .opened(connection: path))
    #expect(events.suffix(2) == [.closed(connection: path), .ended])
    #expect(events.count == 503)
    #expect(events[500] == position(1, 9, from: path))
  }

  @Test func theDeviceNullEndsAtOnce() async throws {
    let events = try await all(
      of: PositionFeed(source: .file("/dev/null"), clock: clock, worldTime: worldTime)
    )
    #expect(
      events == [.opened(connection: "/dev/null"), .closed(connection: "/dev/null"), .ended]
    )
  }

  @Test func aSourceThatCannotBeReadFails() async throws {
    // Opens, but nothing is mapped at its beginning.
    let path = "/proc/self/mem"
    let feed = try PositionFeed(source: .file(path), clock: clock, worldTime: worldTime)
    await #expect(throws: SystemError("read positions from \(path)", code: EIO)) {
      try await feed.run()
    }
    var events: [PositionEvent] = []
    for await event in feed.events { events.append(event) }
    #expect(events == [.opened(connection: path), .closed(connection: path)])
  }

  @Test func aPipeGivenAsAPathEndsWithItsWriter() async throws {
    var pipe = Optional(try FileDescriptor.pipe())
    let path = "/dev/fd/\(try #require(pipe).reading.number)"
    let feed = try PositionFeed(source: .file(path), clock: clock, worldTime: worldTime)
    await Feeder(try #require(pipe).writing).write("0,1,2\n")
    pipe = nil
    let events = try await all(of: feed)
    #expect(
      events == [
        .opened(connection: path), position(1, 2, from: path), .closed(connection: path), .ended,
      ]
    )
  }

  /// Nobody knows how old those are.
  @Test func positionsThatWaitedWhileTheProcessStoodStillAreNotUsed() async throws {
    let path = directory("fifo")
    try #require(mkfifo(path, 0o600) == 0)
    // Jumps when the feed has looked at it so often, which is in the middle of what waits.
    let looks = Mutex(0)
    let feed = try PositionFeed(source: .file(path), clock: clock) {
      looks.withLock {
        $0 += 1
        return $0 > 10 ? .seconds(3) : .zero
      }
    }
    let feeder = try Feeder(fifo: path)
    // Some turns of the reader, and no more than a feeder may have waiting.
    let waiting = 1_000
    let zeros = String(repeating: "0", count: 40)
    await feeder.write((0..<waiting).map { "0,4.\(zeros),\($0 % 10)\n" }.joined())
    try await run(feed) { events in
      while feed.statistics.positions + feed.statistics.dropped < waiting {
        try await Task.yieldUnlessCancelled()
      }
      #expect(feed.statistics.positions > 0 && feed.statistics.dropped > 0)
      await feeder.write("0,1,2\n")
      var last = await events.next()
      var standstills: [PositionEvent] = []
      while last != position(1, 2, from: path) {
        if case .stoodStill = last { standstills.append(last!) }
        last = await events.next()
      }
      #expect(standstills == [.stoodStill(.seconds(3))])
    }
  }

  @Test func aFIFOGoesOnWithItsNextWriter() async throws {
    let path = directory("fifo")
    try #require(mkfifo(path, 0o600) == 0)
    let feed = try PositionFeed(source: .file(path), clock: clock, worldTime: worldTime)
    try await run(feed) { events in
      for round in 1...3 {
        var feeder: Feeder? = try Feeder(fifo: path)
        await feeder?.write("0,1,\(round)\n0,2,")
        #expect(await events.next() == .opened(connection: path))
        #expect(await events.next() == position(1, Double(round), from: path))
        feeder = nil
        #expect(
          await events.next()
            == .badLine(BadLine(line: 2, text: "0,2,", reason: .cut), connection: path)
        )
        #expect(await events.next() == .closed(connection: path))
      }
    }
  }

  @Test func aSourceThatCannotBeOpenedIsNamed() throws {
    try expectError("can't open \(directory.path)/none: No such file or directory") {
      try PositionFeed(source: .file(directory("none")), clock: clock, worldTime: worldTime)
    }
    try expectError("can't read positions from \(directory.path): Is a directory") {
      try PositionFeed(source: .file(directory.path), clock: clock, worldTime: worldTime)
    }
    let socket = try ListeningSocket(path: directory("socket"))
    try expectError(
      "\(socket.path) is a socket or a device that no program serves:"
        + " to listen there, say unix:\(socket.path)"
    ) { try PositionFeed(source: .file(socket.path), clock: clock, worldTime: worldTime) }
    try expectError(
      "another program listens on \(socket.path): is another ballmachine running?"
    ) { try PositionFeed(source: .socket(socket.path), clock: clock, worldTime: worldTime) }
  }

  @Test(
    arguments: [
      ("-", .standardInput), ("unix:/run/x", .socket("/run/x")), ("x.csv", .file("x.csv")),
      ("/dev/stdin", .file("/dev/stdin")),
    ] as [(String, PositionSource)]
  )
  func theOptionNamesTheSource(option: String, source: PositionSource) {
    #expect(PositionSource(option: option) == source)
  }

  // MARK: - The socket

  @Test func severalFeedersAreToldApart() async throws {
    try await withSocket { feed, path, events in
      let first = try Feeder(socket: path)
      #expect(await events.next() == .opened(connection: "client 1"))
      let second = try Feeder(socket: path)
      #expect(await events.next() == .opened(connection: "client 2"))
      await first.write(#"{"x":1,"#)
      await second.write("\u{FEFF}timestamp,x,y\r\n0,2,2\r\n")
      #expect(await events.next() == position(2, 2, from: "client 2"))
      await first.write(#""y":1,"id":"near"}"# + "\n")
      #expect(await events.next() == position(1, 1, from: "client 1", id: "near"))
      await second.write("oops\n")
      #expect(
        await events.next()
          == .badLine(
            BadLine(line: 3, text: "oops", reason: .unknownFormat),
            connection: "client 2"
          )
      )
    }
  }

  @Test func aFeederThatGoesMidLineHarmsNobody() async throws {
    try await withSocket { feed, path, events in
      let staying = try Feeder(socket: path)
      #expect(await events.next() == .opened(connection: "client 1"))
      var going: Feeder? = try Feeder(socket: path)
      #expect(await events.next() == .opened(connection: "client 2"))
      await going?.write(#"{"x":1,"y":1}"# + "\n" + #"{"x":1,"y"#)
      going = nil
      #expect(await events.next() == position(1, 1, from: "client 2"))
      #expect(
        await events.next()
          == .badLine(BadLine(line: 2, text: #"{"x":1,"y"#, reason: .cut), connection: "client 2")
      )
      #expect(await events.next() == .closed(connection: "client 2"))
      await staying.write("0,3,3\n")
      #expect(await events.next() == position(3, 3, from: "client 1"))
    }
  }

  @Test func aFeederThatAsksForRepliesGetsALineForEachRefusal() async throws {
    try await withSocket { feed, path, events in
      let feeder = try Feeder(socket: path)
      #expect(await events.next() == .opened(connection: "client 1"))
      await feeder.write(#"{"replies": true}"# + "\n")
      #expect(await feeder.reply() == #"{"replies":true}"# + "\n")
      await feeder.write("0,1,2\n" + #"{"x": 1}"# + "\n0,1,99\n")
      #expect(
        await feeder.reply() == """
          {"line":3,"reason":"“y” is missing"}
          {"line":4,"reason":"y is 99.0 m: more than 50 m away (are these metres?)"}

          """
      )
      #expect(await events.next() == position(1, 2, from: "client 1"))
      await feeder.write(#"{"x": 1, "y": 2, "trackId": 3}"# + "\n")
      let hint =
        #"{"hint":"the key “trackId” isn't known, and not used: is it “track_id”?","line":5}"#
      #expect(await feeder.reply() == hint + "\n")
    }
  }

  @Test func repliesGoToThoseWhoAskFirstAndAreBounded() async throws {
    try await withSocket { feed, path, events in
      let late = try Feeder(socket: path)
      await late.write("0,1,2\n" + #"{"replies": true}"# + "\nbad\n")
      let flooding = try Feeder(socket: path)
      await flooding.write(#"{"replies": true}"# + "\n" + String(repeating: "x\n", count: 1_000))
      let lines = await flooding.reply()?.split(separator: "\n") ?? []
      #expect(lines.count == 102)
      #expect(lines.last == #"{"more":900}"#)
      // Its replies would be here by now: it was read first.
      #expect(late.hasNoReply)
    }
  }

  @Test func aFeederThatDoesNotReadItsRepliesDelaysNobody() async throws {
    try await withSocket { feed, path, events in
      let deaf = try Feeder(socket: path)
      await deaf.write(#"{"replies": true}"# + "\n" + String(repeating: "x\n", count: 200_000))
      let feeder = try Feeder(socket: path)
      await feeder.write("0,1,2\n")
      // Waits for ever where the reader waits for the one that doesn't read.
      while let event = await events.next(), event != position(1, 2, from: "client 2") {}
    }
  }

  @Test func aLineOf10MegabytesIsOneBadLine() async throws {
    try await withSocket { feed, path, events in
      let feeder = try Feeder(socket: path)
      #expect(await events.next() == .opened(connection: "client 1"))
      await feeder.write([UInt8](repeating: UInt8(ascii: "["), count: 10_000_000))
      await feeder.write("\n0,1,2\n")
      #expect(
        await events.next()
          == .badLine(BadLine(line: 1, reason: .tooLong), connection: "client 1")
      )
      #expect(await events.next() == position(1, 2, from: "client 1"))
    }
  }

  @Test func aFloodThatNobodyTakesKeepsItsNewestAndSparesTheOthers() async throws {
    try await withSocket { feed, path, events in
      let quiet = try Feeder(socket: path)
      #expect(await events.next() == .opened(connection: "client 1"))
      await quiet.write("0,7,7\n")

      var flooder: Feeder? = try Feeder(socket: path)
      let count = 20_000
      let flood = (0..<count).map { "0,1,\(Double($0) / 1_000)\n" }.joined()
      await flooder?.write(flood)
      flooder = nil

      var quietSeen = 0
      var floodSeen: [Double] = []
      while let event = await events.next(), event != .closed(connection: "client 2") {
        guard case .position(let position, let source, _, _) = event else { continue }
        if source.connection == "client 1" {
          quietSeen += 1
        } else {
          floodSeen.append(position.y)
        }
      }
      #expect(quietSeen == 1)
      #expect(floodSeen == floodSeen.sorted())
      #expect(floodSeen.last == Double(count - 1) / 1_000)
      #expect(feed.statistics.positions == count + 1)
      #expect(feed.statistics.dropped == count - floodSeen.count)
    }
  }

  @Test func floodingFeedersDoNotKeepTheOthersWaiting() async throws {
    try await withSocket { feed, path, events in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          let flooder = try Feeder(socket: path)
          let lines = String(repeating: #"{"x":1,"y":1,"id":"flood"}"# + "\n", count: 1_000)
          group.addTask {
            while !Task.isCancelled { await flooder.write(lines) }
          }
        }
        let quiet = try Feeder(socket: path)
        // While the flood runs, each of these comes through.
        for index in 0..<20 {
          await quiet.write(#"{"x":2,"y":\#(index),"id":"quiet"}"# + "\n")
          while let event = await events.next() {
            guard case .position(let position, let source, _, _) = event, source.id == "quiet"
            else {
              continue
            }
            #expect(position.y == Double(index))
            break
          }
        }
        group.cancelAll()
        // The flooders end their last write only if somebody goes on reading: the feed does.
        try await group.waitForAll()
      }
    }
  }

  @Test func tooManyFeedersAreSentAwayUntilOneGoes() async throws {
    try await withSocket { feed, path, events in
      var feeders: [Feeder] = []
      for number in 1...Self.clientLimit {
        feeders.append(try Feeder(socket: path))
        #expect(await events.next() == .opened(connection: "client \(number)"))
      }
      let surplus = try Feeder(socket: path)
      await surplus.waitForEnd()
      #expect(await events.next() == .clientRefused(limit: Self.clientLimit))
      #expect(feed.statistics.refusedClients == 1)
      await feeders[0].write("0,1,2\n")
      #expect(await events.next() == position(1, 2, from: "client 1"))

      feeders.removeFirst()
      #expect(await events.next() == .closed(connection: "client 1"))
      feeders.append(try Feeder(socket: path))
      #expect(
        await events.next() == .opened(connection: "client \(Self.clientLimit + 1)")
      )
    }
  }

  @Test func theFeederThatHasBeenSilentLongestMakesRoom() async throws {
    try await withSocket { feed, path, events in
      var feeders: [Feeder] = []
      for number in 1...Self.clientLimit {
        feeders.append(try Feeder(socket: path))
        #expect(await events.next() == .opened(connection: "client \(number)"))
      }
      clock.advance(by: .seconds(1))
      await feeders[0].write("0,1,2\n")
      #expect(await events.next() == position(1, 2, from: "client 1"))
      clock.advance(by: .seconds(60))
      // The first has been silent for a minute, which is not long enough.
      for number in 2...Self.clientLimit {
        feeders.append(try Feeder(socket: path))
        let closed = await events.next()
        try #require(closed == .closed(connection: "client \(number)"))
        let newcomer = "client \(Self.clientLimit + number - 1)"
        #expect(await events.next() == .opened(connection: newcomer))
        await feeders[number - 1].waitForEnd()
      }
      let surplus = try Feeder(socket: path)
      await surplus.waitForEnd()
      #expect(await events.next() == .clientRefused(limit: Self.clientLimit))
      #expect(feed.statistics.refusedClients == 1)
    }
  }

  @Test func feedersThatComeAndGoUnseenAreBoundedToo() async throws {
    try await withSocket { feed, path, events in
      for _ in 0..<Self.clientLimit + 10 {
        let feeder = try Feeder(socket: path)
        await feeder.write("0,1,2\n")
      }
      let last = try Feeder(socket: path)
      // Nobody has taken an event yet, so all places are still taken.
      await last.waitForEnd()
      #expect(feed.statistics.refusedClients >= 11)
      var opened = 0
      var closed = 0
      while closed < Self.clientLimit, let event = await events.next() {
        if case .opened = event { opened += 1 }
        if case .closed = event { closed += 1 }
      }
      #expect(opened == Self.clientLimit)
    }
  }

  @Test func theSocketGoesWithTheFeed() async throws {
    let path = directory("positions")
    do {
      let feed = try PositionFeed(source: .socket(path), clock: clock, worldTime: worldTime)
      var status = stat()
      try #require(lstat(path, &status) == 0)
      #expect(status.st_mode & 0o7777 == 0o660)
      let task = Task { try await feed.run() }
      let feeder = try Feeder(socket: path)
      var events = feed.events.makeAsyncIterator()
      #expect(await events.next() == .opened(connection: "client 1"))
      task.cancel()
      try await task.value
      await feeder.waitForEnd()
      #expect(await events.next() == .closed(connection: "client 1"))
      #expect(await events.next() == nil, "cancelled, not ended")
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func aFeedCancelledBeforeItRunsEndsToo() async throws {
    let feed = try PositionFeed(
      source: .socket(directory("positions")),
      clock: clock,
      worldTime: worldTime
    )
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await feed.run()
    }
    try await task.value
    var events = feed.events.makeAsyncIterator()
    #expect(await events.next() == nil)
  }

  // MARK: - Helpers

  private func position(
    _ x: Double,
    _ y: Double,
    from connection: String,
    id: String? = nil
  ) -> PositionEvent {
    .position(
      try! PlayerPosition(x: x, y: y),
      from: SourceID(connection: connection, id: id),
      at: clock.now
    )
  }

  private func run(
    _ feed: PositionFeed,
    _ body: (inout PositionEventQueue.Iterator) async throws -> Void
  ) async throws {
    let task = Task { try await feed.run() }
    var events = feed.events.makeAsyncIterator()
    do { try await body(&events) } catch {
      task.cancel()
      throw error
    }
    task.cancel()
    try await task.value
  }

  private func withSocket(
    _ body: (PositionFeed, String, inout PositionEventQueue.Iterator) async throws -> Void
  ) async throws {
    let path = directory("positions")
    let feed = try PositionFeed(
      source: .socket(path),
      clock: clock,
      clientLimit: Self.clientLimit,
      worldTime: worldTime
    )
    try await run(feed) { events in try await body(feed, path, &events) }
  }

  private func all(of feed: PositionFeed) async throws -> [PositionEvent] {
    try await feed.run()
    var events: [PositionEvent] = []
    for await event in feed.events { events.append(event) }
    return events
  }

  private func expectError(
    _ text: String,
    _ body: () throws -> PositionFeed,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    do {
      _ = try body()
      Issue.record("the source was opened", sourceLocation: sourceLocation)
    } catch {
      #expect("\(error)" == text, sourceLocation: sourceLocation)
    }
  }
}
