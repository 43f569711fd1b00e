import Foundation
import Glibc
import Host
import StateFiles
import TestSupport
import Testing

/// A value in a file of the state directory: read, damaged, set aside, not written, written later.
struct KeptFileTests {
  private struct Score: Codable, Hashable {
    var balls: Int
    var name: String?
  }

  private let base: TemporaryDirectory
  private let directory: StateDirectory
  private let warnings = Warnings()
  private let executor = LoopExecutor()

  init() throws {
    base = try TemporaryDirectory()
    let path = base("state")
    directory = try StateDirectory(variable: { _ in path })
  }

  private static let marks = BoxMarks(lines: ["board 1000a1"])
  private static let otherMarks = BoxMarks(lines: ["board 1000e5"])
  private static let marked = #"{"version": 1, "balls": 7, "marks": ["board 1000a1"]}"#

  private func file(
    version: Int? = 1,
    marks: BoxMarks? = nil,
    needsMarks: Bool = false,
    keys: Set<String>? = nil,
    retryAfter pause: Duration? = .seconds(3600)
  ) -> KeptFile<Score> {
    KeptFile(
      StateFile("score.json", in: directory, mode: 0o600),
      version: version,
      marks: marks,
      needsMarks: needsMarks,
      keys: keys,
      retry: pause.map { WriteRetry(on: executor, after: $0) },
      loss: "no score is known",
      warn: { [warnings] in warnings.add($0) }
    )
  }

  private var path: String { directory.path(of: "score.json") }

  private var text: String? { try? String(contentsOfFile: path, encoding: .utf8) }

  private var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()) ?? []
  }

  private func place(_ text: String) throws {
    try directory.prepare()
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  // MARK: Reading and writing

  @Test func nothingIsKeptAtFirstAndNothingIsMade() throws {
    #expect(file().read() == .nothing)
    try file().flush()
    #expect(access(directory.path, F_OK) != 0 && warnings.all == [])
  }

  @Test func whatIsWrittenIsReadAgain() throws {
    try file().write(Score(balls: 7, name: "Court 7"))
    #expect(
      text == """
        {
          "balls" : 7,
          "name" : "Court 7",
          "version" : 1
        }

        """
    )
    var status = stat()
    try #require(lstat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600 && names == ["score.json"])
    #expect(file().read() == .content(Score(balls: 7, name: "Court 7")))
    try file().write(nil)
    #expect(file().read() == .nothing && names == [] && warnings.all == [])
  }

  @Test func aFileMayHaveNoVersion() throws {
    try file(version: nil).write(Score(balls: 7))
    #expect(text == "{\n  \"balls\" : 7\n}\n")
    #expect(file(version: nil).read() == .content(Score(balls: 7)))
    #expect(file().read() == .unreadable)
  }

  @Test func keysThatAreNotOursAreLeftOutOrRefused() throws {
    try place(#"{"version": 1, "balls": 7, "wins": 2}"#)
    #expect(file().read() == .content(Score(balls: 7)))
    #expect(file(keys: ["version", "balls", "name"]).read() == .unreadable)
    #expect(file(keys: ["version", "balls", "wins"]).read() == .content(Score(balls: 7)))
    #expect(warnings.all == ["no score is known: \(path) is damaged"])
  }

  @Test func theRestOfACrashIsNoHindrance() throws {
    try place("{")
    try #require(rename(path, path + ".new") == 0)
    try file().write(Score(balls: 7))
    #expect(names == ["score.json"] && file().read() == .content(Score(balls: 7)))
  }

  // MARK: What can't be read

  private static let damages: [(text: String, complaint: String)] = [
    ("", "is damaged"), ("null", "is damaged"), ("[]", "is damaged"), ("{}", "is damaged"),
    ("{\"version\": 1, \"balls\"", "is damaged"), ("\0", "is damaged"),
    (#"{"version": 1}"#, "is damaged"), (#"{"version": "1", "balls": 7}"#, "is damaged"),
    (#"{"version": 1, "balls": 7, "balls": 8}"#, "is damaged"),
    (#"{"version": 1, "balls": 1e99}"#, "is damaged: it does not fit into Int"),
    (#"{"version": 2, "points": 7}"#, "has version 2, not 1"),
    (String(repeating: "[", count: 4000), "is damaged"),
    (String(repeating: " ", count: 4097), "is too long"),
  ]

  @Test(arguments: damages.indices)
  func aDamagedFileIsSetAside(index: Int) throws {
    let (damage, complaint) = Self.damages[index]
    try place(damage)
    // It stays in its place until another one is written, for those who read it before.
    let file = file()
    #expect(file.read() == .unreadable && file.read() == .unreadable && text == damage)
    try file.write(Score(balls: 8))
    #expect(
      warnings.all == [
        "no score is known: \(path) \(complaint)", "no score is known: \(path) \(complaint)",
        "what could not be read is now \(path).broken",
      ]
    )
    #expect(try String(contentsOfFile: path + ".broken", encoding: .utf8) == damage)
    #expect(self.file().read() == .content(Score(balls: 8)))
    try file.write(Score(balls: 9))
    #expect(try String(contentsOfFile: path + ".broken", encoding: .utf8) == damage)
  }

  @Test func aDamagedFileIsSetAsideAtOnceIfWanted() throws {
    try place("null")
    #expect(file().read(settingAside: true) == .unreadable)
    #expect(names == ["score.json.broken"])
    #expect(
      warnings.all == ["no score is known: \(path) is damaged; it is now \(path).broken"]
    )
  }

  @Test func aDamagedFileIsSetAsideAlsoWhereNoneFollows() throws {
    try place("null")
    let file = file()
    #expect(file.read() == .unreadable)
    try file.write(nil)
    #expect(names == ["score.json.broken"])
  }

  @Test func oneDamagedFileGivesWayToTheNext() throws {
    for text in ["first", "second"] {
      try place(text)
      #expect(file().read(settingAside: true) == .unreadable)
    }
    #expect(try String(contentsOfFile: path + ".broken", encoding: .utf8) == "second")
    // A directory can't be replaced by a file.
    try #require(unlink(path + ".broken") == 0 && mkdir(path + ".broken", 0o755) == 0)
    try place("third")
    #expect(file().read(settingAside: true) == .unreadable)
    #expect(names == ["score.json.broken", "score.json.broken-2"])
    #expect(warnings.all.last?.hasSuffix("; it is now \(path).broken-2") == true)
  }

  private static let impostors: [(make: @Sendable (String) -> Int32, complaint: String)] = [
    ({ mkdir($0, 0o755) }, "is not a regular file"),
    ({ mkfifo($0, 0o644) }, "is not a regular file"),
    ({ symlink("/etc/passwd", $0) }, "is not a regular file"),
    ({ symlink("nowhere", $0) }, "is not a regular file"),
    ({ chmod(marked, at: $0, 0o664) }, "may have been written by another user"),
    ({ chmod(marked, at: $0, 0o646) }, "may have been written by another user"),
    (
      {
        guard geteuid() == 0 else { return chmod(marked, at: $0, 0) }
        return chmod(marked, at: $0, 0o644) == 0 ? chown($0, 1000, 1000) : -1
      },
      geteuid() == 0 ? "may have been written by another user" : "can't be read"
    ),
  ]

  private static func chmod(_ text: String, at path: String, _ mode: mode_t) -> Int32 {
    try? Data(text.utf8).write(to: URL(filePath: path))
    return Glibc.chmod(path, mode)
  }

  @Test(.mustEnd, arguments: impostors.indices, [true, false])
  func whatIsNoFileOfOursIsSetAside(index: Int, atOnce: Bool) throws {
    try directory.prepare()
    try #require(Self.impostors[index].make(path) == 0)
    let file = file()
    #expect(file.read(settingAside: atOnce) == .unreadable)
    #expect(names == [atOnce ? "score.json.broken" : "score.json"])
    #expect(warnings.all.count == 1)
    #expect(warnings.all[0].contains(Self.impostors[index].complaint))
    try file.write(Score(balls: 8))
    #expect(self.file().read() == .content(Score(balls: 8)))
    #expect(names == ["score.json", "score.json.broken"])
  }

  /// What the file says is not known, and it may be a good one.
  @Test func aDirectoryThatIsOpenToOthersSaysNothing() throws {
    try file().write(Score(balls: 7))
    try #require(Glibc.chmod(directory.path, 0o777) == 0)
    #expect(file().read(settingAside: true) == .unreadable)
    #expect(warnings.all.count == 1 && warnings.all[0].contains("others may write to it"))
    #expect(names == ["score.json"])
  }

  @Test func whoOnlyLooksChangesNothing() throws {
    try place("null")
    let file = file(marks: Self.marks)
    file.onlyLook()
    #expect(file.read(settingAside: true) == .unreadable && names == ["score.json"])
    try file.write(Score(balls: 8))
    try file.write(nil)
    #expect(text == "null")
    try place(#"{"version": 1, "balls": 7}"#)
    #expect(file.read() == .content(Score(balls: 7)))
    try file.flush()
    #expect(text == #"{"version": 1, "balls": 7}"#)
  }

  // MARK: A copied card

  @Test func anotherBoxsFileIsSetAside() throws {
    try place(Self.marked)
    #expect(file(marks: Self.marks).read() == .content(Score(balls: 7)))
    let copy = file(marks: Self.otherMarks)
    #expect(copy.read() == .unreadable)
    #expect(warnings.all == ["no score is known: \(path) was written on another box"])
    // The copy keeps its own.
    try copy.write(Score(balls: 8))
    #expect(file(marks: Self.otherMarks).read() == .content(Score(balls: 8)))
    #expect(file(marks: Self.marks).read() == .unreadable)
  }

  @Test func aFileWithoutMarksGetsThemWithTheNextWrite() throws {
    try place(#"{"version": 1, "balls": 7}"#)
    #expect(file(marks: Self.marks, needsMarks: true).read() == .unreadable)
    let file = file(marks: Self.marks)
    #expect(file.read() == .content(Score(balls: 7)))
    try file.flush()
    #expect(text?.contains("board 1000a1") == true)
    #expect(self.file(marks: Self.otherMarks).read() == .unreadable)
  }

  @Test func aBoxWithoutMarksTakesAnyFileAndKeepsItsMarks() throws {
    try place(Self.marked)
    let file = file(marks: BoxMarks(lines: []))
    #expect(file.read() == .content(Score(balls: 7)))
    try file.write(Score(balls: 8))
    #expect(warnings.all == [] && self.file(marks: Self.otherMarks).read() == .unreadable)
  }

  // MARK: A disk that takes nothing

  /// A file in the directory's place.
  private func block() throws { try Data().write(to: URL(filePath: directory.path)) }

  private func unblock() throws { try FileManager.default.removeItem(atPath: directory.path) }

  @Test func whatCouldNotBeWrittenIsKeptUntilItCan() throws {
    let file = file()
    try block()
    #expect(throws: StateFileError.self) { try file.write(Score(balls: 7)) }
    #expect(throws: StateFileError.self) { try file.write(Score(balls: 8)) }
    #expect(throws: StateFileError.self) { try file.flush() }
    // The latest counts, also for its reader.
    #expect(file.read() == .content(Score(balls: 8)))
    try unblock()
    try file.flush()
    #expect(self.file().read() == .content(Score(balls: 8)))
    #expect(warnings.all == [])
  }

  @Test(.mustEnd) func itIsWrittenAgainAfterThePause() async throws {
    let file = file(retryAfter: .milliseconds(5))
    try block()
    #expect(throws: StateFileError.self) { try file.write(Score(balls: 7)) }
    try await Task.sleep(for: .milliseconds(20))
    try unblock()
    while self.text == nil { try await Task.sleep(for: .milliseconds(5)) }
    #expect(self.file().read() == .content(Score(balls: 7)))
  }

  /// Its keeper says that it isn't kept: then it isn't later, either.
  @Test func withoutARetryItIsGivenUp() throws {
    let file = file(retryAfter: nil)
    try block()
    #expect(throws: StateFileError.self) { try file.write(Score(balls: 7)) }
    try unblock()
    try file.flush()
    #expect(file.read() == .nothing && text == nil)
  }

  @Test func aFileThatCantBeRemovedIsRemovedLater() throws {
    try file().write(Score(balls: 7))
    let file = file()
    #expect(file.read() == .content(Score(balls: 7)))
    // A directory with something in it, in the file's place.
    try #require(unlink(path) == 0 && mkdir(path, 0o755) == 0)
    #expect(throws: StateFileError.self) { try file.write(nil) }
    #expect(file.read() == .nothing)
    try #require(rmdir(path) == 0)
    try place(Self.marked)
    try file.flush()
    #expect(text == nil)
  }
}
