import BlueZ
import ControlProtocol
import Host
import Programs
import Testing

@testable import Bridge
@testable import Clocks
@testable import CourtLogic
@testable import JSON
@testable import MachineLink
@testable import Positions
@testable import Reports
@testable import Safety

/// Events as they come over the control socket.
struct ReceivedEventTests {
  private static let now = MonotonicInstant.start.advanced(by: .seconds(100))
  private static let time = WallTime(secondsSince1970: 1_795_269_600)

  private static func link(_ change: (inout LinkStatus) -> Void) -> BridgeEvent {
    var status = LinkStatus(since: now)
    status.machine = BluetoothAddress("F0:F1:F2:F3:F4:F5")
    status.machineName = "BallMachine"
    status.isSimulated = false
    status.adapter = .init(
      address: BluetoothAddress("AA:BB:CC:DD:EE:01"),
      name: "hci0",
      condition: .on
    )
    change(&status)
    return .link(status)
  }

  private static func decision(x: Double, y: Double, zone: Zone?) -> Decision {
    Decision(
      time: now,
      due: now,
      position: try! PlayerPosition(x: x, y: y),
      sampleCount: 30,
      zone: zone,
      command: try! MachineCommand(digits: "110001060014004500")
    )
  }

  private static func dispatch(_ outcome: WriteOutcome, zone: Zone?) -> BridgeEvent {
    var record = DispatchRecord(
      number: 3,
      decision: DecisionRecord(decision(x: 4.1, y: 9.8, zone: zone))
    )
    record.outcome = OutcomeRecord(outcome)
    record.latency = 0.047
    return .record(.dispatch(record), at: now)
  }

  private static func safety(
    _ state: SafetyState,
    holds: [SafetyHold] = []
  ) -> BridgeEvent {
    var status = SafetyStatus(state: state, since: now)
    status.holds = holds
    return .safety(status)
  }

  private static let events: [BridgeEvent] = [
    link {
      $0.phase = .ready; $0.profile = "ball-machine"
    },
    link {
      $0.phase = .ready; $0.signal = .init(rssi: -60, heardAt: now.advanced(by: .seconds(-9)))
    },
    link {
      $0.phase = .backingOff
      $0.failures = 2
      $0.fault = .connectTimedOut
      $0.nextAttempt = now.advanced(by: .seconds(2.25))
    },
    link {
      $0.phase = .waitingForAdapter; $0.machine = nil; $0.adapter?.condition = .off
    },
    safety(.disarmed(.atStart)), safety(.live), safety(.live, holds: [.behindNet, .notSeen]),
    safety(.countdown(until: now.advanced(by: .seconds(2.5)), .arming)),
    safety(.paused(.manual)), safety(.stopped(nil)), safety(.stopped(.unconfirmed)),
    dispatch(.delivered, zone: Zone(id: 13)), dispatch(.queued, zone: nil),
    dispatch(.notSent(.linkLost), zone: Zone(id: 1)), dispatch(.unknown(.timedOut), zone: nil),
    .record(
      .manual(
        ManualRecord(
          number: 1,
          command: "110001060014004500",
          outcome: OutcomeRecord(.delivered),
          latency: 0.047
        )
      ),
      at: now
    ),
    .record(
      .held(
        HeldRecord(
          decision: DecisionRecord(decision(x: 4.1, y: 1, zone: nil)),
          holds: [SafetyRecord.Hold(.nearNet(limit: 2))]
        )
      ),
      at: now
    ),
    .stopped(.confirmed), .stopped(.notDelivered(reason: "away")), .dropped(3),
    .positions(.opened(connection: "client 1")), .positions(.ended),
    .positions(.clientRefused(limit: 64)), .positions(.stoodStill(.milliseconds(2_500))),
    .refusedLines(
      RefusedLines(
        count: 12,
        last: BadLine(line: 7, text: "\u{FFFD}", reason: .notUTF8),
        connection: "client 1",
        time: now
      )
    ),
  ]

  @Test(arguments: events)
  func anEventIsReadAsItWasWritten(_ event: BridgeEvent) throws {
    let record = EventRecord(event, at: Self.now) { _ in Self.time }
    let report = try #require(EventReport(Self.sent(record)))
    #expect(report.record == record)
    #expect(report.text == "\(Self.time.local)  \(EventReport(record, since: 0).words)")
    #expect((report.linkText != nil) == (record.name == "link"))
  }

  @Test func aRecordGoesOnToMachinesAsItCame() throws {
    let record = try Self.sent(
      EventRecord(Self.safety(.live), at: Self.now) { _ in Self.time }
    )
    let report = try #require(EventReport(record))
    #expect(try Output.json(report) == Output.json(record))
  }

  @Test func whatALaterServiceTellsIsNotAnError() throws {
    let record = JSONValue.object([
      "event": "weather", "t": 1, "time": .string(Self.time.preciseISO8601), "rain": true,
    ])
    #expect(EventReport(record)?.text == "\(Self.time.local)  weather")
    #expect(EventReport(.object([:])) == nil)
  }

  @Test func aMemberThatMayBeNullMayBeAbsent() throws {
    let player = try JSONValue.object(["x": 1, "y": 2, "samples": 3])
      .decoded(as: StatusRecord.Player.self)
    #expect(player.zone == nil)
    #expect(try Output.json(player) == #"{"samples":3,"x":1,"y":2,"zone":null}"#)
  }

  /// As it comes over the socket.
  private static func sent(_ record: EventRecord) throws -> JSONValue {
    try JSONValue(text: JSONEncoding.line(record))
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .boolean(value) }
}
