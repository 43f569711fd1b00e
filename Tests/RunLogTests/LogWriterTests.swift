import ControlProtocol
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Host
@testable import RunLog

struct LogWriterTests {
  private let base: TemporaryDirectory
  private let directory: LogDirectory

  init() throws {
    base = try TemporaryDirectory()
    let path = base("state")
    directory = LogDirectory(in: try StateDirectory(variable: { _ in path }))
  }

  private func writer(
    totalSize: Int = 1 << 20,
    positions: Bool = false,
    in directory: LogDirectory? = nil,
    create: LogFileOpener.Create? = nil
  ) -> LogWriter {
    LogWriter(
      in: directory ?? self.directory,
      totalSize: totalSize,
      beginning: "20261121T165737Z",
      writesPlayerPositions: positions,
      create: create
    )
  }

  private static func head(_ run: Int, _ part: Int, _ written: Int = 0) -> [UInt8] {
    Array("head \(run) \(part)\n".utf8)
  }

  private var names: [String] { get throws { try directory.files().map(\.text) } }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: directory.path + "/" + name, encoding: .utf8)
  }

  /// The bytes of everything in the directory.
  private func size(of directory: LogDirectory) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).reduce(0) {
      let path = directory.path + "/" + $1
      return $0 + (try FileManager.default.attributesOfItem(atPath: path)[.size] as! Int)
    }
  }

  /// A line of so many bytes, its end included.
  private func line(_ number: Int, _ length: Int = 100) -> [UInt8] {
    let text = "\(number) "
    return Array((text + String(repeating: "x", count: length - text.count - 1) + "\n").utf8)
  }

  @Test func withoutALineNothingIsMade() throws {
    var writer = writer(positions: true)
    try writer.flush(head: Self.head)
    try writer.sync()
    #expect(access(base("state"), F_OK) != 0)
  }

  @Test func linesAreInTheFileWhenTheyAreFlushed() throws {
    var writer = writer(positions: true)
    writer.append(line(1))
    writer.appendPlayerPosition("2026-11-21 17:57:37,1,2\n".utf8)
    try writer.flush(head: Self.head)
    writer.append(line(2))
    try writer.flush(head: Self.head)
    try writer.sync()
    let names = try names
    #expect(
      names == [
        "000001-20261121T165737Z-001-player_positions.csv", "000001-20261121T165737Z-001.ndjson",
      ]
    )
    #expect(try text(names[0]) == "timestamp,x,y\n2026-11-21 17:57:37,1,2\n")
    #expect(try Array(text(names[1]).utf8) == Self.head(1, 1) + line(1) + line(2))
  }

  @Test func theGroupMayReadAndOthersMayNot() throws {
    let mask = umask(0o077)
    defer { umask(mask) }
    var writer = writer()
    writer.append(line(1))
    try writer.flush(head: Self.head)
    var status = stat()
    try #require(lstat(directory.path(of: directory.files()[0]), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o640)
  }

  /// Root may have started the service in another user's state directory.
  @Test(.enabled(if: geteuid() == 0, "only root can give a directory to any group"))
  func aFileHasItsFoldersGroup() throws {
    try #require(mkdir(base("state"), 0o755) == 0 && mkdir(directory.path, 0o750) == 0)
    try #require(chown(directory.path, 0, 1234) == 0)
    var writer = writer()
    writer.append(line(1))
    try writer.flush(head: Self.head)
    var status = stat()
    try #require(lstat(directory.path(of: directory.files()[0]), &status) == 0)
    #expect(status.st_uid == 0 && status.st_gid == 1234 && status.st_mode & 0o777 == 0o640)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
  func aThinnedFileKeepsItsOwnerAndGroup() throws {
    try #require(mkdir(base("state"), 0o755) == 0 && mkdir(directory.path, 0o750) == 0)
    let position = #"{"event":"position","x":1}"# + "\n"
    let text = String(repeating: position, count: 7_000) + "ball\n"
    let file = try base.write(text, to: "state/sessions/000001-x-001.ndjson")
    try #require(chown(file, 1234, 1235) == 0)
    try directory.makeRoom(0, of: 100_000, keeping: [])
    #expect(try names == ["000001-x-001-thinned.ndjson"])
    var status = stat()
    try #require(lstat(directory.path(of: directory.files()[0]), &status) == 0)
    #expect(status.st_uid == 1234 && status.st_gid == 1235 && status.st_mode & 0o777 == 0o640)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a directory away"))
  func aNewDirectoryGetsItsParentsOwnerAndGroup() throws {
    try #require(mkdir(base("state"), 0o755) == 0 && chown(base("state"), 1234, 1235) == 0)
    var writer = writer()
    writer.append(line(1))
    try writer.flush(head: Self.head)
    var status = stat()
    try #require(lstat(directory.path, &status) == 0)
    #expect(status.st_uid == 1234 && status.st_gid == 1235 && status.st_mode & 0o777 == 0o750)
  }

  @Test func everyRunHasTheNextNumber() throws {
    for _ in 1...3 {
      var writer = writer()
      writer.append(line(1))
      try writer.flush(head: Self.head)
    }
    #expect(try names.map { $0.prefix(6) } == ["000001", "000002", "000003"])
  }

  @Test func aLongRunHasSeveralFilesOfWholeLines() throws {
    var writer = writer()
    for number in 1...2000 { writer.append(line(number, 150)) }
    try writer.flush(head: Self.head)
    let texts = try names.map(text)
    #expect(texts.count == 3)
    #expect(texts.allSatisfy { $0.utf8.count <= 1 << 17 && $0.hasSuffix("\n") })
    #expect(texts.dropLast().allSatisfy { $0.utf8.count > 1 << 17 - 150 })
    let lines = texts.enumerated().flatMap { index, text in
      let lines = text.split(separator: "\n")
      #expect(lines[0] == "head 1 \(index + 1)")
      return lines.dropFirst()
    }
    #expect(lines.compactMap { Int($0.prefix { $0 != " " }) } == Array(1...2000))
  }

  @Test func allFilesTogetherStayWithinTheirBoundAndTheOldestGo() throws {
    let total = 1 << 20
    for run in 1...6 {
      var writer = writer(totalSize: total, positions: run.isMultiple(of: 2))
      for number in 1...3000 {
        writer.append(line(number))
        writer.appendPlayerPosition(line(number, 30))
        guard number.isMultiple(of: 100) else { continue }
        try writer.flush(head: Self.head)
        #expect(try size(of: directory) <= total)
        #expect(try Set(writer.files).isSubset(of: directory.files()))
      }
    }
    let runs = try directory.files().map(\.run)
    #expect(Set(runs) == [4, 5, 6])
    // What is there is used: three parts in four at least.
    #expect(try size(of: directory) > total / 4 * 3)
  }

  @Test func oneLongRunKeepsItsNewestFiles() throws {
    var writer = writer()
    for number in 1...20_000 {
      writer.append(line(number))
      if number.isMultiple(of: 500) { try writer.flush(head: Self.head) }
    }
    #expect(try size(of: directory) <= 1 << 20)
    let texts = try names.map(text)
    #expect(texts.count == 8)
    #expect(
      try #require(texts.last).hasSuffix("\n" + String(decoding: line(20_000), as: UTF8.self))
    )
  }

  /// Positions by the megabyte, and a ball now and then.
  @Test func positionsMakeRoomBeforeAnyBallDoes() throws {
    var writer = writer(positions: true)
    let position = #"{"connection":"a","event":"position","t":1,"x":1.25,"y":2}"# + "\n"
    let feed = #"{"connection":"\"event\":\"ball\"","event":"feed","state":"opened"}"# + "\n"
    // Of this version and of the first.
    let refused = ["code", "reason"].map {
      #"{"event":"lost","positions":1,"\#($0)":"tooMany","records":0}"# + "\n"
    }
    let lost = #"{"code":"disk","event":"lost","positions":1,"records":0}"# + "\n"
    func ball(_ number: Int) -> String { #"{"event":"dispatch","number":\#(number)}"# + "\n" }
    for number in 1...100_000 {
      writer.append(position.utf8)
      writer.append(feed.utf8)
      writer.append(refused[number % 2].utf8)
      writer.appendPlayerPosition("1,2,3\n".utf8)
      if number.isMultiple(of: 100) { writer.append((ball(number / 100) + lost).utf8) }
      if number.isMultiple(of: 500) {
        try writer.flush(head: Self.head)
        #expect(try size(of: directory) <= 1 << 20)
      }
    }
    let texts = try names.filter { $0.hasSuffix(".ndjson") }.map(text)
    for word in ["dispatch", "disk"] {
      #expect(texts.joined().components(separatedBy: word).count - 1 == 1_000)
    }
    for (part, text) in texts.enumerated() { #expect(text.hasPrefix("head 1 \(part + 1)\n")) }
    // What is thinned has no positions; the newest file has.
    let thinned = try names.filter { $0.hasSuffix("-thinned.ndjson") }
    let records = try names.filter { $0.hasSuffix(".ndjson") }
    #expect(thinned.count > 5 && thinned == Array(records.prefix(thinned.count)))
    for name in thinned {
      let text = try text(name)
      #expect(!text.contains(#""position""#) && !text.contains("tooMany"))
    }
    #expect(try #require(texts.last).contains("position"))
    var status = stat()
    try #require(lstat(directory.path + "/" + thinned[0], &status) == 0)
    #expect(status.st_mode & 0o777 == 0o640)
  }

  @Test func whatIsNotOursStaysAndDoesNotCount() throws {
    try #require(mkdir(base("state"), 0o755) == 0 && mkdir(directory.path, 0o755) == 0)
    _ = try base.write(String(repeating: "x", count: 2 << 20), to: "state/sessions/notes.txt")
    var writer = writer()
    writer.append(line(1))
    try writer.flush(head: Self.head)
    #expect(access(directory.path + "/notes.txt", F_OK) == 0)
  }

  @Test func aServiceThatStartsOverAndOverLeavesNoEndOfFiles() throws {
    try #require(mkdir(base("state"), 0o755) == 0 && mkdir(directory.path, 0o755) == 0)
    for run in 1...LogDirectory.mostFiles + 5 {
      let name = LogFileName(run: run, beginning: "x", part: 1, kind: .records)
      _ = try base.write("", to: "state/sessions/\(name.text)")
    }
    var writer = writer()
    writer.append(line(1))
    try writer.flush(head: Self.head)
    let files = try directory.files()
    #expect(files.count == LogDirectory.mostFiles)
    #expect(files.map(\.run) == Array(7...LogDirectory.mostFiles + 6))
  }

  private func write(_ text: String, toRun number: Int) throws {
    let name = LogFileName(run: number, beginning: "x", part: 1, kind: .records)
    _ = try base.write(text, to: "state/sessions/\(name.text)")
  }

  @Test func startsWithoutASessionGoBeforeAnOlderSession() throws {
    try #require(mkdir(base("state"), 0o755) == 0 && mkdir(directory.path, 0o755) == 0)
    func safety(_ state: String) -> String {
      let event = EventRecord.Event.safety(SafetyRecord(state: state))
      let record = EventRecord(event, t: 1, time: WallTime(since1970: .zero))
      return String(decoding: RecordLine.of(record), as: UTF8.self)
    }
    // The state lies across the end of the first 64 KiB.
    let live = safety("live")
    let state = try #require(live.range(of: #""state""#)).lowerBound
    let length = 65_536 - 4 - live.utf8.distance(from: live.startIndex, to: state)
    try write(String(decoding: line(1, length), as: UTF8.self) + live, toRun: 1)
    // A detector spoke meanwhile.
    try write(String(decoding: line(1, 4096), as: UTF8.self) + safety("disarmed"), toRun: 2)
    for number in 3...LogDirectory.mostFiles - 1 {
      try write(safety("disarmed"), toRun: number)
    }
    _ = try base.write("x", to: "state/sessions/000003-x-001-player_positions.csv")
    var writer = writer(totalSize: 64 << 20)
    writer.append(line(1))
    try writer.flush(head: Self.head)
    // The smallest go first: the fourth, for the third has two files.
    let left = try directory.files().map(\.run)
    #expect(left == [1, 2, 3, 3] + Array(5...LogDirectory.mostFiles))
  }

  /// Balls by hand were real, too.
  @Test(arguments: [#"{"event":"manual"}"#, #"{"event":"safety","state":"paused"}"#])
  func whereAllHadASessionTheOldestGoes(line text: String) throws {
    try #require(mkdir(base("state"), 0o755) == 0 && mkdir(directory.path, 0o755) == 0)
    for number in 1...LogDirectory.mostFiles { try write(text + "\n", toRun: number) }
    var writer = writer(totalSize: 64 << 20)
    writer.append(line(1))
    try writer.flush(head: Self.head)
    #expect(try directory.files().map(\.run) == Array(2...LogDirectory.mostFiles + 1))
  }

  // MARK: What fails

  /// A file on which nothing can be written, before the real ones.
  @Test func onAFullDiskWhatWaitsIsWrittenLaterOnce() throws {
    let isFull = Mutex(true)
    let directory = directory
    var writer = writer { (name) throws(SystemError) in
      guard isFull.withLock(\.self) else { return try directory.create(name) }
      return FileDescriptor(owning: open("/dev/full", O_WRONLY))
    }
    writer.append(line(1))
    for _ in 1...3 {
      let error = #expect(throws: SystemError.self) { try writer.flush(head: Self.head) }
      #expect(error?.code == ENOSPC)
    }
    #expect(try names == [])
    isFull.withLock { $0 = false }
    writer.append(line(2))
    try writer.flush(head: Self.head)
    #expect(try names.count == 1)
    #expect(try Array(text(names[0]).utf8) == Self.head(1, 1) + line(1) + line(2))
  }

  @Test func afterAnErrorOfTheDiskANewFileGoesOn() throws {
    let number = Mutex<Int32>(-1)
    let directory = directory
    var writer = writer { (name) throws(SystemError) in
      let file = try directory.create(name)
      number.withLock { $0 = file.number }
      return file
    }
    writer.append(line(1))
    try writer.flush(head: Self.head)
    // From now on nothing can be written to it, as after a stick has been pulled out.
    let closed = open("/dev/null", O_RDONLY)
    try #require(dup2(closed, number.withLock(\.self)) >= 0)
    close(closed)
    writer.append(line(2))
    #expect(throws: SystemError.self) { try writer.flush(head: Self.head) }
    writer.append(line(3))
    try writer.flush(head: Self.head)
    #expect(
      try names.map(text).map { Array($0.utf8) } == [
        Self.head(1, 1) + line(1), Self.head(1, 2) + line(2) + line(3),
      ]
    )
  }

  @Test func aRemovedFileIsReplaced() throws {
    var writer = writer()
    writer.append(line(1))
    try writer.flush(head: Self.head)
    try #require(unlink(directory.path(of: directory.files()[0])) == 0)
    try writer.sync()
    writer.append(line(2))
    try writer.flush(head: Self.head)
    #expect(try names == ["000001-20261121T165737Z-002.ndjson"])
    #expect(try Array(text(names[0]).utf8) == Self.head(1, 2) + line(2))
  }

  @Test func withoutADirectoryTheReasonIsTold() throws {
    _ = try base.write("", to: "file")
    var writer = writer(in: LogDirectory(path: base("file/sessions")))
    writer.append(line(1))
    let error = #expect(throws: SystemError.self) { try writer.flush(head: Self.head) }
    #expect(error?.code == ENOTDIR)
  }

  /// A file system of 800 KiB whose oldest file has balls alone, which can't be written a second time.
  @Test(.enabled(if: geteuid() == 0, "only root mounts"))
  func onAFullDiskPositionsMakeRoomBeforeAnyBallDoes() throws {
    try #require(mkdir(base("disk"), 0o755) == 0)
    guard mount("tmpfs", base("disk"), "tmpfs", 0, "size=800k") == 0 else {
      // Root of a container may not either.
      try #require(errno == EPERM)
      return
    }
    defer { umount2(base("disk"), Int32(MNT_DETACH)) }
    let balls = String(repeating: #"{"event":"dispatch"}"# + "\n", count: 20_000)
    let positions = String(repeating: #"{"event":"position","x":1}"# + "\n", count: 7_000)
    for (name, text) in [
      ("000001-x-001.ndjson", balls), ("000002-x-001.ndjson", positions + "ball\n"),
      ("000003-x-001-player_positions.csv", String(repeating: "1,2,3\n", count: 15_000)),
    ] { _ = try base.write(text, to: "disk/\(name)") }
    let small = LogDirectory(path: base("disk"))
    try small.makeRoom(0, of: 500_000, keeping: [])
    let names = try small.files().map(\.text)
    #expect(names == ["000001-x-001.ndjson", "000002-x-001-thinned.ndjson"])
    #expect(try String(contentsOfFile: base("disk/\(names[0])"), encoding: .utf8) == balls)
    // Where that is not enough, whole files go.
    try small.makeRoom(0, of: 100_000, keeping: [])
    #expect(try small.files().map(\.text) == ["000002-x-001-thinned.ndjson"])
  }

  /// A folder is where its shrunk form would be.
  @Test func anOldFileThatCantBeShrunkStaysAndTheOthersAreShrunk() throws {
    try #require(mkdir(base("disk"), 0o755) == 0)
    let (bad, folder) = ("000001-x-001.ndjson", "000001-x-001-thinned.ndjson")
    _ = try base.write("x", to: "disk/\(bad)")
    try #require(mkdir(base("disk/\(folder)"), 0o755) == 0)
    let positions = String(repeating: #"{"event":"position","x":1}"# + "\n", count: 7_000)
    _ = try base.write(positions + "ball\n", to: "disk/000002-x-001.ndjson")
    let directory = LogDirectory(path: base("disk"))
    try directory.makeRoom(0, of: 100_000, keeping: [])
    #expect(try directory.files().map(\.text) == [folder, bad, "000002-x-001-thinned.ndjson"])
    // Where whole files go, it goes first.
    try directory.makeRoom(0, of: 0, keeping: [])
    #expect(try directory.files().map(\.text) == [folder])
  }

  /// Not even to make room; and none of them is opened.
  @Test func whatIsOnlyNamedLikeALogIsNeitherReadNorRemoved() throws {
    try #require(mkdir(base("disk"), 0o755) == 0)
    let makers: [(String) -> Int32] = [
      { symlink("/dev/zero", $0) }, { symlink("nowhere", $0) }, { symlink("/etc/passwd", $0) },
      { mkfifo($0, 0o600) }, { mkdir($0, 0o700) }, { mknod($0, S_IFSOCK | 0o600, 0) },
      { path in
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        defer { close(file) }
        return ftruncate(file, 1 << 40)
      },
    ]
    var strangers: [String] = []
    for (number, make) in makers.enumerated() {
      strangers.append("00000\(number + 1)-x-001.ndjson")
      try #require(make(base("disk/\(strangers[number])")) == 0, "\(number)")
    }
    _ = try base.write("ball\n", to: "disk/000009-x-001.ndjson")
    let directory = LogDirectory(path: base("disk"))
    // A link to a regular file can be read, but is not removed.
    #expect(try directory.strangers().count == makers.count - 1)
    #expect(try directory.runs().joined().map(\.run) == [3, 9])
    try directory.makeRoom(0, of: 0, keeping: [])
    #expect(try directory.files().map(\.text) == strangers)
    // New files don't collide with them.
    var writer = writer(totalSize: 8 << 20, in: directory)
    writer.append(line(1))
    try writer.flush(head: Self.head)
    #expect(try directory.files().last?.run == 8)
  }

  /// A file system of 256 KiB, for whoever may mount one.
  @Test(.enabled(if: geteuid() == 0, "only root mounts"))
  func aDiskThatFillsUpHoldsWholeLinesAndGoesOnWhenThereIsRoom() throws {
    try #require(mkdir(base("disk"), 0o755) == 0)
    guard mount("tmpfs", base("disk"), "tmpfs", 0, "size=256k") == 0 else {
      // Root of a container may not either.
      try #require(errno == EPERM)
      return
    }
    defer { umount2(base("disk"), Int32(MNT_DETACH)) }
    let small = LogDirectory(path: base("disk/sessions"))
    var writer = writer(totalSize: 8 << 20, in: small)
    _ = try base.write(String(repeating: "x", count: 100_000), to: "disk/others")
    var written = 0
    var failure: SystemError?
    while failure == nil, written < 10_000 {
      written += 1
      // No divisor of a page: the disk is full in the middle of a line.
      writer.append(line(written, 101))
      do throws(SystemError) { try writer.flush(head: Self.head) } catch { failure = error }
    }
    #expect(failure?.code == ENOSPC && written > 1000)
    let path = small.path(of: try small.files()[0])
    let full = try String(contentsOfFile: path, encoding: .utf8)
    #expect(full.hasSuffix(String(decoding: line(written - 1, 101), as: UTF8.self)))
    // However often a run begins there, no empty file stays.
    var late = self.writer(totalSize: 8 << 20, in: small)
    late.append(line(1))
    for _ in 1...3 { #expect(throws: SystemError.self) { try late.flush(head: Self.head) } }
    #expect(try small.files().count == 1)
    try #require(unlink(base("disk/others")) == 0)
    writer.append(line(written + 1, 101))
    try writer.flush(head: Self.head)
    #expect(
      try Array(Data(contentsOf: URL(fileURLWithPath: path)))
        == Array(full.utf8) + line(written, 101) + line(written + 1, 101)
    )
  }
}
