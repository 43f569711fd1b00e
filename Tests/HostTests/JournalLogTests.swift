import Glibc
import Testing

@testable import Host

struct JournalLogTests {
  @Test func anEntryHasJournaldsFieldsAndOurs() {
    let entry = JournalEntry(
      message: "ball 1\nzone 1-1",
      priority: .notice,
      fields: ["event": "dispatch", "nextAttempt": "2.5"]
    )
    #expect(
      entry.pieces.map { String(decoding: $0, as: UTF8.self) } == [
        "MESSAGE=ball 1\nzone 1-1", "PRIORITY=5", "SYSLOG_IDENTIFIER=ballmachine",
        "BALLMACHINE_EVENT=dispatch", "BALLMACHINE_NEXT_ATTEMPT=2.5",
      ]
    )
  }

  @Test(arguments: [
    ("t", "BALLMACHINE_T"), ("rssiAge", "BALLMACHINE_RSSI_AGE"), ("a-b.c", "BALLMACHINE_A_B_C"),
    ("zone 1=é", "BALLMACHINE_ZONE_1__"),
    (
      String(repeating: "x", count: 99), "BALLMACHINE_" + String(repeating: "X", count: 52)
    ),
  ])
  func everyKeyBecomesAFieldsName(_ key: String, _ name: String) {
    #expect(JournalEntry.name(of: key) == name)
  }

  @Test func onlyTheVeryStreamThatSystemdNamesIsTheJournal() throws {
    let (reading, writing) = try FileDescriptor.pipe()
    var status = stat()
    #expect(fstat(writing.number, &status) == 0)
    let stream = "\(status.st_dev):\(status.st_ino)"
    #expect(JournalLog.isJournal(writing.number, stream: stream))
    #expect(!JournalLog.isJournal(writing.number, stream: nil))
    #expect(!JournalLog.isJournal(writing.number, stream: "\(status.st_dev):1"))
    #expect(!JournalLog.isJournal(STDIN_FILENO, stream: stream))
    _ = reading
  }

  @Test func elsewhereLinesArePlain() async {
    let lines = Locked<[String]>([])
    let log = JournalLog(least: .error, isStructured: false) { line in
      lines.withLock { $0.append(line) }
    }
    log.write("link ready", .notice, fields: ["event": "link"])
    log.write("ball 1")
    await log.flush()
    #expect(!log.isStructured)
    #expect(lines.withLock { $0 } == ["link ready", "ball 1"])
  }

  @Test func theJournalIsToldWhatMattersEnough() async {
    let told = Locked<[JournalPriority]>([])
    let log = JournalLog(least: .notice, isStructured: true) { entry in
      told.withLock { $0.append(entry.priority) }
      return true
    } plain: { line in
      Issue.record("\(line) is for the journal")
    }
    for priority in JournalPriority.allCases { log.write("a line", priority) }
    await log.flush()
    #expect(told.withLock(\.self) == [.error, .warning, .notice])
  }

  @Test func whatTheJournalDoesNotTakeIsPlain() async {
    let lines = Locked<[String]>([])
    let log = JournalLog(isStructured: true) { _ in
      false
    } plain: { line in
      lines.withLock { $0.append(line) }
    }
    log.write("ball 1")
    await log.flush()
    #expect(lines.withLock(\.self) == ["ball 1"])
  }
}
