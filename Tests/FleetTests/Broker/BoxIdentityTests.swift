import Foundation
import Host
import TestSupport
import Testing

@testable import Fleet

/// A card, and the hardware that it is in.
@Suite struct BoxIdentityTests {
  private let card: TemporaryDirectory
  private let directory: StateDirectory

  init() throws {
    let card = try TemporaryDirectory()
    self.card = card
    directory = try StateDirectory(variable: { _ in card.path })
  }

  private static let pi = ["board 10000000a1b2c3d4", "adapter dc:a6:32:00:00:01"]
  private static let otherPi = ["board 10000000e5f60718", "adapter dc:a6:32:00:00:02"]
  private static let dongle = "usb 00:e0:4c:00:00:01"
  private static let otherDongle = "usb 00:e0:4c:00:00:02"
  private static let plugged: [String] = pi + [dongle]
  private static let otherPlugged: [String] = otherPi + [dongle]

  private func load(_ marks: [String]) throws -> String {
    let identity = BoxIdentity(in: directory, marks: BoxMarks(lines: marks.map { $0[...] }))
    let id = try identity.load()
    #expect(identity.known == id)
    return id
  }

  /// The marks of one start after the other.
  private static let starts: [[[String]]] = [
    [pi, pi],
    [pi, plugged, [pi[0], pi[1], otherDongle], pi],
    // One that is there from time to time.
    [pi, [], pi],
    [["adapter 1", "adapter 2"], ["adapter 2"], ["adapter 1"]],
    [[dongle, otherDongle], [otherDongle], [dongle]],
    // Nothing that both have.
    [[pi[1]], [dongle], [pi[1]]],
    [[], []],
    [[], pi, pi],
  ]

  @Test(arguments: starts)
  func aBoxKeepsItsID(_ starts: [[String]]) throws {
    #expect(Set(try starts.map(load)).count == 1)
  }

  private static let boxes: [[[String]]] = [
    [pi, otherPi],
    // Both were set up with the same adapter.
    [plugged, otherPlugged],
    [[pi[1]], [otherPi[1]]],
    [[dongle], [otherDongle]],
  ]

  @Test(arguments: boxes)
  func aCopyOfTheCardMakesAnID(_ boxes: [[String]]) throws {
    let first = try load(boxes[0])
    let identity = BoxIdentity(
      in: directory,
      marks: BoxMarks(lines: boxes[1].map { $0[...] })
    )
    #expect(identity.known == nil)
    let second = try load(boxes[1])
    #expect(second != first)
    #expect(try load(boxes[1]) == second)
  }

  /// One that an earlier version has left.
  @Test func anIDWithoutMarksGetsThoseOfItsBox() throws {
    let id = String(repeating: "0f", count: 16)
    _ = try card.write("\(id)\n", to: "box")
    #expect(try load(Self.pi) == id)
    #expect(try load(Self.otherPi) != id)
  }

  @Test func aFileOfManyAdaptersStaysShort() throws {
    for number in 1...200 { _ = try load(["usb shared", "usb 00:e0:4c:00:00:\(number)"]) }
    let size = try Data(contentsOf: URL(fileURLWithPath: card("box"))).count
    #expect(size < StateFile.longest / 2)
  }

  // MARK: The hardware

  private func adapter(_ name: String, at place: String, _ files: [String: String]) throws {
    let folder = card("sys/devices/\(place)/net/\(name)")
    let files = ["addr_assign_type": "0\n"].merging(files) { $1 }
    for (file, text) in files {
      let url = URL(fileURLWithPath: "\(folder)/\(file)")
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data(text.utf8).write(to: url)
    }
    let links = card("sys/class/net")
    try FileManager.default.createDirectory(atPath: links, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: "\(links)/\(name)",
      withDestinationPath: "../../devices/\(place)/net/\(name)"
    )
  }

  private func setBoard(serial: String) throws {
    let folder = card("sys/firmware/devicetree/base")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    _ = try card.write(serial, to: "sys/firmware/devicetree/base/serial-number")
  }

  @Test func marksAreOfWhatCanNotBeCopied() throws {
    try setBoard(serial: "10000000a1b2c3d4\0")
    try adapter("eth0", at: "platform/fd580000.ethernet", ["address": "dc:a6:32:00:00:01\n"])
    try adapter("eth1", at: "platform/usb1/1-1/1-1:1.0", ["address": "00:e0:4c:00:00:01\n"])
    try adapter(
      "wlan0",
      at: "platform/mmc1",
      ["address": "86:00:00:00:00:01\n", "phy80211/macaddress": "dc:a6:32:00:00:02\n"]
    )
    // Not the hardware's own.
    try adapter("lo", at: "virtual", ["address": "00:00:00:00:00:00\n"])
    try adapter("docker0", at: "virtual", ["address": "00:50:56:00:00:01\n"])
    try adapter("ens3", at: "pci0000:00/virtio2", ["address": "52:54:00:12:34:56\n"])
    try adapter(
      "eth2",
      at: "pci0000:00/1",
      ["address": "00:50:56:00:00:02", "addr_assign_type": "3"]
    )
    try adapter("wwan0", at: "pci0000:00/2", ["address": "\n"])
    #expect(
      BoxMarks(system: card("sys")).lines == [
        "board 10000000a1b2c3d4", "adapter dc:a6:32:00:00:01", "adapter dc:a6:32:00:00:02",
        "usb 00:e0:4c:00:00:01",
      ]
    )
  }

  @Test func aBoxMayHaveNoMark() throws {
    #expect(BoxMarks(system: card("none")).lines == [])
    try setBoard(serial: "0000000000000000\0")
    #expect(BoxMarks(system: card("sys")).lines == [])
  }
}
