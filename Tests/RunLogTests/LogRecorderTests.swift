import CourtLogic
import Glibc
import TestSupport
import Testing

@testable import Clocks
@testable import Host
@testable import RunLog

/// When the disk is asked for what.
struct LogRecorderTests {
  private let base: TemporaryDirectory
  private let isFull = Locked(false)

  init() throws { base = try TemporaryDirectory() }

  private func recorder(failure: Int32? = nil) -> LogRecorder {
    let directory = LogDirectory(path: base("sessions"))
    return LogRecorder(
      LogSettings(),
      in: directory,
      at: .start,
      wallClock: .zero,
      program: "test",
      create: { [isFull] (name) throws(SystemError) in
        if let failure { throw SystemError("x", code: failure) }
        guard isFull.withLock(\.self) else { return try directory.create(name) }
        return FileDescriptor(owning: open("/dev/full", O_WRONLY))
      }
    )
  }

  private func second(_ seconds: Double) -> MonotonicInstant {
    .start.advanced(by: .seconds(seconds))
  }

  private func takePosition(_ recorder: inout LogRecorder, at now: MonotonicInstant) throws {
    let position = try PlayerPosition(x: 1, y: 2)
    recorder.record(
      [.position(position, from: SourceID(connection: "a"), at: now)],
      losses: LogQueue.Losses(),
      at: now,
      wallClock: now.sinceStart
    )
  }

  @Test func theDiskIsToldToKeepWhatItHasEveryFiveSecondsAndOnlyIfThereIsSomething() throws {
    var recorder = recorder()
    #expect(recorder.write(at: second(1)) == LogRecorder.Outcome())
    for now in [2, 3, 4.5].map(second) {
      try takePosition(&recorder, at: now)
      #expect(recorder.write(at: now).next == second(5))
    }
    #expect(recorder.write(at: second(5)).next == nil)
    try takePosition(&recorder, at: second(6))
    #expect(recorder.write(at: second(6)).next == second(10))
    #expect(recorder.write(at: second(6.5), isLast: true).next == nil)
  }

  @Test func aDiskThatHasFailedIsLeftAloneForAWhile() throws {
    var recorder = recorder()
    isFull.withLock { $0 = true }
    try takePosition(&recorder, at: second(1))
    let failure = recorder.write(at: second(1))
    #expect(failure.warnings.count == 1 && failure.next == second(11))
    isFull.withLock { $0 = false }
    #expect(recorder.write(at: second(10)) == LogRecorder.Outcome(next: second(11)))
    #expect(recorder.isStuck)
    let success = recorder.write(at: second(11))
    #expect(success == LogRecorder.Outcome(warnings: ["the session log is written again"]))
    #expect(!recorder.isStuck)
  }

  /// In the service, most folders are read-only.
  @Test func whereItMayNotWriteTheServicesSandboxIsNamed() throws {
    for (code, remedy) in [
      (EROFS, "sandbox"), (EACCES, "sandbox"), (ENOSPC, "make room"), (EIO, "repair the disk"),
    ] {
      var recorder = recorder(failure: code)
      try takePosition(&recorder, at: second(1))
      let warning = try #require(recorder.write(at: second(1)).warnings.first)
      #expect(warning.contains(remedy))
      #expect(warning.contains("disk") != (remedy == "sandbox"))
    }
  }

  @Test func theLastTimeNothingIsPutOff() throws {
    var recorder = recorder()
    isFull.withLock { $0 = true }
    try takePosition(&recorder, at: second(1))
    _ = recorder.write(at: second(1))
    isFull.withLock { $0 = false }
    _ = recorder.write(at: second(2), isLast: true)
    #expect(!recorder.isStuck)
  }
}
