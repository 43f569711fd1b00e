import ControlProtocol
import CourtLogic
import Foundation
import Glibc
import Programs
import TestSupport
import Testing

@testable import Configuration
@testable import Doctor
@testable import Host
@testable import MachineLink
@testable import RunLog

/// What facts about the box and its service mean.
struct BoxFindingTests {
  private func text(_ finding: Finding) -> String {
    "\(finding.verdict) \(finding.code): \(finding.text)"
      + (finding.remedy.map { " → \($0)" } ?? "")
  }

  // MARK: The configuration and its table

  private func findings(_ folder: ConfigurationFolder) throws -> [String] {
    let findings: [Finding]
    do { findings = Finding.findings(on: .success(try folder.load())) } catch let error
      as ConfigurationError
    { findings = Finding.findings(on: .failure(error)) }
    return findings.map { text($0).replacing(folder.directory.path + "/", with: "") }
  }

  @Test func aValidConfigurationIsNamed() throws {
    #expect(
      try findings(ConfigurationFolder("court:\n  apron: 3\n")) == [
        "ok config.valid: config.yaml is valid",
        "ok table.valid: the command table that is built in: valid",
      ]
    )
    let folder = try TemporaryDirectory()
    let none = ConfigurationFiles(main: nil, variable: { _ in nil }, standard: folder("none.yaml"))
    let defaults = Finding.findings(on: .success(try EffectiveConfiguration(from: none)))
    #expect(
      text(defaults[0])
        == "ok config.valid: no configuration file, but the defaults, which are valid"
    )
  }

  @Test func eachMistakeIsAProblemWithItsPlace() throws {
    let folder = try ConfigurationFolder("court:\n  apron: far\n  colour: red\n")
    let found = try findings(folder)
    #expect(found.count == 2)
    #expect(found.allSatisfy { $0.hasPrefix("problem config.invalid: config.yaml:") }, "\(found)")
    #expect(found[0].contains("config.yaml:2:10: court.apron: "))
    #expect(found[1].contains("config.yaml:3:3: "))
    #expect(found[0].hasSuffix(" → correct it, then check it with `ballmachine check-config`"))
  }

  @Test func aBadTableIsTheTablesProblem() throws {
    let folder = try ConfigurationFolder("court:\n  table: table.csv\n")
    _ = try folder.directory.write("zone,command\n0-0,12\n", to: "table.csv")
    let found = try findings(folder)
    #expect(!found.isEmpty)
    #expect(
      found.allSatisfy { $0.hasPrefix("problem table.invalid: config.yaml:2:10: ") },
      "\(found)"
    )
    #expect(found[0].contains("table.csv:2:5: "))
  }

  // MARK: bluetoothd's supervision

  @Test func whetherBluetoothdComesBackIsTold() {
    let cases: [(SystemdUnit?, String)] = [
      (nil, "note bluetoothd.unsupervised"),
      (SystemdUnit(load: "not-found"), "note bluetoothd.unsupervised"),
      (SystemdUnit(restart: "no"), "note bluetoothd.stays-down"),
      (SystemdUnit(restart: "on-success"), "note bluetoothd.stays-down"),
      (SystemdUnit(restart: "on-failure"), "ok bluetoothd.restarts"),
      (SystemdUnit(restart: "always"), "ok bluetoothd.restarts"),
    ]
    for (unit, expected) in cases {
      #expect(text(.supervision(of: unit)).hasPrefix(expected + ": "))
    }
  }

  // MARK: The service

  private func service(_ answer: ServiceAnswer, _ unit: SystemdUnit? = SystemdUnit()) -> String {
    text(ServiceDiagnosis(unit: unit, answer: answer, version: "1.0").finding)
  }

  @Test func aServiceThatAnswersTellsItsState() {
    let state = ServiceAnswer.State(
      hello: HelloRecord(version: "1.0", role: .operator, mode: "REAL"),
      arming: "disarmed",
      link: LinkRecord(state: "ready")
    )
    #expect(
      service(.state(state))
        == "ok service.runs: the service runs: REAL, disarmed, link ready, this user is operator"
    )
    var other = state
    other.hello.version = "0.9"
    #expect(service(.state(other)).hasPrefix("note service.other-version: "))
    var refusing = state
    refusing.link?.reason = "the machine did not take the last 3 commands"
    refusing.link?.remedy = "pair it"
    #expect(
      service(.state(refusing)) == "problem service.commands-refused: the service runs: REAL, "
        + "disarmed, link ready, this user is operator; the machine did not take the last 3 commands"
        + " → pair it"
    )
    other = ServiceAnswer.State(hello: HelloRecord(version: "1.0", role: .none, mode: nil))
    #expect(service(.state(other)) == "ok service.runs: the service runs: this user has no role")
  }

  @Test func aFramedMachinesAnswersAreFindings() {
    func findings(_ change: (inout LinkRecord.Notifications) -> Void) -> [String] {
      var notifications = LinkRecord.Notifications()
      change(&notifications)
      var link = LinkRecord(state: "ready")
      link.notifications = notifications
      let hello = HelloRecord(version: "1.0", role: .reader, mode: nil)
      let state = ServiceAnswer.State(hello: hello, link: link)
      return ServiceDiagnosis(unit: nil, answer: .state(state), version: "1.0").answerFindings
        .map { text($0) }
    }
    #expect(findings { _ in } == [])
    #expect(findings { $0.on = true } == ["ok answers.heard: the machine's answers come in"])
    #expect(
      findings {
        $0.on = false
        $0.reason = "refused"
      } == [
        "problem answers.unheard: the machine's answers don't come in: refused; a stop is never"
          + " confirmed → switch the machine off and on; if this persists, look whether it is a"
          + " framed one"
      ]
    )
    #expect(
      findings {
        $0.on = true
        $0.otherCheckByte = 3
        $0.late = 1
        $0.wrongCheckByte = 2
      } == [
        "problem answers.other-check-byte: the machine answers with the check byte that is not"
          + " configured (3 times) → set machine.check-byte to the other one, modbus or xor, and"
          + " restart the service",
        "note answers.odd: odd answers of the machine: 1 late, 2 with a wrong check byte → they"
          + " count for no command; look at the machine's firmware if they keep coming",
      ]
    )
  }

  @Test func aServiceThatIsNotThereIsExplained() {
    let cases: [(SystemdUnit?, String)] = [
      (nil, "note service.not-installed: no service runs, and systemd does not answer"),
      (
        SystemdUnit(load: "not-found"),
        "note service.not-installed: no service runs, and none is installed"
      ),
      (
        SystemdUnit(active: "failed", result: "exit-code", restarts: 3),
        "problem service.failed: the service fails (exit-code, restarted 3 times)"
      ),
      (SystemdUnit(active: "activating", sub: "auto-restart"), "problem service.failed: "),
      (
        SystemdUnit(active: "activating", sub: "start-pre", restarts: 2),
        "problem service.failed: the service fails (ends at once, restarted 2 times)"
      ),
      (SystemdUnit(active: "activating", sub: "start"), "problem service.silent: "),
      (
        SystemdUnit(), "problem service.silent: systemd says that the service is active, but no"
      ),
      (SystemdUnit(active: "inactive"), "note service.stopped: "),
      (SystemdUnit(active: "inactive", file: "disabled"), "note service.disabled: "),
      (
        SystemdUnit(load: "masked", active: "inactive", file: "masked"),
        "note service.disabled: the service is masked"
      ),
      (
        SystemdUnit(load: "bad-setting", active: "inactive"),
        "problem service.failed: systemd can't use the service's unit (bad-setting)"
      ),
      (
        SystemdUnit(active: "deactivating", sub: "stop-post", result: "signal"),
        "note service.stopped: the service is stopping"
      ),
    ]
    for (unit, expected) in cases {
      let found = service(.noListener("/run/ballmachine/control.sock"), unit)
      #expect(found.hasPrefix(expected), "\(found)")
    }
  }

  @Test func aServiceThatDoesNotAnswerIsAProblem() {
    #expect(service(.failed("it is mute")).hasPrefix("problem service.silent: it is mute"))
    #expect(service(.refused("/x")).hasPrefix("note service.refused: "))
  }

  /// A real server, asked through its socket.
  @Test(.mustEnd) func aServiceIsAsked() async throws {
    let setup = try ServerSetup()
    #expect(await ServiceAnswer(in: setup.directory) == .noListener(setup.controlPath))
    try await setup.run {
      let answer = await ServiceAnswer(in: setup.directory)
      guard case .state(let state) = answer else {
        Issue.record("\(answer)")
        return
      }
      #expect(state.hello.version == "1.2.3" && state.hello.role == .technician)
      #expect(state.arming != nil && state.link != nil)
      let view = RuntimeView(
        of: setup.directory,
        names: ["control.sock", "stop.sock", "none.sock"]
      )
      #expect(view.files.keys.sorted() == ["control.sock", "stop.sock"])
      #expect(
        view.findings(expecting: [("control.sock", 0o666), ("stop.sock", 0o666)]).map(\.code)
          == ["sockets.present"]
      )
    }
  }

  // MARK: Stop commands that are owed

  private static let owing = "F0:F1:F2:F3:F4:F5"
  private static let debt = StopDebt(
    address: owing,
    isSimulated: false,
    since: WallTime(secondsSince1970: 1_795_269_600)
  )
  private static let owed =
    "stop.owed: a stop command is owed to F0:F1:F2:F3:F4:F5 (REAL) since 2026-11-21T14:00:00Z"

  private static func answer(
    arming: String?,
    link phase: String = "ready",
    to machine: String = owing,
    mode: String = "REAL",
    holds: [String] = []
  ) -> ServiceAnswer {
    var state = ServiceAnswer.State(
      hello: HelloRecord(version: "1.0", role: .reader, mode: mode),
      arming: arming
    )
    if arming != nil {
      state.link = LinkRecord(state: phase)
      state.link?.machine = machine
    }
    state.holds = holds
    return .state(state)
  }

  @Test func aStopThatIsOwedIsAProblemWhileNothingDrivesTheMachine() throws {
    let debts = [Self.debt, StopDebt(address: nil, isSimulated: true, since: Self.debt.since)]
    for answer in [nil, ServiceAnswer.noListener("x")] {
      #expect(
        Finding.stopsOwed(debts, answer: answer).map(text) == [
          "problem \(Self.owed) → switch the machine on near the box, and run"
            + " `ballmachine safe-stop`",
          "problem stop.owed: a stop command is owed to the machine (SIM) since"
            + " 2026-11-21T14:00:00Z → switch the machine on near the box, and run"
            + " `ballmachine safe-stop`",
        ]
      )
    }
    #expect(Finding.stopsOwed([], answer: nil).isEmpty)
    let driven = Finding.stopsOwed([Self.debt], answer: nil, holder: 812)
    #expect(driven.map(\.verdict) == [.ok] && driven[0].remedy == nil)
  }

  /// A session owes its stop from its first ball on.
  @Test(
    arguments: [
      ("countdown", []), ("live", []), ("resting", []), ("paused", []), ("pending", []),
      ("disarmed", ["stopOwed", "lastBall"]),
    ] as [(String, [String])]
  )
  func theStopOfASessionThatGoesOnIsNoFinding(arming: String, holds: [String]) {
    let findings = Finding.stopsOwed(
      [Self.debt],
      answer: Self.answer(arming: arming, holds: holds)
    )
    #expect(findings.map(\.verdict) == [.ok] && findings[0].remedy == nil)
  }

  @Test(
    arguments: [
      (answer(arming: "paused", link: "discovering"), "the service sends it first"),
      (answer(arming: "live", to: "F0:F1:F2:F3:F4:00"), "the service sends it first"),
      (answer(arming: "live", mode: "SIM"), "the service sends it first"),
      (answer(arming: "stopped"), "look whether it has stopped"),
      (answer(arming: "disarmed", holds: ["stopOwed"]), "look whether it has stopped"),
      (.refused("x"), "the service sends it first"), (.failed("x"), "the service sends it first"),
      (answer(arming: nil), nil),
    ] as [(ServiceAnswer, String?)]
  )
  func aStopThatWasNotAcknowledgedStaysAFinding(answer: ServiceAnswer, remedy: String?) {
    let findings = Finding.stopsOwed([Self.debt], answer: answer)
    #expect(findings.map(\.verdict) == [.note] && text(findings[0]).hasPrefix("note \(Self.owed)"))
    #expect((findings[0].remedy == nil) == (remedy == nil))
    if let remedy { #expect(findings[0].remedy?.contains(remedy) == true) }
  }

  @Test func whereTheServicesFolderIsClosedThatIsSaid() throws {
    let folder = try StateDirectory(variable: { _ in nil }, userID: 0)
    #expect(
      text(Finding.stopsUnknown(in: folder))
        == "note stop.unknown: whether a stop command is owed is not known: this user may not read"
        + " /var/lib/ballmachine → run it as root"
    )
  }

  // MARK: Sockets, groups, disk

  private static let expected: [(name: String, mode: UInt32)] = [
    ("a.sock", 0o666), ("b.sock", 0o660),
  ]

  private func sockets(
    _ mode: UInt32?,
    _ files: [String: UInt32?],
    weakness: String? = nil
  ) -> [String] {
    RuntimeView(path: "/run/x", mode: mode, files: files, weakness: weakness)
      .findings(expecting: Self.expected).map { "\($0.verdict) \($0.code)" }
  }

  @Test func socketsMustBeThereForThoseWhoNeedThem() {
    #expect(sockets(0o755, ["a.sock": 0o666, "b.sock": 0o660]) == ["ok sockets.present"])
    #expect(sockets(nil, [:]) == ["problem sockets.missing"])
    #expect(sockets(0o755, ["a.sock": 0o666]) == ["problem sockets.missing"])
    #expect(sockets(0o755, ["a.sock": nil, "b.sock": 0o666]) == ["problem sockets.missing"])
    #expect(sockets(0o755, ["a.sock": 0o660, "b.sock": 0o666]) == ["note sockets.closed"])
    // `serve --positions -` has none.
    let elsewhere = RuntimeView(path: "/run/x", mode: 0o755, files: [:])
      .findings(expecting: [("positions.sock", 0o660)])
    #expect(elsewhere.map(\.verdict) == [.ok])
    let weak = sockets(0o755, ["a.sock": 0o666, "b.sock": 0o660], weakness: "others may write")
    #expect(weak == ["problem sockets.unsafe"])
  }

  @Test(arguments: [
    (mode_t(0o777), "problem sockets.unsafe"), (0o1777, "ok sockets.present"),
    (0o700, "ok sockets.present"),
  ])
  func whereOthersMayPutSocketsIsAProblem(_ mode: mode_t, _ expected: String) throws {
    let folder = try TemporaryDirectory()
    let directory = try RuntimeDirectory(at: folder.path)
    _ = chmod(folder.path, mode)
    let findings = RuntimeView(of: directory, names: []).findings(expecting: [])
    #expect(findings.map { "\($0.verdict) \($0.code)" } == [expected])
    #expect(findings[0].text.hasSuffix("even to stop") == (mode == 0o700))
  }

  @Test func aMissingGroupIsNamed() {
    let settings = ControlSettings()
    #expect(Finding.groups(of: settings) { _ in true }.code == "groups.present")
    let missing = Finding.groups(of: settings) { $0 != "ballmachine-operator" }
    #expect(missing.verdict == .note && missing.code == "groups.missing")
    #expect(missing.text.hasSuffix(": ballmachine-operator"))
    #expect(missing.remedy?.contains("addgroup --system ballmachine-operator") == true)
  }

  @Test func theLogsNeedRoomUpToTheirBound() {
    let cases: [(free: UInt64, used: UInt64, code: Finding.Code)] = [
      (600_000_000, 0, .diskEnough), (400_000_000, 0, .diskLow),
      // What the logs have already, they need no more.
      (400_000_000, 200_000_000, .diskEnough), (90_000_000, 600_000_000, .diskLow),
    ]
    for (free, used, code) in cases {
      let view = DiskView(path: "/x", free: free, used: used)
      #expect(view.finding(within: LogSettings()).code == code.rawValue)
    }
  }

  @Test func aReadOnlyFileSystemIsAProblemHoweverMuchIsFree() {
    let view = DiskView(path: "/x", free: 600_000_000, isReadOnly: true)
    #expect(view.finding(within: LogSettings()).code == "disk.read-only")
    #expect(view.finding(within: LogSettings()).verdict == .problem)
  }

  /// The mount of a sandbox, a card that failed before the start and one that failed under Linux 6.15.
  @Test(
    arguments: [
      ("8:1", false), ("8:2", true), ("179:2", true), ("8:9", false),
    ]
  ) func onlyTheFileSystemItselfIsReadOnly(device: String, isReadOnly: Bool) {
    let table = """
      36 35 8:1 / / ro,relatime shared:1 - ext4 /dev/sda1 rw,errors=remount-ro
      37 35 8:2 / /var rw,relatime - ext4 /dev/sda2 ro,errors=remount-ro
      38 35 179:2 / /card rw,noatime - ext4 /dev/mmcblk0p2 rw,emergency_ro,errors=remount-ro

      """
    #expect(DiskView.isReadOnly(device: device, in: table) == isReadOnly)
  }

  /// As `stat` prints them.
  @Test(arguments: [(0x801, "8:1"), (0xB302, "179:2"), (0x1234_5678_9AB, "1929:305419947")])
  func aDeviceHasTwoNumbers(device: UInt, numbers: String) {
    #expect(DiskView.numbers(device) == numbers)
  }

  @Test func roomIsSoughtWhereTheLogsWillBe() throws {
    let folder = try TemporaryDirectory()
    let view = DiskView(of: folder("not/yet/there"))
    #expect(view.free != nil && view.used == 0 && !view.isReadOnly)
    _ = try folder.write("12345", to: "000001-20261121T165737Z-001.ndjson")
    _ = try folder.write("12345", to: "something.else")
    #expect(DiskView(of: folder.path).used == 5)
    #expect(DiskView(path: "/x", free: nil).finding(within: LogSettings()).code == "disk.unknown")
  }
}
