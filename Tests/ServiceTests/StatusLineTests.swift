import BlueZ
import Bridge
import Clocks
import ControlProtocol
import CourtLogic
import Host
import MachineLink
import Positions
import Programs
import Testing

@testable import Reports
@testable import Safety
@testable import Service

/// What `systemctl status` and the journal get.
struct StatusLineTests {
  private static let now = MonotonicInstant.start.advanced(by: .seconds(100))

  private static func link(_ change: (inout LinkStatus) -> Void) -> EventRecord {
    var status = LinkStatus(since: now)
    status.machine = BluetoothAddress("F0:F1:F2:F3:F4:F5")
    status.isSimulated = false
    change(&status)
    return record(.link(status))
  }

  private static func safety(_ state: SafetyState) -> EventRecord {
    record(.safety(SafetyStatus(state: state, since: now)))
  }

  private static func record(_ event: BridgeEvent) -> EventRecord {
    EventRecord(event, at: now) { _ in WallTime(secondsSince1970: 0) }
  }

  @Test func bothAxesAreOnOneLine() {
    var line = StatusLine()
    line.receive(Self.link { $0.phase = .ready })
    line.receive(Self.safety(.disarmed(.atStart)))
    #expect(
      line.text == "REAL; disarmed: every start is disarmed; link ready; F0:F1:F2:F3:F4:F5"
    )
  }

  @Test func troubleIsToldWithItsRemedyAndEndsWithTheLink() {
    var line = StatusLine()
    line.receive(Self.safety(.paused(.linkLoss)))
    line.receive(
      Self.link {
        $0.phase = .backingOff
        $0.fault = .connectTimedOut
      }
    )
    #expect(line.text.hasPrefix("REAL; paused: the machine is away; link backing off; "))
    #expect(line.text.contains("connecting took too long; check that the machine is on"))
    line.receive(Self.link { $0.phase = .ready })
    #expect(!line.text.contains("too long"))
  }

  @Test func aCountdownDoesNotChangeTheLineAllTheTime() {
    var line = StatusLine()
    for seconds in [1, 2] {
      let until = Self.now.advanced(by: .seconds(seconds))
      line.receive(Self.safety(.countdown(until: until, .arming)))
      #expect(line.text == "countdown: balls fly when it ends")
    }
  }

  @Test(arguments: [
    (safety(.live), JournalPriority.notice),
    (record(.stopped(.confirmed)), .notice), (link { $0.phase = .ready }, .information),
    (
      link {
        $0.phase = .backingOff
        $0.fault = .connectTimedOut
      }, .warning
    ),
    (record(.positions(.ended)), .information),
  ])
  func whatMattersStandsOutInTheJournal(_ record: EventRecord, _ priority: JournalPriority) {
    #expect(EventReport(record, since: 0).priority == priority)
  }
}
