import BlueZ
import Bridge
import Clocks
import ControlProtocol
import CourtLogic
import DBus
import Doctor
import Host
import JSON
import Programs
import TestSupport
import Testing

@testable import MachineLink
@testable import Reports
@testable import Service
@testable import SessionSummary
@testable import ballmachine

/// Text from outside in what people read: it begins no line, and controls no terminal. Programs get it as
/// it is.
struct HostileTextTests {
  private static let forged = "    2.500  stop  the machine has acknowledged the stop command"
  /// Of a device, a file, another program or an argument.
  private static let hostile =
    "Ball\n\(forged)\r\(forged)\u{85}\u{2028}\(forged)\u{1b}[2J\u{9b}2J\u{202e}\u{2066}\u{200b}\u{feff}\0\tMachine"
  private static let harmless = "BallMachine"

  private static let time = WallTime(secondsSince1970: 1_795_269_600)

  private static func error(_ text: String) -> BlueZError {
    BlueZError("org.bluez.Error.Failed", text)
  }

  private static func device(_ text: String) -> Device {
    var device = Device(
      path: try! ObjectPath("/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5"),
      adapter: try! ObjectPath("/org/bluez/hci0"),
      address: BluetoothAddress("F0:F1:F2:F3:F4:F5")!,
      linkEpoch: 0
    )
    device.name = text
    return device
  }

  private static func link(_ text: String, _ fault: LinkFault? = nil) -> EventRecord {
    var status = LinkStatus(since: .start)
    status.machine = BluetoothAddress("F0:F1:F2:F3:F4:F5")
    status.machineName = text
    status.fault = fault
    return EventRecord(.link(status), at: .start) { _ in time }
  }

  private static func feed(_ text: String) -> EventRecord {
    var feed = FeedRecord(state: "badLine", connection: text)
    (feed.line, feed.text, feed.reason) = (1, text, text)
    return EventRecord(.feed(feed), t: 0, time: time)
  }

  /// Each way on which such a text comes to people, as lines.
  private static let ways: [(name: String, lines: @Sendable (String) throws -> [String])] = [
    ("link", { EventReport(link($0), since: 0).lines }),
    ("link, a D-Bus error", { EventReport(link("a", .connectFailed(error($0))), since: 0).lines }),
    (
      "link, others in range",
      { EventReport(link("a", .otherMachinesSeen([device($0)], wanted: $0)), since: 0).lines }
    ),
    (
      "link, two machines",
      { EventReport(link("a", .ambiguousMachines([device($0)])), since: 0).lines }
    ),
    ("feed", { EventReport(feed($0), since: 0).lines }),
    ("stop", { StopReport(stop: StopRecord(outcome: "confirmed", reason: $0)).lines }),
    (
      "stop event",
      {
        EventReport(
          EventRecord(.stop(StopRecord(outcome: "confirmed", reason: $0)), t: 0, time: time),
          since: 0
        ).lines
      }
    ),
    (
      "send",
      {
        SendReport(
          t: 0,
          time: time,
          machineText: $0,
          command: "110001060014004500",
          outcome: OutcomeRecord(.notSent(.refused($0))),
          latency: 0
        ).lines
      }
    ),
    ("scan", { SeenDevice(address: "F0:F1:F2:F3:F4:F5", name: $0).report.lines }),
    (
      "scan's adapter", { ScanSummary(machines: 1, others: 0, adapter: "a", adapterName: $0).lines }
    ),
    ("doctor", { Finding(.machineKnown, .ok, $0, $0).lines }),
    (
      "doctor, a fault",
      { Finding.problem(.connectionFailed, .ambiguousMachines([device($0)])).lines }
    ),
    ("error", { linesForPeople(Failure(.unavailable, $0)) }),
    ("error of a file", { linesForPeople(SystemError("open \($0)", code: 2)) }),
    ("error of D-Bus", { linesForPeople(DBusError(name: "a.b", message: $0)) }),
    ("usage", { linesForPeople(BallMachine.unknownSubcommand($0)) }),
    ("error report", { ErrorReport(Failure(.unavailable, $0)).lines }),
    ("start", { ServeStart(source: $0, bus: $0, armed: false, interval: 3, drill: $0).lines }),
    ("question", { LinkRecord(link($0)).question(on: .stop, of: []) }),
    ("table", { [SessionTable.row(session($0))] }),
    ("session", { SessionReport(session: session($0), before: []).lines }),
    ("sessions", { SessionLine(session: session($0)).lines }),
    ("systemd", { [statusLine($0)] }),
  ]

  private static func session(_ text: String) -> Session {
    var session = Session(name: SessionName(run: 1, arming: 1), t: 0, begin: time)
    session.label = text
    session.drill = text
    return session
  }

  private static func statusLine(_ text: String) -> String {
    var line = StatusLine()
    line.receive(link(text))
    return line.text
  }

  @Test(arguments: ways.indices)
  func itForgesNothing(way: Int) throws {
    let (name, lines) = Self.ways[way]
    let shown = Output.clean(try lines(Self.hostile))
    let expected = Output.clean(try lines(Self.harmless)).split(separator: "\n")
    let told = shown.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(!told.contains { $0.hasPrefix(Self.forged) }, "\(name): \(shown)")
    // Long text may be wrapped; then each line is indented.
    #expect(told.first?.prefix(4) == expected.first?.prefix(4), "\(name): \(shown)")
    #expect(shown.contains("Ball?"), "\(name): \(shown)")
    for scalar in shown.unicodeScalars where scalar != "\n" {
      #expect(Character(scalar).isPrintable, "\(name): \(scalar.value)")
    }
    #expect(shown.count < 3000)
  }

  /// A line feed of ours is none from outside.
  @Test func aScanTellsEachThingOnALineOfItsOwn() {
    let summary = ScanSummary(
      machines: 1,
      others: 0,
      passedOver: [.init(adapter: "A", adapterName: "hci0", reason: "it is deaf")],
      unheard: [SeenDevice(address: "B", name: "BallMachine")],
      warning: "listen"
    )
    let lines = """
      1 possible machine, 0 other devices in range
      hci0 A is passed over: it is deaf
      BallMachine B was not heard: BlueZ knows it from earlier
      warning: listen
      """
    #expect(Output.clean(summary.lines) == lines)
  }

  /// Programs get what was there, escaped.
  @Test func programsGetTheRawText() throws {
    // JSON's reader takes no U+0000, and D-Bus sends none.
    let name = Self.hostile.filter { $0 != "\0" }
    let line = try Output.json(EventReport(Self.link(name), since: 0))
    let record = try JSONValue(text: Array(line.utf8))
    #expect(record["name"]?.string == name)
    #expect(!line.contains("\n"))
  }

  /// It is the machine of that name, whatever its name is.
  @Test func matchingIsRaw() {
    let configuration = LinkConfiguration(name: Self.hostile)
    func identity(_ name: String) -> MachineIdentity {
      MachineIdentity(
        among: [Self.device(name)],
        configuration: configuration,
        expected: nil,
        acceptsNewAddress: false,
        memoryDecides: false,
        isSimulated: false,
        isInRange: { _ in true }
      )
    }
    guard case .one(let found) = identity(Self.hostile) else {
      Issue.record("the machine is not found by its name")
      return
    }
    #expect(found.device.name == Self.hostile)
    if case .one = identity(Self.hostile.printable) { Issue.record("a cleaned name matches") }
  }
}

extension LinkRecord {
  fileprivate init(_ record: EventRecord) {
    guard case .link(let link) = record.event else { preconditionFailure("no link") }
    self = link
  }
}
