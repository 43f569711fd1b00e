import Foundation
import Host
import Programs
import TestSupport
import Testing

@testable import Doctor

/// What a board shows of itself, and what that means.
struct BoardViewTests {
  private let box: TemporaryDirectory

  init() throws { box = try TemporaryDirectory() }

  private func plant(_ text: String, _ path: String) throws {
    let folder = box((path as NSString).deletingLastPathComponent)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    _ = try box.write(text, to: path)
  }

  private func plantInterface(_ name: String, driver: String, state: String) throws {
    try plant("\(state)\n", "class/net/\(name)/operstate")
    let device = box("class/net/\(name)/device")
    try FileManager.default.createDirectory(atPath: device, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: "\(device)/driver",
      withDestinationPath: "../../../../bus/sdio/drivers/\(driver)"
    )
  }

  private var view: BoardView { BoardView(sysfs: box.path) }

  @Test func aRaspberryPiIsKnownByItsModel() throws {
    #expect(view.model == nil && !view.isRaspberryPi)
    try plant("Raspberry Pi 4 Model B Rev 1.4\0", "firmware/devicetree/base/model")
    #expect(view.model == "Raspberry Pi 4 Model B Rev 1.4" && view.isRaspberryPi)
    try plant("Radxa ROCK 4C+\0", "firmware/devicetree/base/model")
    #expect(!view.isRaspberryPi)
    try plant("Raspberry Pi \u{1b}[2J\0", "firmware/devicetree/base/model")
    #expect(view.model == nil)
  }

  @Test func theSupplysAlarmIsReadFromItsOwnSensor() throws {
    try plant("cpu_thermal\n", "class/hwmon/hwmon0/name")
    try plant("1\n", "class/hwmon/hwmon0/in0_lcrit_alarm")
    #expect(view.isUndervolted == nil)
    try plant("rpi_volt\n", "class/hwmon/hwmon1/name")
    try plant("0\n", "class/hwmon/hwmon1/in0_lcrit_alarm")
    #expect(view.isUndervolted == false)
    try plant("1\n", "class/hwmon/hwmon1/in0_lcrit_alarm")
    #expect(view.isUndervolted == true)
  }

  @Test func onlyTheSharedWiFiThatIsConnectedCounts() throws {
    try plantInterface("eth0", driver: "bcmgenet", state: "up")
    try plantInterface("wlan0", driver: "brcmfmac", state: "down")
    try plantInterface("wlan1", driver: "mt76x2u", state: "up")
    try plant("unknown\n", "class/net/lo/operstate")
    #expect(view.wifi.isEmpty)
    try plant("up\n", "class/net/wlan0/operstate")
    #expect(view.wifi == ["wlan0"])
  }

  @Test func aClockIsJudgedByItsTimeAndItsKeeper() throws {
    let cases: [(time: String, isKept: Bool, expected: String)] = [
      ("1970-01-01T00:01:00Z", false, "problem clock.unset"),
      ("1970-01-01T00:01:00Z", true, "problem clock.unset"),
      ("2025-12-31T23:59:59Z", false, "problem clock.unset"),
      ("2026-01-01T00:00:00Z", false, "note clock.unkept"),
      ("2027-06-01T12:00:00Z", true, "ok clock.kept"),
    ]
    for (time, isKept, expected) in cases {
      var view = BoardView()
      view.clock = .init(time: try #require(WallTime(iso8601: time)), isKept: isKept)
      let finding = try #require(view.findings.first)
      #expect("\(finding.verdict) \(finding.code)" == expected, "\(time)")
      #expect((finding.remedy == nil) == (finding.verdict == .ok))
      #expect(finding.subject?.isOnTheWay == false)
    }
  }

  @Test func aWeakSupplyIsAProblem() {
    var view = BoardView()
    #expect(view.findings.isEmpty)
    view.isUndervolted = false
    #expect(view.findings.map(\.code) == ["power.enough"])
    view.isUndervolted = true
    view.model = "Raspberry Pi 5"
    #expect(view.findings.map(\.verdict) == [.problem])
    #expect(view.findings[0].remedy?.contains("made for the Raspberry Pi 5") == true)
  }

  /// The kernel's own word is taken, whatever it is here.
  @Test func thisBoxsClockIsAsked() throws {
    let clock = try #require(view.clock)
    #expect(WallTime().duration(since: clock.time) < .seconds(60))
  }
}
