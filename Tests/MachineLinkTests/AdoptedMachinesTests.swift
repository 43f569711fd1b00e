import BlueZ
import Foundation
import TestSupport
import Testing

@testable import Host
@testable import MachineLink

struct AdoptedMachinesTests {
  private let base: TemporaryDirectory
  private let directory: StateDirectory
  private let warnings = Warnings()
  private var path: String { directory.path(of: AdoptedMachines.fileName) }

  init() throws {
    base = try TemporaryDirectory()
    let path = base("state")
    directory = try StateDirectory(variable: { _ in path })
  }

  private static let marks = BoxMarks(lines: ["board 1000a1"])
  private static let otherMarks = BoxMarks(lines: ["board 1000e5"])

  private func machines(on marks: BoxMarks = marks) -> AdoptedMachines {
    AdoptedMachines(
      in: directory,
      marks: marks,
      warn: { [warnings] in warnings.add($0) },
      now: { WallTime(secondsSince1970: 1_795_269_600) }
    )
  }

  private static func machine(
    _ address: String = "C4:11:22:33:44:55",
    name: String? = "Court 1",
    isSimulated: Bool = false
  ) -> AdoptedMachine {
    AdoptedMachine(
      address: BluetoothAddress(address)!,
      addressType: .random,
      name: name,
      isSimulated: isSimulated
    )
  }

  @Test func whatIsAdoptedStaysSo() async throws {
    let known = [
      Self.machine(), Self.machine("5A:11:22:33:44:55", name: "Court 2"),
      Self.machine(isSimulated: true),
    ]
    let first = machines()
    for machine in known { try await first.adopt(machine) }
    #expect(await machines().recall() == known)
    #expect(warnings.all == [])
  }

  @Test func theSameMachineStandsThereOnce() async throws {
    let adopted = machines()
    try await adopted.adopt(Self.machine())
    try await adopted.adopt(Self.machine(name: "Renamed"))
    #expect(await machines().recall() == [Self.machine(name: "Renamed")])
  }

  @Test func itIsForgotten() async throws {
    let adopted = machines()
    try await adopted.adopt(Self.machine())
    let forgotten = try await adopted.forget { $0.name == "Court 1" }
    #expect(forgotten == [Self.machine()])
    #expect(await machines().recall() == [])
    let none = try await adopted.forget { _ in true }
    #expect(none == [])
  }

  @Test(
    arguments: [
      "null", #"{"version":1,"machines":[]}"#, #"{"version":2,"marks":[],"machines":[]}"#,
      #"{"version":1,"marks":[]}"#,
      #"{"version":1,"marks":[],"machines":[{"address":"nonsense"}]}"#,
    ]
  )
  func whatCantBeReadAdoptsNothing(text: String) async throws {
    try directory.prepare()
    try Data(text.utf8).write(to: URL(filePath: path))
    #expect(await machines().recall(onlyLooking: true) == [])
    #expect(FileManager.default.fileExists(atPath: path), "who only looks changes nothing")
    #expect(await machines().recall() == [])
    #expect(FileManager.default.fileExists(atPath: path + ".broken"))
    #expect(warnings.all.count == 2)
  }

  /// A card's copy in another box, beside another court.
  @Test func anotherBoxsMachinesAreNotOurs() async throws {
    try await machines().adopt(Self.machine())
    #expect(await machines(on: Self.otherMarks).recall() == [])
  }

  // MARK: Links that were left up

  @Test func aLinkIsKnownUntilTheBoxStartsAgain() async throws {
    let link = LeftLink(address: BluetoothAddress("5A:11:22:33:44:55")!, isSimulated: false)
    let links = LeftLinks(in: directory, boot: "a")
    await links.keep(link)
    #expect(await LeftLinks(in: directory, boot: "a").recall() == link)
    #expect(await LeftLinks(in: directory, boot: "b").recall() == nil)
    #expect(await LeftLinks(in: directory, boot: "").recall() == nil)
    await links.keep(nil)
    #expect(await LeftLinks(in: directory, boot: "a").recall() == nil)
  }
}
