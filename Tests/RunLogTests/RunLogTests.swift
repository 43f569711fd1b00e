import ControlProtocol
import CourtLogic
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Clocks
@testable import Configuration
@testable import Host
@testable import Positions
@testable import RunLog

struct RunLogTests {
  private let base: TemporaryDirectory
  private let directory: LogDirectory
  private let clock = ManualClock()
  /// What the clock on the wall shows more than `clock`.
  private let wall = Locked(Duration.seconds(1_795_269_600))
  private let warnings = Locked<[String]>([])
  private let isFull = Locked(false)
  /// Every file that somebody tries to make.
  private let creations: AsyncStream<Void>
  private let created: AsyncStream<Void>.Continuation

  private static let camera = SourceID(connection: "client 1")

  init() throws {
    base = try TemporaryDirectory()
    let path = base("state")
    directory = LogDirectory(in: try StateDirectory(variable: { _ in path }))
    (creations, created) = AsyncStream.makeStream()
  }

  private func log(
    batching: Duration = .seconds(3600),
    _ change: (inout LogSettings) -> Void = { _ in }
  ) -> RunLog {
    var options = LogSettings()
    change(&options)
    return RunLog(
      options,
      in: directory,
      program: "ballmachine 0.1.0",
      clock: clock,
      wallClock: { [wall, clock] in wall.withLock(\.self) + clock.now.sinceStart },
      batching: batching,
      warn: { [warnings] text in warnings.withLock { $0.append(text) } },
      create: { [directory, isFull, created] (name) throws(SystemError) in
        defer { created.yield() }
        guard isFull.withLock(\.self) else { return try directory.create(name) }
        return FileDescriptor(owning: open("/dev/full", O_WRONLY))
      }
    )
  }

  private func record(_ event: EventRecord.Event) -> EventRecord {
    EventRecord(
      event,
      t: clock.now.seconds,
      time: WallTime(since1970: wall.withLock(\.self) + clock.now.sinceStart)
    )
  }

  private func ball(_ number: Int) -> EventRecord {
    let decision = DecisionRecord(
      t: clock.now.seconds,
      x: 1,
      y: 13,
      samples: 30,
      zone: nil,
      command: "110001060014004500"
    )
    var dispatch = DispatchRecord(number: number, decision: decision)
    dispatch.outcome = OutcomeRecord(outcome: "delivered", reason: nil)
    dispatch.latency = 0
    return record(.dispatch(dispatch))
  }

  private func feed(_ state: String) -> EventRecord {
    var feed = FeedRecord(state: state)
    feed.connection = "client 3"
    return record(.feed(feed))
  }

  private func link(_ state: String, name: String? = nil) -> EventRecord {
    var link = LinkRecord(state: state)
    link.since = WallTime(since1970: wall.withLock(\.self))
    link.name = name
    return record(.link(link))
  }

  private func take(
    _ x: Double,
    _ y: Double,
    from source: SourceID = camera,
    to log: RunLog
  ) throws {
    log.record(.position(try PlayerPosition(x: x, y: y), from: source, at: clock.now))
  }

  private var paths: [String] {
    get throws { try directory.files().map(directory.path(of:)) }
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  private func lines() throws -> [Substring] {
    try paths.filter { $0.hasSuffix(".ndjson") }.flatMap {
      let text = try text($0)
      PrintedRecords.add(text)
      return text.split(separator: "\n")
    }
  }

  // MARK: What is in it

  @Test func everyLineIsARecord() async throws {
    clock.advance(by: .seconds(5))
    let log = log()
    clock.advance(by: .microseconds(1_000_250))
    try take(4.1, -0.0000001, to: log)
    log.record(
      .position(
        try PlayerPosition(x: 1, y: 13.123456789, confidence: 0.75),
        from: SourceID(connection: "client \"2\"", id: "Å"),
        at: clock.now
      )
    )
    log.record(feed("opened"))
    log.record(ball(1))
    await log.close()
    #expect(
      try paths.map(text) == [
        """
        {"event":"session","part":1,"program":"ballmachine 0.1.0","protocol":2,"session":1,\
        "t":5,"time":"2026-11-21T14:00:05.000Z"}
        {"connection":"client 1","event":"position","t":6.000250,"x":4.1,"y":-1e-07}
        {"connection":"client \\"2\\"","event":"position","id":"Å","t":6.000250,"x":1.0,\
        "y":13.123456789,"confidence":0.75}
        {"connection":"client 3","event":"feed","state":"opened","t":6.00025,\
        "time":"2026-11-21T14:00:06.000Z"}
        {"command":"110001060014004500","event":"dispatch","latency":0,"number":1,\
        "outcome":"delivered","samples":30,"t":6.00025,"time":"2026-11-21T14:00:06.000Z","x":1,\
        "y":13,"zone":null}

        """
      ]
    )
    #expect(try paths[0].hasSuffix("/000001-20261121T140005Z-001.ndjson"))
    #expect(warnings.withLock(\.self) == [])
  }

  @Test func ballsAreWrittenAtOnceAndWhatCameBeforeThemToo() async throws {
    let log = log()
    try take(1, 2, to: log)
    // Not before its time, or somebody has something that can't wait.
    await log.settle()
    #expect(try paths == [])
    log.record(ball(1))
    await log.settle()
    #expect(try lines().count == 3)
    log.record(record(.stop(StopRecord(outcome: "confirmed", reason: "it has it"))))
    await log.settle()
    #expect(try lines().count == 4)
  }

  @Test func aPositionAloneIsWrittenAfterAWhile() async throws {
    let log = log(batching: .milliseconds(1))
    for number in 1...2 {
      try take(1, 2, to: log)
      // The second one has its file already.
      if number == 1 { for await _ in creations { break } }
    }
    await log.close()
    #expect(try lines().count == 3)
  }

  @Test func everyFileBeginsWithTheLinkAndTheLevelAsTheyAre() async throws {
    let log = log { $0.totalSize = LogSettings.sizes.lowerBound }
    for state in ["connecting", "ready"] { log.record(link(state)) }
    var training = TrainingRecord(aim: "follow", interval: 5)
    training.level = "beginner"
    log.record(record(.training(training)))
    for _ in 1...2000 {
      try take(1, 2, to: log)
      clock.advance(by: .milliseconds(10))
    }
    await log.close()
    let files = try paths.map { try text($0).split(separator: "\n") }
    #expect(files.count == 2)
    #expect(files[1][0].contains(#""part":2"#) && files[1][1].contains(#""state":"ready""#))
    #expect(files[1][2].contains(#""level":"beginner""#))
    #expect(files[1][3].contains(#""event":"position""#))
    let change = try #require(try Track(path: paths[1]).changes.first)
    let beginner = RecordedTraining(level: .beginner, interval: .seconds(5))
    #expect(change.setting == .training(beginner))
    #expect(change.offset < .zero)
  }

  @Test func aFileTellsNothingAtItsBeginningThatCameLater() async throws {
    let log = log { $0.totalSize = LogSettings.sizes.lowerBound }
    // All at once, over the beginning of the second file.
    for index in 0..<2200 {
      if index.isMultiple(of: 200) {
        log.record(link("idle", name: "\(index)"))
      }
      try take(1, 2, to: log)
    }
    await log.close()
    let files = try paths.map { try text($0).split(separator: "\n") }
    #expect(files.count == 2 && files[0][1].contains(#""name":"0""#))
    let last = try #require(files[0].last { $0.contains("\"name\"") })
    let next = try #require(files[1].dropFirst(2).first { $0.contains("\"name\"") })
    #expect(files[1][1] == last && next != last)
  }

  @Test func aClockThatIsSetIsARecordAndNothingElse() async throws {
    clock.advance(by: .seconds(100))
    let log = log()
    for step in [Duration.zero, .milliseconds(400), .seconds(-1_795_000_000), .zero] {
      wall.withLock { $0 += step }
      clock.advance(by: .seconds(1))
      try take(clock.now.seconds / 100, 2, to: log)
      log.record(ball(1))
      await log.settle()
    }
    await log.close()
    #expect(try paths.count == 1)
    let clocks = try lines().filter { $0.contains(#""event":"clock""#) }
    #expect(
      clocks == [
        #"{"event":"clock","t":103,"time":"1970-01-04T02:55:03.400Z","was":"2026-11-21T14:01:43.000Z"}"#
      ]
    )
    // The names of the next runs come after it all the same, and the track is one.
    let next = self.log()
    next.record(ball(1))
    await next.close()
    #expect(try paths.last?.hasSuffix("/000002-19700104T025504Z-001.ndjson") == true)
    let track = try Track(path: paths[0])
    #expect(track.positions.map(\.offset) == [.zero, .seconds(1), .seconds(2), .seconds(3)])
  }

  @Test func aThinnedLogHasSoManyPositionsASecondOfEachSource() async throws {
    let log = log { $0.positionInterval = .seconds(1) / 8 }
    let other = SourceID(connection: "client 2")
    for frame in 0..<240 {
      try take(1, 2, to: log)
      if frame.isMultiple(of: 6) { try take(3, 4, from: other, to: log) }
      clock.advance(by: .seconds(1) / 24)
    }
    await log.close()
    let text = try text(paths[0])
    #expect(text.ranges(of: "client 1").count == 80)
    // Four a second of this one: all.
    #expect(text.ranges(of: "client 2").count == 40)
  }

  // MARK: The phone app's file

  @Test func thePlayerIsInThePhonesFileOnceASecond() async throws {
    let log = log { $0.writesPlayerPositions = true }
    for frame in 0..<75 {
      try take(Double(frame) / 10, -0.0001, to: log)
      try take(8, 8, from: SourceID(connection: "client 2"), to: log)
      // Whatever happens to the clock on the wall, the file's goes on.
      if frame == 40 { wall.withLock { $0 -= .seconds(86_400) } }
      clock.advance(by: .milliseconds(40))
    }
    await log.close()
    let path = try #require(try paths.first { $0.hasSuffix("-player_positions.csv") })
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd HH:mm:ss"
    let times = (0...2).map {
      formatter.string(from: Date(timeIntervalSince1970: 1_795_269_600 + Double($0)))
    }
    #expect(
      try text(path) == """
        timestamp,x,y
        \(times[0]),0.0,0.0
        \(times[1]),2.5,0.0
        \(times[2]),5.0,0.0

        """
    )
    let track = try Track(path: path)
    #expect(track.positions.map(\.offset) == [.zero, .seconds(1), .seconds(2)])
    #expect(track.positions.map(\.position.x) == [0, 2.5, 5])
  }

  @Test func aSessionHasTheTimeThatWasSetBeforeIt() async throws {
    let log = log { $0.writesPlayerPositions = true }
    func arm(_ state: String) async {
      log.record(record(.safety(SafetyRecord(state: state))))
      await log.settle()
    }
    func play(_ x: Double) async throws {
      try take(x, 1, to: log)
      clock.advance(by: .seconds(1))
    }
    try await play(1)
    // The clock of a box without a battery is set.
    wall.withLock { $0 += .seconds(86_400) }
    try await play(2)
    await arm("countdown")
    try await play(3)
    await arm("live")
    try await play(4)
    await arm("disarmed")
    // A second session, with the clock as it was.
    await arm("countdown")
    try await play(5)
    await log.close()
    let tracks = try paths.filter { $0.hasSuffix("-player_positions.csv") }.sorted()
      .map { try text($0).split(separator: "\n").dropFirst().map { $0.split(separator: ",") } }
    #expect(tracks.map { $0.map { $0[1] } } == [["1.0", "2.0"], ["3.0", "4.0", "5.0"]])
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd HH:mm:ss"
    let begin = formatter.string(from: Date(timeIntervalSince1970: 1_795_269_600 + 86_400 + 2))
    #expect(tracks.last?.first?.first.map(String.init) == begin)
  }

  // MARK: Replaying

  /// A table with a command for each zone, level and spin: the longest record of a log.
  private static let levels: CommandTable = {
    let plain = CommandTableFile.builtIn.texts
    var strokes: [String: String] = [:]
    for zone in Zone.allCases {
      for level in [nil] + SkillLevel.allCases.map(Optional.some) {
        for spin in [nil] + Spin.allCases.map(Optional.some) {
          let stroke = Stroke(zone: zone, level: level, spin: spin)
          if !stroke.isPlain { strokes["\(stroke)"] = "1170010740\(18_008_000 + strokes.count)" }
        }
      }
    }
    guard let table = CommandTable(texts: plain, strokeTexts: strokes) else {
      preconditionFailure("these are commands")
    }
    return table
  }()

  @Test(arguments: seeds())
  func aReplayDecidesWhatTheRunDid(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let log = log()
    let recorded = LogicManager.Settings(
      court: try Court(
        apron: .random(in: 0...3, using: &generator),
        rows: [0, .random(in: 0.3...6, using: &generator), 6.394, 8.32, 11.885],
        columns: seed % 2 == 0 ? nil : [0, 1.5, 4.115, .random(in: 5...7, using: &generator), 8.23]
      ),
      table: seed % 2 == 0 ? CommandTableFile.builtIn : Self.levels,
      interval: .milliseconds(Int.random(in: 2_950...4_700, using: &generator))
    )
    log.record(recorded)
    var live = DryRun(logic: LogicManager(recorded))
    var decisions: [Decision] = []
    let sources = [Self.camera, SourceID(connection: "client 2", id: "b")]
    var silence = 0
    for _ in 0..<2000 {
      if Int.random(in: 0..<100, using: &generator) == 0 {
        silence = Int.random(in: 0..<200, using: &generator)
      }
      silence = max(silence - 1, 0)
      clock.advance(by: .microseconds(Int.random(in: 0...30_000, using: &generator)))
      let source = silence > 0 ? sources[1] : sources.randomElement(using: &generator)!
      let position = try PlayerPosition(
        x: .random(in: 0...9, using: &generator),
        y: .random(in: 0...13, using: &generator)
      )
      log.record(.position(position, from: source, at: clock.now))
      decisions += live.arrive(position, from: source, at: clock.now)
    }
    await log.close()
    let track = try Track(path: paths[0])
    #expect(track.court?.table == recorded.table)
    var replay = DryRun(logic: LogicManager(try #require(track.court)))
    let replayed = track.positions.flatMap {
      replay.arrive($0.position, from: Self.camera, at: .start.advanced(by: $0.offset))
    }
    #expect(decisions.count > 5)
    #expect(replayed.map(\.position) == decisions.map(\.position), "seed \(seed)")
    #expect(replayed.map(\.command) == decisions.map(\.command), "seed \(seed)")
  }

  @Test func aLogThatEndsAnywhereIsReadUpToThere() async throws {
    let log = log()
    for number in 1...5 {
      clock.advance(by: .milliseconds(100))
      try take(Double(number), 2, to: log)
      log.record(ball(number))
    }
    await log.close()
    let bytes = try Array(text(paths[0]).utf8)
    let head = bytes.firstIndex(of: UInt8(ascii: "\n"))!
    for end in (head + 1)...bytes.count {
      let whole = bytes[..<end].split(separator: UInt8(ascii: "\n"))
        .filter { $0.last == UInt8(ascii: "}") }
      let count = whole.count { String(decoding: $0, as: UTF8.self).contains("position") }
      let isTorn = ![UInt8(ascii: "\n"), UInt8(ascii: "}")].contains(bytes[end - 1])
      if count == 0, isTorn {
        #expect(throws: TrackError.self) { try Track(bytes: Array(bytes[..<end])) }
        continue
      }
      let track = try Track(bytes: Array(bytes[..<end]))
      #expect(track.positions.map(\.position.x) == (1..<count + 1).map(Double.init))
      #expect(track.badLines.count == (isTorn ? 1 : 0))
      #expect(track.badLines.allSatisfy { $0.reason == .cut })
    }
  }

  @Test func aLineThatWasTornLongAgoIsABadLine() throws {
    let text = """
      {"event":"session","version":1}
      {"event":"position","t":1,"x":1,"y":2,"connection":"a"}
      {"event":"posi
      {"event":"position","t":2,"x":99,"y":2,"connection":"a"}
      {"event":"position","t":2,"x":1,"y":2,"connection":"b"}
      {"event":"position","t":2.5,"x":1,"y":2,"connection":"a"}
      """
    let track = try Track(bytes: Array(text.utf8))
    #expect(track.positions.map(\.offset) == [.zero, .seconds(1.5)])
    #expect(track.badLines.map(\.line) == [3, 4])
  }

  /// A session that is live from 2 s to 9 s, in the words of its records.
  private static func session(court: String = "") -> [UInt8] {
    var lines = [#"{"event":"session","version":1}"#, court]
    lines.append(#"{"event":"safety","t":0.5,"state":"disarmed"}"#)
    for tenth in 10...130 {
      if tenth == 20 { lines.append(#"{"event":"safety","t":2.05,"state":"live"}"#) }
      if tenth == 90 { lines.append(#"{"event":"safety","t":9.05,"state":"stopped"}"#) }
      // The head of the next file.
      if tenth == 50 {
        lines += [
          #"{"event":"session","version":1}"#, court,
          #"{"event":"safety","t":2.05,"state":"live"}"#,
        ]
      }
      lines.append(
        #"{"connection":"a","event":"position","t":\#(tenth / 10).\#(tenth % 10),"x":1,"y":13}"#
      )
    }
    return Array(lines.joined(separator: "\n").utf8)
  }

  private func decisions(on track: Track, asRecorded: Bool) -> [Decision] {
    var run = DryRun(logic: LogicManager(.init(table: CommandTableFile.builtIn)))
    var decisions: [Decision] = []
    run.decide(on: track, asRecorded: asRecorded) { decision, _, _ in decisions.append(decision) }
    return decisions
  }

  @Test func aDryRunDecidesWhileTheSessionsBallsCouldFly() throws {
    let track = try Track(bytes: Self.session())
    #expect(
      track.feeding == [
        FeedingChange(offset: .seconds(-0.5), isFeeding: false),
        FeedingChange(offset: .milliseconds(1_050), isFeeding: true, beginsGrid: true),
        FeedingChange(offset: .milliseconds(8_050), isFeeding: false),
      ]
    )
    func times(asRecorded: Bool) -> [Double] {
      decisions(on: track, asRecorded: asRecorded).map(\.time.seconds)
    }
    #expect(times(asRecorded: true) == [1.05, 4.05, 7.05])
    #expect(times(asRecorded: false) == [0, 3, 6, 9, 12])
    // A track that doesn't say is one that always feeds.
    let plain = try Track(bytes: Array("0,1,1\n1,1,1\n".utf8))
    #expect(decisions(on: plain, asRecorded: true).count == 1)
  }

  /// As live: the next set's first ball comes with its countdown's end.
  @Test func aDryRunBeginsANewGridAfterARest() throws {
    var lines = [
      #"{"event":"session","version":1}"#, #"{"event":"safety","t":10,"state":"live"}"#,
    ]
    for second in 10...30 {
      let state = [17: "resting", 20: "countdown", 24: "live"][second]
      if let state {
        lines.append(#"{"event":"safety","t":\#(Double(second) - 0.5),"state":"\#(state)"}"#)
      }
      lines.append(#"{"connection":"a","event":"position","t":\#(second),"x":1,"y":1}"#)
    }
    let track = try Track(bytes: Array(lines.joined(separator: "\n").utf8))
    let times = decisions(on: track, asRecorded: true).map(\.time.seconds)
    #expect(times == [0, 3, 6, 13.5, 16.5, 19.5])
  }

  @Test func whenBallsCouldFlyIsReadBack() async throws {
    let log = log()
    for state in ["disarmed", "live", "stopped", "stopped"] {
      log.record(record(.safety(SafetyRecord(state: state))))
      try take(1, 2, to: log)
      clock.advance(by: .seconds(1))
    }
    await log.close()
    let changes = try Track(path: paths[0]).feeding
    #expect(changes.map(\.isFeeding) == [false, true, false])
    #expect(changes.map(\.offset) == [.zero, .seconds(1), .seconds(2)])
  }

  @Test func theCourtOfTheRunIsReadBack() async throws {
    let command = try MachineCommand(digits: "111112222233334444")
    let recorded = LogicManager.Settings(
      court: try Court(apron: 2.5, rows: [0, 2.377, 6.394, 8.32, 11.885]),
      table: CommandTable { $0 == .fallback ? command : CommandTableFile.builtIn[$0] },
      interval: .milliseconds(4_700)
    )
    let log = log()
    log.record(recorded)
    try take(1, 2, to: log)
    log.record(LogicManager.Settings(court: Court(), table: CommandTableFile.builtIn))
    await log.close()
    let track = try Track(path: paths[0])
    // The first of several.
    #expect(track.court == recorded && track.court?.fallback == .zone(.fallback))
    #expect(track.positions.count == 1 && track.badLines == [])
  }

  @Test(arguments: [
    #"{"event":"court","t":1,"time":"","apron":-1,"fallback":"000000000000000000","table":{}}"#,
    #"{"event":"court","t":1,"time":"","apron":1,"fallback":"110001060014004500","table":{}}"#,
  ])
  func aCourtThatNobodyHasIsNotTaken(record: String) throws {
    #expect(try Track(bytes: Self.session(court: record)).court == nil)
  }

  @Test(
    arguments: [
      ("", .seconds(3)), (#""interval":2.95,"#, .milliseconds(2_950)),
      (#""interval":4.7,"#, .milliseconds(4_700)), (#""interval":0,"#, nil),
      (#""interval":-3,"#, nil), (#""interval":1e300,"#, nil), (#""rows":[],"#, nil),
      (#""columns":[0,4,3,6,8.23],"#, nil),
    ] as [(String, Duration?)]
  )
  func theIntervalOfTheRunIsReadBackAndOf3SecondsIfNoneIsRecorded(
    member: String,
    interval: Duration?
  ) throws {
    let commands = Zone.allCases.map { #""\#($0)":"110001060014004500""# }
      .joined(separator: ",")
    let record =
      #"{"event":"court","t":1,"time":"","apron":1,"fallback":"110001060014004500",\#(member)"#
      + #""commands":{\#(commands)}}"#
    #expect(try Track(bytes: Self.session(court: record)).court?.interval == interval)
  }

  /// It has `digits` for `command`, the holds' codes alone, and `reason` for `code`.
  @Test func aLogOfTheFirstFormIsReadBack() throws {
    let text = """
      {"event":"session","part":1,"program":"ballmachine 0.1.0","session":1,"t":0,"version":1}
      {"balls":0,"event":"safety","holds":[],"state":"live","t":0.5,"time":""}
      {"connection":"a","event":"position","t":1,"x":1,"y":2}
      {"digits":"105001050012002000","event":"held","holds":["nearNet"],"t":1,"x":1,"y":2}
      {"digits":"105001050012002000","event":"dispatch","latency":0.05,"number":1,\
      "outcome":"delivered","samples":1,"t":4,"time":"","x":1,"y":2,"zone":"0-0"}
      {"digits":"105001050012002000","event":"manual","latency":0.05,"number":1,\
      "outcome":"delivered","t":5,"time":""}
      {"event":"lost","positions":1,"reason":"tooMany","records":0,"t":6,"time":""}
      """
    let track = try Track(bytes: Array(text.utf8))
    #expect(track.badLines == [] && track.feeding.map(\.isFeeding) == [true])
    #expect(track.verdicts.map(\.isHeld) == [true, false])
  }

  @Test func aLogOfANewerFormIsRefused() {
    #expect(throws: TrackError.unknownVersion(3, line: 1)) {
      try Track(bytes: Array(#"{"event":"session","protocol":3}"#.utf8))
    }
  }

  // MARK: Disks

  @Test func aFullDiskIsToldOnceAndWhatFitsIntoMemoryIsWrittenLater() async throws {
    isFull.withLock { $0 = true }
    let log = log()
    for number in 1...5000 {
      try take(1, 2, to: log)
      // Somebody else's words take nobody's place.
      log.record(feed("refused"))
      if number.isMultiple(of: 100) { log.record(ball(number)) }
      if number == 100 { await log.settle() }
      // Not faster than is recorded.
      clock.advance(by: .milliseconds(100))
    }
    await log.settle()
    #expect(try paths == [])
    #expect(warnings.withLock(\.count) == 1)
    #expect(warnings.withLock { $0[0].contains("No space left on device") })

    isFull.withLock { $0 = false }
    clock.advance(by: LogRecorder.retryInterval)
    log.record(ball(5100))
    await log.close()
    let lines = try lines()
    func count(_ event: String) -> Int { lines.count { $0.contains("\"event\":\"\(event)\"") } }
    #expect(count("dispatch") == 51)
    // What was taken for the disk at the first ball waits beside the queue.
    #expect((4096...4196).contains(count("position")) && (256...356).contains(count("feed")))
    let losses = try lines.filter { $0.contains(#""event":"lost""#) }.map {
      try JSONDecoder().decode(Losses.self, from: Data($0.utf8))
    }
    #expect(losses.map(\.positions).reduce(0, +) == 5000 - count("position"))
    #expect(losses.map(\.records).reduce(0, +) == 5000 - count("feed"))
    #expect(
      warnings.withLock { Array($0.dropFirst()) } == [
        "the session log is written again",
        "the session log lacks \(5000 - count("position")) positions and \(5000 - count("feed"))"
          + " other records: the disk was full or too slow for them",
      ]
    )
  }

  private struct Losses: Decodable {
    var code: String
    var connection: String?
    var positions: Int
    var records: Int
  }

  // MARK: Feeders

  /// `yes 1,1,1` into the socket beside a camera, for ten minutes.
  @Test func aRunawayFeederNeitherFillsTheLogNorIsTheDiskBlamed() async throws {
    let log = log()
    let runaway = SourceID(connection: "client 2")
    let seconds = 600
    for second in 0..<seconds {
      for frame in 0..<30 {
        try take(1, 2, to: log)
        for _ in 0..<100 { try take(3, 4, from: runaway, to: log) }
        if frame == 0 {
          for _ in 0..<100 { log.record(feed("opened")) }
        }
        clock.advance(by: .seconds(1) / 30)
      }
      log.record(ball(second + 1))
      await log.settle()
    }
    await log.close()
    let lines = try lines()
    func count(_ connection: String, _ event: String) -> Int {
      lines.count { $0.contains("\"\(connection)\",\"event\":\"\(event)\"") }
    }
    #expect(count("client 1", "position") == seconds * 30)
    #expect(lines.count { $0.contains(#""event":"dispatch""#) } == seconds)
    // 10 s of them at once, after that so many a second.
    let (others, talk) = (count("client 2", "position"), count("client 3", "feed"))
    #expect(others <= (seconds + 11) * FeedAllowance.otherRate)
    #expect(talk <= (seconds + 11) * FeedAllowance.talkRate)
    let losses = try lines.filter { $0.contains(#""event":"lost""#) }.map {
      try JSONDecoder().decode(Losses.self, from: Data($0.utf8))
    }
    #expect(losses.allSatisfy { $0.code == "tooMany" })
    #expect(losses.count <= 2 * (seconds / 10 + 2))
    let positions = losses.filter { $0.connection == "client 2" }.map(\.positions).reduce(0, +)
    let records = losses.filter { $0.connection == "client 3" }.map(\.records).reduce(0, +)
    #expect(positions == seconds * 3_000 - others && records == seconds * 100 - talk)
    let warnings = warnings.withLock(\.self)
    #expect((2...seconds / 60 + 2).contains(warnings.count))
    #expect(warnings.allSatisfy { $0.contains("client 2") && !$0.contains("disk") })
    // A replay has the camera's positions, all of them.
    #expect(try Track(path: paths[0]).positions.count == seconds * 30)
  }

  @Test func thePlayerMayNotFillTheLogEither() async throws {
    let log = log()
    for _ in 0..<60 {
      for _ in 0..<1_000 { try take(1, 2, to: log) }
      clock.advance(by: .seconds(1))
      log.record(ball(1))
      await log.settle()
    }
    await log.close()
    let recorded = try lines().count { $0.contains(#""event":"position""#) }
    #expect(recorded <= 70 * FeedAllowance.playerRate)
  }

  @Test func whereNothingCanBeWrittenDrivingGoesOn() async throws {
    _ = try base.write("", to: "state")
    let log = log()
    for number in 1...3 {
      log.record(ball(number))
      await log.settle()
    }
    await log.close()
    #expect(warnings.withLock(\.count) == 1)
  }

  @Test func severalTellAtATime() async throws {
    let log = log()
    await withTaskGroup { group in
      for number in 1...4 {
        group.addTask {
          let source = SourceID(connection: "client \(number)")
          for index in 0..<500 {
            guard let position = try? PlayerPosition(x: Double(index) / 100, y: 1) else { return }
            log.record(.position(position, from: source, at: .start))
          }
        }
      }
      for number in 1...100 {
        log.record(ball(number))
      }
    }
    await log.close()
    let lines = try lines()
    #expect(lines.count == 1 + 2000 + 100)
    for number in 1...4 {
      let own = lines.filter { $0.contains("\"client \(number)\"") }
      #expect(own.count == 500)
    }
  }

  @Test func positionsAreToldAsTheyPass() async throws {
    let log = log()
    let events: [PositionEvent] = [
      .opened(connection: "a"),
      .position(try PlayerPosition(x: 1, y: 2), from: Self.camera, at: clock.now), .ended,
    ]
    let stream = AsyncStream { continuation in
      for event in events { continuation.yield(event) }
      continuation.finish()
    }
    var passed: [PositionEvent] = []
    for await event in stream.recorded(in: log) { passed.append(event) }
    #expect(passed == events)
    await log.close()
    // What else a feed tells comes as a record.
    #expect(try lines().count == 2)
  }
}
