import BlueZ
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Host
@testable import MachineLink

struct StopDebtsTests {
  private let base: TemporaryDirectory
  private let directory: StateDirectory
  private let warnings = Warnings()
  private var path: String { directory.path(of: StopDebts.fileName) }

  init() throws {
    base = try TemporaryDirectory()
    let path = base("state")
    directory = try StateDirectory(variable: { _ in path })
  }

  private func debts(pause: Duration = .seconds(3600)) -> StopDebts {
    StopDebts(
      in: directory,
      warn: { [warnings] in warnings.add($0) },
      now: { WallTime(secondsSince1970: 1_795_269_600) },
      pause: pause
    )
  }

  private func machine(
    _ address: String = "F0:F1:F2:F3:F4:F5",
    name: String? = nil,
    isSimulated: Bool = false
  ) throws -> RememberedMachine {
    RememberedMachine(
      address: try #require(BluetoothAddress(address)),
      addressType: .random,
      name: name,
      profile: "ball-machine",
      adapter: try #require(BluetoothAddress("AA:BB:CC:DD:EE:01")),
      isSimulated: isSimulated
    )
  }

  private func keep(_ isOwed: Bool, to machine: RememberedMachine) async {
    let debts = debts()
    debts.keep(isOwed, to: machine)
    await debts.flush()
  }

  @Test func theNextProgramLearnsWhatThisOneOwes() async throws {
    let machine = try machine()
    await keep(true, to: machine)
    #expect(
      try String(contentsOfFile: path, encoding: .utf8) == """
        {
          "owed" : [
            {
              "address" : "F0:F1:F2:F3:F4:F5",
              "simulated" : false,
              "since" : "2026-11-21T14:00:00Z"
            }
          ],
          "version" : 1
        }

        """
    )
    #expect(await debts().isOwed(to: machine))
    await keep(false, to: machine)
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(await debts().recall() == [])
    #expect(warnings.all == [])
  }

  @Test func anotherMachinesStopPaysNothing() async throws {
    let machine = try machine()
    await keep(true, to: machine)
    let others = [
      try self.machine("F0:F1:F2:F3:F4:F6"), try self.machine("41:F1:F2:F3:F4:F5"),
      try self.machine(isSimulated: true),
    ]
    for other in others {
      #expect(await !debts().isOwed(to: other))
      await keep(false, to: other)
    }
    #expect(await debts().isOwed(to: machine))
  }

  /// A private address may be the same machine's tomorrow, under another one.
  @Test func aPrivateAddressMayBeAnyMachine() async throws {
    let hidden = try machine("41:F1:F2:F3:F4:F5")
    #expect(!hidden.isLasting)
    await keep(true, to: hidden)
    #expect(await debts().recall().map(\.address) == [nil])
    #expect(await debts().isOwed(to: try machine()))
    await keep(false, to: try machine("42:F1:F2:F3:F4:F5"))
    #expect(await debts().recall() == [])
  }

  /// The file doesn't say which one it was, but the program still knows.
  @Test func anotherPrivateAddressPaysNothingWhileTheProgramRuns() async throws {
    let (first, second) = (try machine("41:F1:F2:F3:F4:F5"), try machine("41:F1:F2:F3:F4:F6"))
    let debts = debts()
    debts.keep(true, to: first)
    debts.keep(true, to: second)
    debts.keep(false, to: second)
    await debts.flush()
    #expect(await debts.isOwed(to: first))
    #expect(await !debts.isOwed(to: second))
    #expect(await self.debts().recall().map(\.address) == [nil])
    debts.keep(false, to: first)
    await debts.flush()
    #expect(await self.debts().recall() == [])
  }

  @Test func aMachineIsOwedItsOwnStopBesideThatOfAnUnknownOne() async throws {
    let machine = try machine()
    await keep(true, to: try self.machine("41:F1:F2:F3:F4:F5"))
    await keep(true, to: machine)
    await keep(false, to: try self.machine("F0:F1:F2:F3:F4:F6"))
    #expect(await debts().isOwed(to: machine))
    await keep(false, to: machine)
    #expect(await debts().recall() == [])
  }

  @Test(arguments: ["F0:F1:F2:F3:F4", "41:F1:F2:F3:F4"])
  func aMachineThatGivesWayToAnotherIsStillOwedItsStop(prefix: String) throws {
    let (first, second) = (try machine("\(prefix):F5"), try machine("\(prefix):F6"))
    var owed = OwedStops()
    let kept = [
      owed.change(true, to: first),
      // The second one is owed one too, until it has acknowledged it.
      owed.change(true, to: second),
      owed.change(false, to: second),
    ]
    #expect(kept == [true, true, false])
    let due = [owed.takeDebt(to: second), owed.takeDebt(to: first), owed.takeDebt(to: first)]
    #expect(due == [false, true, false])
  }

  @Test func aPrivateAddressThatChangesOwesNothingTwice() throws {
    var owed = OwedStops()
    let before = try machine("41:F1:F2:F3:F4:F5", name: "Court 7")
    let later = try machine("42:F1:F2:F3:F4:F5", name: "Court 7")
    let kept = [owed.change(true, to: before), owed.change(true, to: later)]
    #expect(kept == [true, nil])
    let isDue = owed.takeDebt(to: later)
    #expect(!isDue)
    let paid = owed.change(false, to: later)
    #expect(paid == false)
  }

  /// What is no file is not waited for, and gives way once something is to be kept.
  @Test(arguments: ["folder", "FIFO"])
  func whatIsNoFileIsTakenForADebt(_ what: String) async throws {
    try FileManager.default.createDirectory(
      atPath: directory.path,
      withIntermediateDirectories: true
    )
    #expect(what == "FIFO" ? mkfifo(path, 0o600) == 0 : mkdir(path, 0o755) == 0)
    #expect(await debts().recall().map(\.address) == [nil])
    let machine = try machine()
    await keep(true, to: machine)
    #expect(await debts().isOwed(to: machine))
    #expect(FileManager.default.fileExists(atPath: path + ".broken"))
  }

  @Test(arguments: ["", "{", "[]", #"{"version": 2, "owed": []}"#, #"{"version": 1}"#])
  func aFileThatCannotBeReadIsTakenForADebt(_ text: String) async throws {
    try FileManager.default.createDirectory(
      atPath: directory.path,
      withIntermediateDirectories: true
    )
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let machine = try machine()
    #expect(await debts().isOwed(to: machine))
    #expect(await !debts().isOwed(to: try self.machine(isSimulated: true)))
    #expect(warnings.all.allSatisfy { $0.contains(path) && $0.contains("assumed to be owed") })
    await keep(false, to: machine)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func aFileInUTF16IsTakenForADebt() async throws {
    try FileManager.default.createDirectory(
      atPath: directory.path,
      withIntermediateDirectories: true
    )
    let bytes: [UInt8] = #"{"version": 1, "owed": []}"#.utf16.flatMap { [UInt8($0), 0] }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    #expect(await debts().isOwed(to: try machine()))
    #expect(warnings.all.allSatisfy { $0.contains(path) && $0.contains("assumed to be owed") })
  }

  @Test func whatCannotBeKeptIsToldOf() async throws {
    let debts = debts()
    #expect(await debts.recall() == [])
    try Data().write(to: URL(fileURLWithPath: directory.path))
    debts.keep(true, to: try machine())
    await debts.flush()
    #expect(warnings.all.count == 1)
    #expect(warnings.all.first?.contains("that a stop command is owed") == true)
  }

  @Test func whatCouldNotBeKeptIsWrittenOnceItCan() async throws {
    let debts = debts(pause: .milliseconds(5))
    let machine = try machine()
    #expect(await debts.recall() == [])
    try Data().write(to: URL(fileURLWithPath: directory.path))
    debts.keep(true, to: machine)
    await debts.flush()
    #expect(warnings.all.count == 1)
    try FileManager.default.removeItem(atPath: directory.path)
    while !FileManager.default.fileExists(atPath: path) {
      try await Task.sleep(for: .milliseconds(5))
    }
    await debts.flush()
    #expect(await self.debts().isOwed(to: machine))
    #expect(warnings.all.count == 1)
  }

  /// Also at a program's end, which waits for no retry.
  @Test func whatCouldNotBeKeptIsWrittenAtTheEnd() async throws {
    let debts = debts()
    let machine = try machine()
    #expect(await debts.recall() == [])
    try Data().write(to: URL(fileURLWithPath: directory.path))
    debts.keep(true, to: machine)
    await debts.flush()
    try FileManager.default.removeItem(atPath: directory.path)
    await debts.flush()
    #expect(await self.debts().isOwed(to: machine))
  }

  // MARK: Two bridges

  @Test func anotherBridgeErasesNothing() async throws {
    let (first, second) = (debts(), debts())
    try await first.takeDirectory()
    await #expect(throws: StateLockError.held(directory.path)) { try await second.takeDirectory() }
    let (ours, others) = (try machine(), try machine("F0:F1:F2:F3:F4:F6"))
    first.keep(true, to: ours)
    await first.flush()
    second.keep(true, to: others)
    second.keep(false, to: others)
    await second.flushAtEnd()
    #expect(await debts().isOwed(to: ours))
    #expect(warnings.all == [])
    await first.flushAtEnd()
    try await debts().takeDirectory()
  }

  @Test func aStopBesideAnotherBridgeKeepsNothingAndSaysSo() async throws {
    let (first, second) = (debts(), debts())
    try await first.takeDirectory()
    second.tryToTakeDirectory()
    second.keep(true, to: try machine())
    await second.flush()
    #expect(await debts().recall() == [])
    #expect(warnings.all.count == 1)
    #expect(warnings.all.first?.contains("set BALLMACHINE_STATE_DIRECTORY") == true)
  }

  /// As now: what can't be kept is told of when it is to be kept.
  @Test func aDirectoryThatCannotBeMadeIsDoneWithout() async throws {
    try Data().write(to: URL(fileURLWithPath: directory.path))
    try await debts().takeDirectory()
    #expect(warnings.all == [])
    try FileManager.default.removeItem(atPath: directory.path)
    try FileManager.default.createDirectory(
      atPath: directory.path(of: StateLock.fileName),
      withIntermediateDirectories: true
    )
    try await debts().takeDirectory()
    #expect(warnings.all.count == 1)
  }

  @Test func theMachineThatIsMeantMayBeTheOneThatIsOwedIt() throws {
    let (ours, other) = (try machine(), try machine("F0:F1:F2:F3:F4:F6"))
    let now = WallTime()
    func mayBeOwed(_ debt: StopDebt, _ adapt: (inout LinkConfiguration) -> Void) -> Bool {
      var configuration = LinkConfiguration()
      adapt(&configuration)
      return debt.mayBeOwed(to: configuration)
    }
    for (owed, isOurs) in [(ours, true), (other, false)] {
      let debt = StopDebt(to: owed, since: now)
      let isConfigured = mayBeOwed(debt) { _ = $0.setAddress("F0:F1:F2:F3:F4:F5") }
      #expect(isConfigured == isOurs)
      #expect(mayBeOwed(debt) { $0.remembered = [ours] } == isOurs)
      // It may be any machine.
      #expect(mayBeOwed(debt) { _ in })
      #expect(mayBeOwed(debt) { $0.name = "Court 7" })
    }
    let hidden = StopDebt(to: try machine("41:F1:F2:F3:F4:F5"), since: now)
    #expect(mayBeOwed(hidden) { $0.remembered = [ours] })
  }
}
