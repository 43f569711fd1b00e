import ControlProtocol
import CourtLogic
import Glibc
import TestSupport
import Testing

@testable import Clocks
@testable import Host
@testable import RunLog
@testable import SessionSummary

/// Sessions in folders of logs, some of which the log's own writer has made.
struct SessionArchiveTests {
  private let folder: TemporaryDirectory
  private var archive: SessionArchive { SessionArchive(LogDirectory(path: folder.path)) }

  init() throws { folder = try TemporaryDirectory() }

  private func write(_ log: LogText, run: Int, part: Int = 1, kind: String = "") throws {
    let name =
      "\(String("\(1_000_000 + run)".dropFirst()))-20261121T165737Z-00\(part)\(kind).ndjson"
    _ = try folder.write(String(decoding: log.bytes, as: UTF8.self), to: name)
  }

  private func log(
    _ level: String = "beginner",
    _ label: String? = "Anna",
    _ mode: String = "REAL",
    live: Double = 30
  ) -> LogText {
    var log = LogText()
    log.mode(mode)
    log.training(level: level, label: label, at: 0)
    log.session(from: 1, live: live)
    return log
  }

  private func names(_ sessions: [Session]) -> [String] { sessions.map(\.name.description) }

  @Test func anEmptyFolderOrNoneHasNoSessions() throws {
    #expect(try archive.newest(20, .balls).sessions == [])
    #expect(try archive.session(nil) == nil)
    let missing = SessionArchive(LogDirectory(path: folder("missing")))
    #expect(try missing.newest(nil, .whole).sessions == [])
  }

  @Test func theNewestComeLastAndTheRestIsNotRead() throws {
    for run in 1...5 { try write(log(), run: run) }
    var two = log()
    two.session(from: 100, live: 3)
    try write(two, run: 6)
    let all = try archive.newest(nil, .balls)
    #expect(names(all.sessions) == ["1", "2", "3", "4", "5", "6", "6.2"] && !all.hasOlder)
    let some = try archive.newest(3, .balls)
    #expect(names(some.sessions) == ["5", "6", "6.2"] && some.hasOlder)
    let fewer = try archive.newest(1, .balls)
    #expect(names(fewer.sessions) == ["6.2"] && fewer.hasOlder)
  }

  @Test func oneIsComparedWithTheLastFiveLikeIt() throws {
    for run in 1...7 { try write(log(), run: run) }
    try write(log("advanced"), run: 8)
    try write(log("beginner", "Ben"), run: 9)
    try write(log("beginner", "Anna", "SIM"), run: 10)
    // Nothing to compare.
    try write(log(live: 0), run: 11)
    try write(log(), run: 12)
    try write(log(), run: 13)
    let found = try #require(try archive.session(SessionName(run: 12, arming: 1)))
    #expect(names(found.before) == ["3", "4", "5", "6", "7"])
    #expect(found.before.allSatisfy { $0.movement != nil })
    #expect(names(try #require(try archive.session(nil)).before) == ["4", "5", "6", "7", "12"])
    #expect(names(try #require(try archive.session(SessionName("10"))).before) == [])
    #expect(try archive.session(SessionName("12.2")) == nil)
    #expect(try archive.session(SessionName("99")) == nil)
  }

  /// A regular file that not even root reads: nothing is mapped at its beginning.
  private static let unreadable = "/proc/self/mem"

  @Test func aRunThatCannotBeReadIsSkipped() throws {
    for run in [1, 2, 4] { try write(log(), run: run) }
    for run in [3, 5] {
      let path = folder("00000\(run)-20261121T165737Z-001.ndjson")
      try #require(symlink(Self.unreadable, path) == 0)
    }
    // These are no logs, not even parts of one.
    try #require(mkfifo(folder("000004-20261121T165737Z-002.ndjson"), 0o644) == 0)
    try #require(symlink("/dev/zero", folder("000006-20261121T165737Z-001.ndjson")) == 0)
    let newest = try archive.newest(nil, .balls)
    #expect(names(newest.sessions) == ["1", "2", "4"])
    #expect(newest.skipped.map(\.code) == [EIO, EIO])
    let last = try #require(try archive.session(nil))
    #expect(last.session.name == SessionName("4") && names(last.before) == ["1", "2"])
    #expect(last.skipped.map(\.code) == [EIO, EIO])
    #expect(try archive.session(SessionName("2"))?.skipped == [])
    #expect(throws: SystemError.self) { try archive.session(SessionName("3")) }
  }

  @Test func whereNoRunCanBeReadItSaysWhy() throws {
    let path = folder("000003-20261121T165737Z-001.ndjson")
    try #require(symlink(Self.unreadable, path) == 0)
    #expect(throws: SystemError.self) { try archive.newest(nil, .balls) }
    #expect(throws: SystemError.self) { try archive.session(nil) }
  }

  @Test func aPartBesideItsThinnedFormIsReadOnce() throws {
    try write(log(), run: 1, kind: "-thinned")
    try write(log(), run: 1)
    let sessions = try archive.newest(nil, .whole).sessions
    #expect(sessions.map(\.balls) == [10] && sessions.map(\.lacks) == [[]])
  }

  /// The parts are the recorder's own, and some go.
  @Test func aLongRunOfTheRecorder() throws {
    var settings = LogSettings()
    settings.totalSize = 6_000_000
    var recorder = LogRecorder(
      settings,
      in: LogDirectory(path: folder.path),
      at: .start,
      wallClock: .seconds(LogText.start),
      program: "test"
    )
    func record(_ event: EventRecord.Event, at t: Double) -> LogEntry {
      .record(EventRecord(event, t: t, time: WallTime(since1970: .seconds(LogText.start + t))))
    }
    func safety(_ state: String, at t: Double) -> LogEntry {
      record(.safety(SafetyRecord(state: state)), at: t)
    }
    let source = SourceID(connection: "client 1", id: "player \"1\"")
    for arming in 0..<12 {
      let begin = Double(arming) * 400
      var entries = [safety("countdown", at: begin), safety("live", at: begin + 3)]
      for step in 0..<3000 {
        let t = begin + 3 + Double(step) / 10
        entries.append(
          .position(
            try PlayerPosition(x: 4 + Double(arming % 2) / 3, y: 11.7, confidence: 0.9),
            from: source,
            at: MonotonicInstant(sinceStart: .seconds(t))
          )
        )
      }
      entries.append(safety("disarmed", at: begin + 303))
      for start in stride(from: 0, to: entries.count, by: 100) {
        let now = MonotonicInstant(sinceStart: .seconds(begin))
        recorder.record(
          Array(entries[start..<min(start + 100, entries.count)]),
          losses: LogQueue.Losses(),
          at: now,
          wallClock: .seconds(LogText.start) + now.sinceStart
        )
        #expect(recorder.write(at: now).warnings == [])
      }
    }
    let files = try #require(try LogDirectory(path: folder.path).runs().first)
    #expect(files.count > 4)
    let all = try archive.newest(nil, .whole).sessions
    #expect(all.map(\.seconds) == Array(repeating: 303, count: 12))
    #expect(all.allSatisfy { $0.lacks == [] && abs(($0.movement?.seen ?? 0) - 299.9) < 0.01 })
    for name in files.prefix(2) { unlink(LogDirectory(path: folder.path).path(of: name)) }
    let left = try archive.newest(nil, .whole).sessions
    #expect(left.count < 12 && left.count > 2)
    #expect(left.dropFirst() == all.suffix(left.count - 1))
    #expect(left.first?.name == all[12 - left.count].name)
    #expect(left.first?.lacks == [.beginning] || left.first == all[12 - left.count])
  }
}
