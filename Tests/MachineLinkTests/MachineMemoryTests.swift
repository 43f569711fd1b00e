import BlueZ
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Host
@testable import MachineLink

struct MachineMemoryTests {
  private let base: TemporaryDirectory
  private let directory: StateDirectory
  private let warnings = Warnings()
  private var path: String { directory.path(of: MachineMemory.fileName) }

  init() throws {
    base = try TemporaryDirectory()
    let path = base("state")
    directory = try StateDirectory(variable: { _ in path })
  }

  private static let marks = BoxMarks(lines: ["board 1000a1", "adapter dc:a6:32:00:00:01"])
  private static let otherMarks = BoxMarks(lines: ["board 1000e5", "adapter dc:a6:32:00:00:02"])

  private func memory(
    in directory: StateDirectory? = nil,
    on marks: BoxMarks = marks,
    pause: Duration = .seconds(3600)
  ) -> MachineMemory {
    MachineMemory(
      in: directory ?? self.directory,
      marks: marks,
      warn: { [warnings] in warnings.add($0) },
      now: { WallTime(secondsSince1970: 1_795_269_600) },
      pause: pause
    )
  }

  private static func machine(
    _ address: String = "F0:F1:F2:F3:F4:F5",
    name: String? = nil,
    isSimulated: Bool = false
  ) -> RememberedMachine {
    RememberedMachine(
      address: BluetoothAddress(address)!,
      addressType: .random,
      name: name,
      profile: "ball-machine",
      adapter: BluetoothAddress("AA:BB:CC:DD:EE:01")!,
      isSimulated: isSimulated
    )
  }

  private static let text = """
    {
      "machines" : [
        {
          "adapter" : "AA:BB:CC:DD:EE:01",
          "address" : "F0:F1:F2:F3:F4:F5",
          "addressType" : "random",
          "name" : "Court 7",
          "profile" : "ball-machine",
          "simulated" : false,
          "since" : "2026-11-21T14:00:00Z"
        }
      ],
      "marks" : [
        "board 1000a1",
        "adapter dc:a6:32:00:00:01"
      ],
      "version" : 1
    }

    """

  private var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()) ?? []
  }

  // MARK: There and back

  @Test func whatIsKeptIsRecalled() async throws {
    await memory().keep(Self.machine(name: "Court 7"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.text)
    #expect(names == [MachineMemory.fileName])
    #expect(await memory().recall() == [Self.machine(name: "Court 7")])
    #expect(warnings.all == [])
  }

  @Test func withoutAFileNothingIsKnownAndNothingIsMade() async {
    #expect(await memory().recall() == [])
    await memory().keep(nil)
    #expect(access(directory.path, F_OK) != 0)
    #expect(warnings.all == [])
  }

  @Test func theFileIsWrittenOnlyWhenSomethingIsNew() async throws {
    let memory = memory()
    await memory.keep(Self.machine())
    func inode() throws -> ino_t {
      var status = stat()
      try #require(lstat(path, &status) == 0)
      return status.st_ino
    }
    let first = try inode()
    // The file that replaces it can't have its number while it is there.
    await memory.keep(Self.machine())
    #expect(try inode() == first)
    await memory.keep(Self.machine(name: "Court 7"))
    #expect(try inode() != first)
    let later = self.memory()
    let second = try inode()
    _ = await later.recall()
    await later.keep(Self.machine(name: "Court 7"))
    #expect(try inode() == second)
  }

  @Test func theLastMachineOfEachKindIsKept() async {
    let memory = memory()
    await memory.keep(Self.machine())
    await memory.keep(Self.machine(isSimulated: true))
    await memory.keep(Self.machine("F0:00:00:00:00:02"))
    #expect(
      Set(await self.memory().recall()) == [
        Self.machine("F0:00:00:00:00:02"), Self.machine(isSimulated: true),
      ]
    )
  }

  @Test func whatIsForgottenIsGone() async {
    await memory().keep(Self.machine())
    let memory = memory()
    await memory.forget()
    #expect(await memory.recall() == [])
    #expect(names == [])
    await memory.forget()
    #expect(warnings.all == [])
  }

  // MARK: A copied card

  @Test func theMachineOfTheBoxWhoseCardWasCopiedIsSetAside() async throws {
    await memory().keep(Self.machine())
    #expect(await memory(on: Self.otherMarks).recall(onlyLooking: true) == [])
    #expect(names == ["machine.json"] && warnings.all.count == 1)
    let memory = memory(on: Self.otherMarks)
    #expect(await memory.recall() == [])
    try expectSetAside("was written on another box")
    // The copy keeps its own.
    await memory.keep(Self.machine("F0:F1:F2:F3:F4:F6"))
    let own = [Self.machine("F0:F1:F2:F3:F4:F6")]
    #expect(await self.memory(on: Self.otherMarks).recall() == own)
    #expect(await self.memory().recall() == [])
  }

  /// As an earlier version has left it.
  @Test func aFileWithoutMarksGetsThem() async throws {
    try #require(mkdir(directory.path, 0o755) == 0)
    let former = try #require(Self.text.firstMatch(of: /"marks" : \[[^\]]*\],\n */)?.output)
    _ = try base.write(Self.text.replacing(former, with: ""), to: "state/machine.json")
    let memory = memory()
    #expect(await memory.recall() == [Self.machine(name: "Court 7")])
    // The same machine as before: nothing else is new.
    await memory.keep(Self.machine(name: "Court 7"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.text)
    #expect(await self.memory(on: Self.otherMarks).recall() == [])
  }

  // MARK: Broken files

  /// What has been done to the file, and what the warning says of it.
  private static let damages: [(text: String, complaint: String)] = [
    ("null", "is damaged"),
    (text.replacing("\"version\" : 1", with: "\"version\" : 2"), "has version 2, not 1"),
    (text.replacing("F0:F1", with: "7F:F1"), "its address is a private one"),
    (text.replacing("F0:F1", with: "3F:F1"), "its address is a private one"),
    (text.replacing("F0:F1", with: "F0-F1"), "its address is invalid"),
    (text.replacing("\"F0:F1:F2:F3:F4:F5\"", with: "17"), "is damaged"),
    (text.replacing("\"random\"", with: "\"static\""), "its addressType is invalid"),
    (text.replacing("\"Court 7\"", with: "\"\""), "its name is invalid"),
    (text.replacing("Court 7", with: String(repeating: "7", count: 249)), "its name is invalid"),
    (text.replacing("false", with: "\"no\""), "is damaged"),
    (text.replacing("false", with: "0"), "is damaged"),
    (text.replacing("2026-11-21", with: "yesterday"), "is damaged"),
    (text.replacing("[", with: "[{},"), "is damaged"),
  ]

  @Test(arguments: damages.indices)
  func aBrokenFileIsSetAsideWithAWarning(index: Int) async throws {
    let (text, complaint) = Self.damages[index]
    try #require(mkdir(directory.path, 0o755) == 0)
    _ = try base.write(text, to: "state/machine.json")
    let memory = memory()
    #expect(await memory.recall() == [])
    try expectSetAside(complaint)
    #expect(try String(contentsOfFile: path + ".broken", encoding: .utf8) == text)
    // The next good link is kept all the same.
    await memory.keep(Self.machine())
    #expect(await self.memory().recall() == [Self.machine()])
    #expect(names == ["machine.json", "machine.json.broken"])
    #expect(warnings.all.count == 1)
  }

  @Test func whoOnlyLooksLeavesABrokenFileWhereItIs() async throws {
    try #require(mkdir(directory.path, 0o755) == 0)
    _ = try base.write("null", to: "state/machine.json")
    #expect(await memory().recall(onlyLooking: true) == [])
    #expect(names == ["machine.json"])
    #expect(warnings.all == ["no machine is remembered: \(path) is damaged"])
    _ = try base.write(Self.text, to: "state/machine.json")
    #expect(await memory().recall(onlyLooking: true) == [Self.machine(name: "Court 7")])
  }

  @Test func besideAnotherBridgeItsMachineStays() async throws {
    try #require(mkdir(directory.path, 0o755) == 0)
    let memory = memory()
    await memory.onlyLook()
    _ = try base.write("null", to: "state/machine.json")
    #expect(await memory.recall() == [])
    #expect(names == ["machine.json"])
    _ = try base.write(Self.text, to: "state/machine.json")
    #expect(await memory.recall() == [Self.machine(name: "Court 7")])
    await memory.keep(Self.machine("F0:F1:F2:F3:F4:F6"))
    await memory.forget()
    #expect(await self.memory().recall() == [Self.machine(name: "Court 7")])
    #expect(warnings.all.count == 2 && warnings.all.last?.contains("was not removed") == true)
  }

  private func expectSetAside(
    _ complaint: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(names == ["machine.json.broken"], sourceLocation: sourceLocation)
    let warning = try #require(warnings.all.last, sourceLocation: sourceLocation)
    #expect(
      warning.hasPrefix("no machine is remembered: \(path) ")
        && warning.hasSuffix("; it is now \(path).broken") && warning.contains(complaint),
      "\(warning)",
      sourceLocation: sourceLocation
    )
  }

  @Test func twoMachinesOfAKindAreTooMany() async throws {
    try #require(mkdir(directory.path, 0o755) == 0)
    let entry = try #require(Self.text.firstMatch(of: /\{\n *"adapter[^}]*\}/)?.output)
    _ = try base.write(
      Self.text.replacing(entry, with: "\(entry), \(entry)"),
      to: "state/machine.json"
    )
    #expect(await memory().recall() == [])
    try expectSetAside("lists too many machines")
  }

  // MARK: Directories that don't do

  @Test func aDirectoryThatCantBeWrittenIsToldOnce() async throws {
    let file = try base.write("", to: "file")
    let directory = try StateDirectory(variable: { _ in file + "/state" })
    let memory = memory(in: directory)
    #expect(await memory.recall() == [])
    #expect(warnings.all.count == 1)
    await memory.keep(Self.machine())
    await memory.keep(Self.machine(name: "Court 7"))
    #expect(warnings.all.count == 2)
    #expect(warnings.all[1].hasPrefix("the machine won't be remembered: can't"))
    #expect(warnings.all[1].contains("BALLMACHINE_STATE_DIRECTORY"))
    // Once it can be, it is.
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
    await memory.keep(Self.machine(name: "Court 7"))
    #expect(warnings.all.count == 2)
    #expect(await self.memory(in: directory).recall() == [Self.machine(name: "Court 7")])
  }

  /// The link's status may stay as it is for hours.
  @Test(.mustEnd) func whatCouldNotBeKeptIsWrittenOnceItCan() async throws {
    let memory = memory(pause: .milliseconds(5))
    try Data().write(to: URL(fileURLWithPath: directory.path))
    await memory.keep(Self.machine())
    #expect(warnings.all.count == 1)
    try FileManager.default.removeItem(atPath: directory.path)
    while !FileManager.default.fileExists(atPath: path) {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(await self.memory().recall() == [Self.machine()])
    #expect(warnings.all.count == 1)
  }

  /// Also at a program's end, which waits for no retry, and may have no link any more.
  @Test func whatCouldNotBeKeptIsWrittenAtTheEnd() async throws {
    let memory = memory()
    try Data().write(to: URL(fileURLWithPath: directory.path))
    await memory.keep(Self.machine())
    try FileManager.default.removeItem(atPath: directory.path)
    await memory.keepAtEnd(nil)
    #expect(await self.memory().recall() == [Self.machine()])
  }
}
