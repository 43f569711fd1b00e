import BlueZ
import Bridge
import Clocks
import Configuration
import ControlProtocol
import CourtLogic
import Host
import Programs
import Testing

@testable import MachineLink
@testable import Reports

struct EventReportTests {
  private static let start = MonotonicInstant.start
  private static let since = WallTime(secondsSince1970: 1_795_269_610)

  private static func report(
    after seconds: Double,
    _ change: (inout LinkStatus) -> Void
  ) -> EventReport {
    var status = LinkStatus(since: start.advanced(by: .seconds(10)))
    status.machine = BluetoothAddress("F0:F1:F2:F3:F4:F5")
    status.adapter = .init(
      address: BluetoothAddress("AA:BB:CC:DD:EE:01"),
      name: "hci0",
      condition: .on
    )
    status.isSimulated = false
    change(&status)
    let now = start.advanced(by: .seconds(seconds))
    let record = EventRecord(.link(status), at: now) {
      WallTime(since1970: .seconds(1_795_269_600 + $0.seconds))
    }
    return EventReport(record, since: start.seconds)
  }

  private static func heard(_ rssi: Int16, at seconds: Double) -> LinkStatus.Signal {
    .init(rssi: rssi, heardAt: start.advanced(by: .seconds(seconds)))
  }

  @Test func aFailedAttemptTellsWhenTheNextOneIs() throws {
    let report = Self.report(after: 10) {
      $0.phase = .backingOff
      $0.failures = 2
      $0.nextAttempt = Self.start.advanced(by: .seconds(12.25))
      $0.fault = .connectTimedOut
      $0.signal = Self.heard(-60, at: 1)
    }
    #expect(
      report.text == "   10.000  link  backing off  REAL  F0:F1:F2:F3:F4:F5  attempt 3"
        + "  next try in 2.3 s  connecting took too long;"
        + " check that the machine is on and near, and not connected to a phone"
    )
    #expect(
      try Output.json(report) == """
        {"adapter":"AA:BB:CC:DD:EE:01","adapterName":"hci0","adapterState":"on","attempt":3,\
        "code":"connectTimedOut","event":"link","failures":2,"machine":"F0:F1:F2:F3:F4:F5","mode":"REAL",\
        "nextAttempt":12.25,"reason":"connecting took too long",\
        "remedy":"check that the machine is on and near, and not connected to a phone",\
        "rssi":-60,"rssiAge":9,"since":"2026-11-21T14:00:10Z","state":"backingOff","t":10,\
        "time":"2026-11-21T14:00:10.000Z"}
        """
    )
  }

  @Test(arguments: [
    (10.0, "signal -60 dBm"), (12, "signal was -60 dBm 3 s ago"),
    (128, "signal was -60 dBm 119 s ago"), (129, "signal was -60 dBm 2 min ago"),
    (7208, "signal was -60 dBm 119 min ago"), (7209, "signal was -60 dBm 2 h ago"),
  ])
  func anOldSignalIsNotShownAsFresh(_ time: Double, _ text: String) {
    let report = Self.report(after: time) {
      $0.phase = .ready
      $0.signal = Self.heard(-60, at: 9)
    }
    #expect(report.text.hasSuffix("  \(text)"))
    // Nobody is told again because time passes.
    #expect(report.linkText?.summary.contains("dBm") == false)
  }

  @Test func aPhaseThatBeganEarlierSaysWhen() {
    let report = Self.report(after: 31) {
      $0.phase = .discovering
      $0.fault = .machineNotSeen
    }
    #expect(report.text.contains("  since \(Self.since.local)  the machine is not seen; check"))
  }

  @Test(arguments: LinkStatus.AdapterStatus.Condition.allCases)
  func whoWaitsForAnAdapterIsToldWhich(condition: LinkStatus.AdapterStatus.Condition) {
    let report = Self.report(after: 10) {
      $0.phase = .waitingForAdapter
      $0.machine = nil
      $0.adapter?.condition = condition
    }
    let word = condition == .off ? " off" : condition == .missing ? " missing" : ""
    #expect(
      report.text
        == "   10.000  link  waiting for an adapter  REAL  hci0 AA:BB:CC:DD:EE:01\(word)"
    )
  }

  @Test func aMachineThatMemoryHasChosenComesWithTheWayToAnotherOne() throws {
    let report = Self.report(after: 10) {
      $0.phase = .connecting
      $0.isChosenByMemory = true
      $0.fault = .machineNotSeen
    }
    #expect(report.text.contains("  F0:F1:F2:F3:F4:F5  remembered  "))
    #expect(report.text.hasSuffix("; \(LinkStatus.otherMachine)"))
    #expect(try Output.json(report).contains("\"remembered\":true"))
  }
}
