import ControlProtocol
import Doctor
import Host
import JSON
import Programs
import TestSupport
import Testing

@testable import Bridge
@testable import Clocks
@testable import Configuration
@testable import CourtLogic
@testable import MachineLink
@testable import Reports
@testable import RunLog
@testable import YAML
@testable import ballmachine

/// What subcommands print with `--json`, byte for byte: scripts read it.
///
/// The bridge's `GoldenLineTests` and `EventRecordTests` have the records of events and the status.
struct GoldenReportTests {
  private static let command = try! MachineCommand(digits: "110001060014004500")

  private static let configuration = YAMLProblem(
    file: "/etc/ballmachine/config.yaml",
    mark: YAMLMark(line: 3, column: 12),
    text: "“yes” is no number"
  )

  private static let countdown: SafetyRecord = {
    var countdown = SafetyRecord(state: "countdown")
    countdown.remaining = 2.5
    return countdown
  }()

  private static let time = WallTime(secondsSince1970: 1_795_269_600)

  private static let position = try! PlayerPosition(x: 4.1, y: -0.25)

  private static let reports: [(report: any Report, line: String)] = [
    (
      SeenDevice(
        address: "F0:F1:F2:F3:F4:F5",
        name: "Court 7 / \u{1}\u{1f}\u{7f}é",
        rssi: -71,
        profile: "ball-machine",
        standing: .certain
      ).report,
      #"""
      {"address":"F0:F1:F2:F3:F4:F5","addressType":"public","connected":false,"event":"device",\#
      "name":"Court 7 / \u0001\u001f\u007fé","profile":"ball-machine","rssi":-71,\#
      "standing":"certain"}
      """#
    ),
    (
      SeenDevice(address: "F0:F1:F2:F3:F4:F5", connected: true).report,
      #"""
      {"address":"F0:F1:F2:F3:F4:F5","addressType":"public","connected":true,"event":"device",\#
      "standing":"stranger"}
      """#
    ),
    (ScanSummary(machines: 1, others: 12), #"{"event":"scan","machines":1,"others":12}"#),
    (
      Finding(.stopOwed, .problem, "a stop is owed", "run `safe-stop`"),
      #"""
      {"check":"stop","code":"stop.owed","event":"finding","remedy":"run `safe-stop`",\#
      "text":"a stop is owed","verdict":"problem"}
      """#
    ),
    (
      Finding(.stopOwed, .ok, "none"),
      #"""
      {"check":"stop","code":"stop.owed","event":"finding","text":"none","verdict":"ok"}
      """#
    ),
    (
      DoctorSummary([Finding(.stopOwed, .note, "none")], isSimulated: false),
      #"""
      {"canLink":true,"event":"diagnosis","mode":"REAL","notes":1,"ok":0,"problems":0}
      """#
    ),
    (
      Explanation(subject: .position(position, nil, CourtSettings().fallback), command: command),
      #"""
      {"command":"110001060014004500","event":"explanation",\#
      "fields":{"lower":10600,"pitch":1400,"upper":11000,"yaw":4500},"x":4.1,"y":-0.25,"zone":null,"zoneId":null}
      """#
    ),
    (
      Explanation(subject: .zone(Zone(id: 13)!), command: command),
      #"""
      {"command":"110001060014004500","event":"explanation",\#
      "fields":{"lower":10600,"pitch":1400,"upper":11000,"yaw":4500},"zone":"3-1","zoneId":13}
      """#
    ),
    (
      Explanation(subject: .command([]), command: .stop, isStop: true),
      #"""
      {"command":"000000000000000000","event":"explanation",\#
      "fields":{"lower":0,"pitch":0,"upper":0,"yaw":0},"zones":[]}
      """#
    ),
    (
      TableReport(try! EffectiveConfiguration(from: ConfigurationFiles(main: "/dev/null"))),
      #"""
      {"commands":{"0-0":"105001050012002000","0-1":"106001052012002500",\#
      "0-2":"107001054013003000","0-3":"108001056013003500","1-0":"109001058014004000",\#
      "1-1":"110001060014004500","1-2":"111001062015005000","1-3":"112001064015005500",\#
      "2-0":"113001066016006000","2-1":"114001068016006500","2-2":"115001070017007000",\#
      "2-3":"116001072017007500","3-0":"117001074018008000","3-1":"118001076018008500",\#
      "3-2":"119001078019009000","3-3":"120001080019009500"},"event":"table",\#
      "fallback":"110001060014004500","file":null,"stopCommand":"000000000000000000"}
      """#
    ),
    (
      configuration.report,
      #"""
      {"column":12,"event":"problem","file":"/etc/ballmachine/config.yaml","line":3,\#
      "text":"“yes” is no number"}
      """#
    ),
    (
      YAMLProblem(at: nil, "court.table: no such file").report,
      #"""
      {"event":"problem","text":"court.table: no such file"}
      """#
    ),
    (
      ConfigurationKeyReport(key: BridgeConfiguration.schema.keys[0]),
      #"""
      {"allowed":"system, session or a D-Bus address such as unix:path=/…","default":"system",\#
      "documentation":"The D-Bus on which BlueZ is. Anything but system is for tests.",\#
      "effect":"afterRestart","event":"key","example":"system","key":"machine.bus"}
      """#
    ),
    (
      SendReport(
        t: 9.5,
        time: time,
        command: command.text,
        outcome: OutcomeRecord(.notSent(.linkLost)),
        latency: 0.0015
      ),
      #"""
      {"command":"110001060014004500","event":"manual","latency":0.0015,"outcome":"notSent",\#
      "reason":"the link to the machine was lost before it left","t":9.5,\#
      "time":"2026-11-21T14:00:00.000Z"}
      """#
    ),
    (
      StopReport(stop: StopRecord(outcome: "confirmed", reason: "it has it")),
      #"""
      {"event":"stop","outcome":"confirmed","reason":"it has it"}
      """#
    ),
    (
      ChangeReport(mode: "SIM", record: EventRecord(.safety(countdown), t: 9.5, time: time))!,
      #"""
      {"balls":0,"event":"safety","holds":[],"mode":"SIM","remaining":2.5,"state":"countdown",\#
      "t":9.5,"time":"2026-11-21T14:00:00.000Z"}
      """#
    ),
    (
      SendReport(
        t: 9.5,
        time: time,
        through: "service",
        mode: "REAL",
        number: 1,
        command: command.text,
        outcome: OutcomeRecord(outcome: "queued", reason: nil),
        latency: 0.047
      ),
      #"""
      {"command":"110001060014004500","event":"manual","latency":0.047,"mode":"REAL","number":1,\#
      "outcome":"queued","t":9.5,"through":"service","time":"2026-11-21T14:00:00.000Z"}
      """#
    ),
    (
      ReloadRecord(applied: ["court.apron"], atRestart: []).report,
      #"""
      {"applied":["court.apron"],"atRestart":[],"event":"reload"}
      """#
    ),
    (
      ReloadRecord(applied: [], atRestart: [], changedDrill: "mine").report,
      #"""
      {"applied":[],"atRestart":[],"changedDrill":"mine","event":"reload"}
      """#
    ),
    (
      ReloadRecord(
        applied: ["court.table"],
        atRestart: [],
        training: TrainingRecord(aim: "follow", interval: 5)
      ).report,
      #"""
      {"applied":["court.table"],"atRestart":[],"event":"reload",\#
      "training":{"aim":"follow","interval":5}}
      """#
    ),
    (
      ReloadRefusal(reason: "line 1\nline 2"),
      #"{"event":"reloadRefused","reason":"line 1\nline 2"}"#
    ),
    (
      ServeStart(source: "unix:/run/p.sock", bus: "system", armed: false, interval: 4.7),
      #"""
      {"armed":false,"bus":"system","event":"start","interval":4.7,"source":"unix:/run/p.sock"}
      """#
    ),
    (
      ServeStart(
        source: "-",
        bus: "system",
        armed: false,
        interval: 7,
        drill: "run",
        level: "beginner"
      ),
      #"""
      {"armed":false,"bus":"system","drill":"run","event":"start","interval":7,"level":"beginner",\#
      "source":"-"}
      """#
    ),
    (DroppedReport(count: 3), #"{"count":3,"event":"dropped"}"#),
    (
      BugReportPart(file: "README.txt", bytes: 1, contents: "what"),
      #"""
      {"bytes":1,"contents":"what","event":"part","file":"README.txt"}
      """#
    ),
    (
      BugReportSummary(file: "/tmp/a.tar.gz", parts: 10),
      #"""
      {"event":"bugReport","file":"/tmp/a.tar.gz","parts":10}
      """#
    ),
  ]

  @Test(arguments: reports.indices)
  func oneLine(index: Int) throws {
    let (report, line) = Self.reports[index]
    #expect(try Output.json(report) == line)
    PrintedRecords.add(line)
  }

  @Test func theExampleIsATextOfItsOwn() throws {
    let line = try Output.json(BridgeConfiguration.exampleReport)
    PrintedRecords.add(line)
    let record = try JSONValue(text: Array(line.utf8))
    #expect(
      record["event"]?.string == "example"
        && record["text"]?.string == BridgeConfiguration.exampleFile
    )
  }

  @Test func dryRuns() throws {
    var summary = DryRunSummary(track: Track(positions: [], badLines: []))
    let decision = Decision(
      time: .start,
      due: .start,
      position: Self.position,
      sampleCount: 1,
      zone: Zone(id: 13),
      command: Self.command
    )
    summary.count(decision)
    #expect(
      try Output.json(decision.report) == #"""
        {"command":"110001060014004500","event":"decision","samples":1,"t":0,"x":4.1,"y":-0.25,\#
        "zone":"3-1"}
        """#
    )
    #expect(
      try Output.json(summary) == #"""
        {"badLines":0,"byZone":{"3-1":1},"decisions":1,"event":"dryRun","outOfCourt":0,\#
        "positions":0,"seconds":0}
        """#
    )
  }
}
