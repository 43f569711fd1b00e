import Foundation
import Glibc
import TestSupport
import Testing

@testable import BlueZ

/// The radio switches, read from planted folders.
struct RadioSwitchTests {
  private let planted: PlantedSwitches

  init() throws { planted = try PlantedSwitches() }

  private static let open = [
    "type": "bluetooth\n", "name": "hci0\n", "soft": "0\n", "hard": "0\n",
  ]

  private func changed(_ changes: [String: String?]) -> [String: String] {
    changes.reduce(into: Self.open) { $0[$1.key] = $1.value }
  }

  private var all: [RadioSwitch] { RadioSwitch.all(in: planted.sysfs) }

  @Test(
    arguments: [
      ("0", "0", nil), ("1", "0", .soft), ("0", "1", .hard), ("1", "1", .hard),
    ] as [(String, String, RadioSwitch.Block?)]
  )
  func softAndHardAreToldApart(_ soft: String, _ hard: String, _ block: RadioSwitch.Block?) throws {
    try planted.plant("rfkill0", changed(["soft": soft + "\n", "hard": hard + "\n"]))
    #expect(all == [RadioSwitch(number: 0, name: "hci0", controller: 0, block: block)])
  }

  @Test func otherRadiosAreLeftOutAndNumbersAreInOrder() throws {
    try planted.plant("rfkill10", changed(["name": "hci1\n"]))
    try planted.plant("rfkill9", changed([:]))
    try planted.plant("rfkill2", changed(["type": "wlan\n", "name": "phy0\n"]))
    #expect(all.map(\.number) == [9, 10])
  }

  @Test func theDeviceTellsWhoseSwitchItIsBeforeTheName() throws {
    try planted.plant("rfkill0", changed(["name": "odd\n"]), device: "../../hci3")
    try planted.plant("rfkill1", changed([:]), device: "../../hci12")
    let box = changed(["name": "tpacpi_bluetooth_sw\n", "soft": "1\n"])
    try planted.plant("rfkill2", box, device: "../../../thinkpad_acpi")
    #expect(all.map(\.controller) == [3, 12, nil])
    let view = KernelView(controllers: .success([]), switches: all)
    #expect(view.blockOfTheBox == .soft)
    #expect(view.block(ofController: 3) == nil)
  }

  /// As the kernel lays it out: the class folder holds links.
  @Test func aSwitchBehindALinkIsRead() throws {
    let device = planted.sysfs + "/devices/virtual/bluetooth/hci0/rfkill4"
    try planted.plant("rfkill4", changed(["soft": "1\n"]), device: "../../hci0")
    try FileManager.default.createDirectory(
      atPath: planted.sysfs + "/devices/virtual/bluetooth/hci0",
      withIntermediateDirectories: true
    )
    try FileManager.default.moveItem(atPath: planted.folder + "/rfkill4", toPath: device)
    try FileManager.default.createSymbolicLink(
      atPath: planted.folder + "/rfkill4",
      withDestinationPath: "../../devices/virtual/bluetooth/hci0/rfkill4"
    )
    #expect(all == [RadioSwitch(number: 4, name: "hci0", controller: 0, block: .soft)])
  }

  @Test func withoutRfkillThereAreNoSwitches() {
    #expect(RadioSwitch.all(in: planted.sysfs).isEmpty, "an empty folder")
    #expect(RadioSwitch.all(in: planted.sysfs + "/none").isEmpty, "no folder")
    #expect(RadioSwitch.all(in: "/dev/null").isEmpty, "no folder at all")
  }

  @Test(
    arguments: [
      ["soft": nil], ["hard": nil], ["type": nil],
      ["soft": ""], ["soft": "2\n"], ["soft": "1 \n"], ["soft": "1\n0\n"], ["hard": "yes\n"],
      ["hard": "-1\n"], ["type": "Bluetooth\n"], ["type": "bluetooth"],
      ["soft": String(repeating: "1", count: 100_000)],
    ] as [[String: String?]]
  )
  func whatIsInDoubtIsLeftOut(_ changes: [String: String?]) throws {
    try planted.plant("rfkill0", changed(changes))
    // A missing line feed is no doubt.
    #expect(all.isEmpty == (changes != ["type": "bluetooth"]))
  }

  @Test func hostileEntriesNeitherHangNorSpeak() throws {
    try planted.plant("rfkill0", changed(["soft": nil]))
    try #require(mkfifo(planted.folder + "/rfkill0/soft", 0o600) == 0)
    try planted.plant("rfkill1", changed(["hard": nil]))
    try #require(mkdir(planted.folder + "/rfkill1/hard", 0o700) == 0)
    try planted.plant("rfkill2", changed(["soft": nil]))
    try #require(symlink("/dev/zero", planted.folder + "/rfkill2/soft") == 0)
    try planted.plant("rfkill3", changed(["soft": nil]))
    try #require(symlink("soft", planted.folder + "/rfkill3/soft") == 0)
    for odd in ["rfkill", "rfkillx", "rfkill-1", "rfkill99999999999999999999", "hci0"] {
      try planted.plant(odd, changed([:]))
    }
    try planted.write("a file", to: "rfkill7")
    #expect(all.isEmpty)
    try planted.plant("rfkill8", changed(["name": "\u{1b}[2Jhci0\n"]), device: "device")
    #expect(
      all == [RadioSwitch(number: 8, name: "rfkill8", controller: nil, block: nil)],
      "a name that would speak to a terminal is not taken"
    )
  }

  @Test(arguments: [
    ("hci0", 0), ("hci15", 15), ("hci", nil), ("hcix", nil), ("hci1x", nil), ("hci-1", nil),
    ("hci+1", nil), ("hci１", nil), ("hci000001", nil), ("xhci0", nil), ("", nil),
  ])
  func controllersAreNamedByTheirIndex(_ name: String, _ index: Int?) {
    #expect(HostController.index(ofName: name) == index)
  }
}
