import Foundation
import TestSupport
import Testing

@testable import Host

/// A box's hardware, as sysfs shows it.
@Suite struct BoxMarksTests {
  private let card: TemporaryDirectory

  init() throws { card = try TemporaryDirectory() }

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
