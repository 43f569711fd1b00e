import BlueZ
import CourtLogic
import Host
import MachineLink
import Testing

@testable import Bridge
@testable import Clocks
@testable import JSON
@testable import Positions
@testable import Safety
@testable import ballmachine

/// What a client says of the service's records is what `serve` itself says of the same events.
struct ServiceEventReportTests {
  private static let start = MonotonicInstant.start
  private static let now = start.advanced(by: .seconds(100))
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
    .dispatched(
      Dispatch(
        number: 3,
        decision: decision(x: 4.1, y: 9.8, zone: zone),
        outcome: outcome,
        latency: .milliseconds(47)
      )
    )
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
    .manual(
      ManualDispatch(
        number: 1,
        command: try! MachineCommand(digits: "110001060014004500"),
        requestedAt: now,
        outcome: .delivered,
        latency: .milliseconds(47)
      )
    ),
    .stopped(.delivered), .stopped(.notSent(.linkLost)),
    .positions(.opened(connection: "client 1")), .positions(.ended),
    .positions(.clientRefused(limit: 64)), .positions(.stoodStill(.milliseconds(2_500))),
    .positions(.badLine(BadLine(line: 7, reason: .notUTF8), connection: "client 1")),
  ]

  @Test(arguments: events)
  func aClientSaysWhatServeSays(_ event: BridgeEvent) throws {
    let record = EventRecord(event, at: Self.now) { _ in Self.time }
    let said = EventReport(record: record, elapsed: ElapsedTime(start: Self.start)).words
    let report = try #require(ServiceEventReport(Self.sent(record)))
    #expect(report.text == "\(Self.time.local)  \(said)")
    #expect((report.link != nil) == (record.name == "link"))
  }

  @Test func aRecordGoesOnToMachinesAsItCame() throws {
    let record = try Self.sent(
      EventRecord(Self.safety(.live), at: Self.now) { _ in Self.time }
    )
    let report = try #require(ServiceEventReport(record))
    #expect(try Output.json(report) == Output.json(record))
  }

  @Test func whatALaterServiceTellsIsNotAnError() throws {
    let record = JSONValue.object(["event": "weather", "t": 1, "rain": true])
    #expect(ServiceEventReport(record)?.text == "  weather")
    #expect(ServiceEventReport(.object([:])) == nil)
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
