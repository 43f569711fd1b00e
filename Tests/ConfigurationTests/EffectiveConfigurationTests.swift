import BlueZ
import Bridge
import Configuration
import CourtLogic
import Foundation
import MachineLink
import Positions
import RunLog
import Safety
import TestSupport
import Testing
import YAML

struct EffectiveConfigurationTests {
  private func problems(_ text: String) throws -> [String] {
    try ConfigurationFolder(text).problems()
  }

  /// Limits are for balls. All zeros throw none, whichever zone has them.
  @Test func whatStopsTheMachineIsNoBallAndHasNoLimits() throws {
    let limits = "limits: {yaw: [1000, 9999]}\n"
    #expect(try problems("machine: {stop-command: \"999990000000000001\"}\n" + limits) == [])
    #expect(
      try problems("court: {fallback: \"000000000000000000\"}") == []
    )
    #expect(
      try problems("machine: {stop-command: \"110001060014004500\"}") == [
        "config.yaml:1:25: machine.stop-command: 110001060014004500 is also the command of"
          + " zone 1-1: stopping would throw a ball"
      ]
    )
    #expect(
      try problems(
        "court: {fallback: \"1\(String(repeating: "0", count: 17))\"}\n"
          + "machine: {stop-command: \"1\(String(repeating: "0", count: 17))\"}"
      ).map { $0.hasSuffix("is also the command of court.fallback: stopping would throw a ball") }
        == [true]
    )
    #expect(
      try problems("machine: {stop-command: \"0\"}") == [
        "config.yaml:1:25: machine.stop-command: “0” is not the 18 digits of a command"
      ]
    )
  }

  /// Files that the configuration names are for balls alone, and may be broken in any way.
  @Test func theMachineToStopIsKnownWithoutTheTableAndTheCalibration() throws {
    let folder = try ConfigurationFolder(
      """
      court: {table: none.csv, calibration: none.yaml}
      machine: {address: "F0:F1:F2:F3:F4:F5"}
      """
    )
    #expect(try folder.problems().count == 2)
    let (machine, problem) = EffectiveConfiguration.machineToStop(from: folder.files) { _ in }
    #expect(machine.address == "F0:F1:F2:F3:F4:F5")
    #expect(problem == nil)
  }

  @Test func aMistakeLeavesTheMachineToStopWhatElseIsSaid() throws {
    let folder = try ConfigurationFolder(
      """
      court: {apron: wide}
      machine: {address: "F0:F1:F2:F3:F4:F5", bus: session}
      """
    )
    let (machine, problem) = EffectiveConfiguration.machineToStop(from: folder.files) {
      $0.bus = "system"
    }
    #expect(machine.address == "F0:F1:F2:F3:F4:F5" && machine.bus == "system")
    #expect(problem?.problems.count == 1)
  }

  @Test(arguments: [
    ("court: {table: table.csv}", "court.table"),
    ("positions: {source: /dev/ttyUSB0}", "positions.source"),
    ("positions: {source: /home/anna/positions}", "positions.source"),
    ("positions: {source: unix:/srv/positions.sock}", "positions.source"),
    ("log: {directory: /srv/logs}", "log.directory"),
    ("log: {directory: /tmp/logs}", "log.directory"),
    ("positions: {source: unix:/run/ballmachine/my.sock}", nil),
    ("positions: {source: /run/detector/positions}", nil),
    ("positions: {source: /homes/positions}", nil),
    ("log: {directory: /var/lib/ballmachine/logs}", nil),
  ])
  func aPathThatTheServiceCantUseIsToldAtItsKey(_ text: String, key: String?) throws {
    let folder = try ConfigurationFolder(text)
    let table = Zone.allCases.map { "\($0),110001060014004500\n" }.joined()
    // In /tmp.
    _ = try folder.directory.write("zone,command\n\(table)", to: "table.csv")
    let warnings = try folder.load().sandboxWarnings.map { "\($0)" }
    #expect(warnings.count == (key == nil ? 0 : 1))
    let text = " \(key ?? ""): the service can't "
    #expect(warnings.allSatisfy { $0.hasPrefix("\(folder.path):1:") && $0.contains(text) })
  }

  @Test func aLevelsCommandStopsNothing() throws {
    let folder = try ConfigurationFolder(
      "court: {table: table.csv}\nmachine: {stop-command: \"999990000000000001\", slew-yaw: 0.2}"
    )
    let plain = Zone.allCases.map { "\($0),,110001060014004500\n" }.joined()
    func write(_ line: String) throws {
      _ = try folder.directory.write("zone,level,command\n\(plain)\(line)\n", to: "table.csv")
    }
    try write("3-0,advanced,120001060014004500")
    let configuration = try folder.load()
    #expect(configuration.table.levels == [.advanced])
    #expect(configuration.values.machine.slew == MachineSlew(yaw: 0.0002))
    try write("3-0,advanced,999990000000000001")
    #expect(
      try folder.problems() == [
        "config.yaml:2:25: machine.stop-command: 999990000000000001 is also the command of"
          + " zone 3-0 advanced: stopping would throw a ball"
      ]
    )
  }

  @Test func anEmptyFileMeansTheDefaults() throws {
    let configuration = try ConfigurationFolder("court:\nsafety:\n").load()
    #expect(configuration.values == BridgeConfiguration())
    #expect(configuration.table == CommandTableFile.builtIn)
    #expect(configuration.fallback == CommandTableFile.builtIn[.fallback])
  }

  @Test func everySectionIsRead() throws {
    let folder = try ConfigurationFolder(
      """
      machine:
        bus: session
        adapter: aa:bb:cc:dd:ee:01
        allow-other-adapter: true
        name: "no"
        service: ffe0
        characteristic: ffe1
        stop-command: "000000000000000001"
      court:
        apron: 2.5
        table: table.csv
        fallback: "110001060014004500"
      limits:
        upper-motor: [5000, 20000]
      safety:
        countdown: 0
        silence-before-countdown: 2.5
        least-net-distance: 1
        ball-limit: 100
        time-limit: null
        stop-on-the-way-out: false
      control:
        reader-group: viewers
      positions:
        source: unix:positions.sock
      log:
        total-size: 20
        position-interval: 0.125
      """
    )
    let csv = Zone.allCases.map { "\($0),110001060014004500\n" }.joined()
    _ = try folder.directory.write(csv, to: "table.csv")
    let configuration = try folder.load()
    let values = configuration.values
    #expect(values.machine.bus == "session" && values.machine.adapter == "AA:BB:CC:DD:EE:01")
    #expect(values.machine.allowsOtherAdapter && !values.machine.allowsPowerCycle)
    #expect(values.machine.stopCommand.text == "000000000000000001")
    #expect(values.machine.name == "no" && values.machine.address == nil)
    #expect(values.machine.service == "ffe0" && values.machine.characteristic == "ffe1")
    #expect(values.court.court.apron == 2.5)
    #expect(values.court.table == folder.directory("table.csv"))
    #expect(configuration.fallback.text == "110001060014004500")
    #expect(configuration.logic.command(for: nil) == configuration.fallback)
    #expect(configuration.logic.table == configuration.table)
    #expect(
      configuration.bridge
        == BridgeSettings(
          .init(
            court: values.court.court,
            table: configuration.table,
            fallback: values.court.fallback
          ),
          levels: [
            .beginner: .seconds(5), .intermediate: .seconds(4), .advanced: .seconds(3),
          ],
          limits: configuration.limits,
          rules: values.safety
        )
    )
    let options = BridgeService.Options(configuration, armsAtStart: false)
    #expect(options.limits == configuration.limits && options.rules == values.safety)
    #expect(options.logic.court == values.court.court && !options.armsAtStart)
    #expect(configuration.table[.fallback][.upper] == 11000)
    #expect(values.limits[.upper] == 5000...20000)
    #expect(values.safety.countdown == .zero)
    #expect(values.safety.silenceBeforeCountdown == .milliseconds(2500))
    #expect(values.safety.leastNetDistance == 1 && values.safety.ballLimit == 100)
    #expect(values.safety.timeLimit == nil && !values.safety.stopsOnTheWayOut)
    #expect(values.control.readerGroup == "viewers")
    #expect(values.positions.source == .socket(folder.directory("positions.sock")))
    #expect(values.log.totalSize == 20_000_000 && values.log.positionInterval == .milliseconds(125))
  }

  /// A longer least interval is the interval, unless the file says otherwise.
  @Test(
    arguments: [
      ("", 3_000), ("safety: {least-interval: 2.95}", 3_000), ("logic: {interval: 2.95}", 2_950),
      ("safety: {least-interval: 5}", 5_000), ("safety: {least-interval: 3600}", 3_600_000),
      ("logic: {interval: 4.7}", 4_700), ("logic: {interval: 60}", 60_000),
      ("logic: {interval: 9}\nsafety: {least-interval: 5}", 9_000),
      ("logic: {interval: 5}\nsafety: {least-interval: 5}", 5_000),
    ]
  )
  func theIntervalIsAtLeastTheLeastOne(text: String, milliseconds: Int) throws {
    let configuration = try ConfigurationFolder(text).load()
    let interval = Duration.milliseconds(milliseconds)
    #expect(configuration.interval == interval)
    #expect(
      configuration.logic.interval == interval
        && configuration.bridge.decisions.interval == interval
    )
  }

  @Test func anIntervalThatIsTooShortIsRefusedAtItsPlace() throws {
    for (value, column) in [
      ("60.001", 19), ("0", 19), ("-3", 19), ("fast", 19), ("[3]", 19), ("null", 19),
      ("3.0001", 19), (".inf", 19),
    ] {
      let found = try problems("logic: {interval: \(value)}")
      #expect(found.count == 1 && found[0].hasPrefix("config.yaml:1:\(column): logic.interval: "))
    }
    #expect(
      try problems("safety:\n  least-interval: 5\nlogic:\n  interval: 4.9\n") == [
        "config.yaml:4:13: logic.interval is less than safety.least-interval"
      ]
    )
    #expect(
      try problems("safety: {least-interval: 5}\nlogic: {interval: 3}") == [
        "config.yaml:2:19: logic.interval is less than safety.least-interval"
      ]
    )
    #expect(
      try problems("logic: {interval: 2.949}") == [
        "config.yaml:1:19: logic.interval is less than safety.least-interval"
      ]
    )
    #expect(
      try problems("safety: {least-interval: 2.9}\nlogic: {interval: 3}") == [
        "config.yaml:1:26: safety.least-interval is less than 2.95 s, the least with"
          + " machine.encoding digits"
      ]
    )
  }

  @Test func edgesOfZonesAreRead() throws {
    let text = "court: {apron: 3, rows: [0, 2.377, 6.394, 8.32, 11.885]}"
    let configuration = try ConfigurationFolder(text).load()
    let court = try Court(apron: 3, rows: [0, 2.377, 6.394, 8.32, 11.885])
    #expect(configuration.values.court.court == court && configuration.logic.court == court)
    let reload = ConfigurationReload(from: try ConfigurationFolder("").load(), to: configuration)
    #expect(
      reload.changes.map { "\($0)" } == [
        "court.apron: 0 → 3", "court.rows: null → [0, 2.377, 6.394, 8.32, 11.885]",
      ]
    )
    #expect(reload.appliesAtOnce && reload.running.bridge.decisions.court == court)
    let back = ConfigurationReload(from: configuration, to: try ConfigurationFolder("").load())
    #expect(back.running.bridge.decisions.court == Court())
    #expect(try problems("court: {rows: null, columns: null}") == [])
  }

  @Test func edgesThatDivideNoCourtAreRefusedAtTheirPlace() throws {
    let list = "is not 5 ascending numbers of metres, the first 0, the last 11.885"
    let metres = "is not a number of metres from 0 to 11.885"
    let many = String(repeating: "1, ", count: 9_999) + "1"
    let mistakes: [(String, String)] = [
      ("rows: [0, 3, 6, 9]", "15: court.rows: a list of 4 \(list)"),
      ("rows: [\(many)]", "15: court.rows: a list of 10000 \(list)"),
      ("rows: []", "15: court.rows: a list of 0 \(list)"),
      ("rows: 3", "15: court.rows: `3` \(list)"),
      ("rows: {0: 1}", "15: court.rows: a mapping \(list)"),
      ("rows: ~", "15: court.rows: `~` \(list)"),
      (
        "columns: [0, 2, 4, 6, 8.2]", "31: court.columns: the last edge is 8.23, the right sideline"
      ),
      ("columns: [1, 2, 4, 6, 8.23]", "19: court.columns: the first edge is 0, the left sideline"),
      ("columns: \"0\"", "18: court.columns: “0” is not 5 ascending numbers"),
      (
        "rows: [0, 6, 3, 9, 11.885]",
        "22: court.rows: 3.0 is not 0.3 m or more beyond the edge before it, 6.0"
      ),
      ("rows: [0, .nan, 6, 9, 11.885]", "19: court.rows: `.nan` \(metres)"),
      ("rows: [0, 3, net, 9, 11.885]", "22: court.rows: `net` \(metres)"),
      ("rows: [0, 3, [6], 9, 11.885]", "22: court.rows: a list \(metres)"),
      ("rows: [0, 3, 6, 9, 1e99]", "28: court.rows: `1e99` \(metres)"),
      ("rows: [0, 3, 6, 9, 12]", "28: court.rows: `12` \(metres)"),
      ("rows: [0, 3, 6.3941, 9, 11.885]", "22: court.rows: `6.3941` \(metres)"),
    ]
    for (text, problem) in mistakes {
      let found = try problems("court: {\(text)}")
      #expect(found.count == 1 && found[0].hasPrefix("config.yaml:1:\(problem)"), "\(found)")
    }
  }

  /// A folder with a table of framed commands, table.csv.
  private func framedFolder(_ text: String) throws -> ConfigurationFolder {
    let folder = try ConfigurationFolder(text)
    let csv = Zone.allCases.map { "\($0),40,40,20,45,50\n" }.joined()
    _ = try folder.directory.write("zone,upper,lower,pitch,yaw,feed\n" + csv, to: "table.csv")
    return folder
  }

  @Test func aFramedMachineHasItsOwnCommands() throws {
    let folder = try framedFolder(
      """
      machine: {encoding: framed, check-byte: xor}
      court: {table: table.csv, fallback: "1,2,3,4,5"}
      safety: {least-interval: 1.95}
      logic: {interval: 2}
      """
    )
    let configuration = try folder.load()
    #expect(configuration.fallback.text == "1,2,3,4,5")
    #expect(configuration.limits.encoding == .framed)
    #expect(configuration.interval == .seconds(2))
    let machine = configuration.values.machine
    #expect(machine.stopCommand == .stop(in: .framed) && machine.isStop(.stop))
    #expect(machine.link.encoding == .framed(.xor))
    #expect(machine.link.stopCommand == .stop(in: .framed))
    #expect(machine.link.timing.commandSpacing == .milliseconds(1950))
    let options = BridgeService.Options(configuration, armsAtStart: false)
    #expect(options.encoding == .framed)
    #expect(options.stopCommand == .stop(in: .framed))
  }

  @Test(arguments: [
    (
      "machine: {encoding: framed}",
      ["1:21: machine.encoding framed needs a table of its own, court.table: the built-in one"]
    ),
    ("machine: {encoding: auto}", ["1:21: machine.encoding: `auto` is not digits or framed"]),
    (
      "court: {table: table.csv}",
      [
        "1:16: court.table: table.csv:1:1: the table is for machine.encoding framed, and it is digits"
      ]
    ),
    (
      "machine: {encoding: framed, stop-command: \"000000000000000001\"}\ncourt: {table: table.csv}",
      ["1:43: machine.stop-command is for the encoding digits"]
    ),
    (
      "machine: {encoding: framed}\ncourt: {table: table.csv, fallback: \"000000000000000001\"}",
      ["2:37: court.fallback: “000000000000000001” is not for this machine"]
    ),
    (
      "court: {fallback: \"1,2,3,4,5\"}",
      ["1:19: court.fallback: “1,2,3,4,5” is not for this machine"]
    ),
    ("limits: {feed: [0, 101]}", ["1:20: limits.feed: `101` is not a whole number from 0 to 100"]),
  ])
  func encodingsAreNotMixed(text: String, expected: [String]) throws {
    let found = try framedFolder(text).problems()
    #expect(found.count == expected.count, "\(found)")
    for (problem, beginning) in zip(found, expected) {
      #expect(problem.replacing("/table.csv", with: "table.csv").contains(beginning), "\(problem)")
    }
  }

  /// The link that runs writes digits: frames must wait for the next one.
  @Test func commandsOfAnotherEncodingWaitForTheRestart() throws {
    let old = try ConfigurationFolder("court: {apron: 1}").load()
    let new = try framedFolder(
      "machine: {encoding: framed}\ncourt: {apron: 3, table: table.csv, fallback: \"1,2,3,4,5\"}"
    ).load()
    let reload = ConfigurationReload(from: old, to: new)
    #expect(reload.waiting == ["machine.encoding", "court.table", "court.fallback"])
    #expect(reload.running.table == old.table && reload.running.fallback == old.fallback)
    #expect(reload.running.limits.encoding == .digits)
    #expect(reload.running.values.court.court.apron == 3)
  }

  /// The machine that is linked keeps its limits and its pace.
  @Test func limitsOfAnotherEncodingWaitForTheRestart() throws {
    let old = try ConfigurationFolder("levels: {advanced: 3.5}").load()
    let new = try framedFolder(
      """
      machine: {encoding: framed}
      court: {table: table.csv, fallback: "1,2,3,4,5"}
      limits: {upper-motor: [0, 100], pitch: [0, 90]}
      safety: {countdown: 5, least-interval: 1.95}
      logic: {interval: 2}
      levels: {advanced: 2}
      """
    ).load()
    let reload = ConfigurationReload(from: old, to: new)
    #expect(reload.running.limits == old.limits && reload.running.interval == old.interval)
    #expect(reload.running.bridge.rules.leastInterval == old.bridge.rules.leastInterval)
    #expect(reload.running.values.levels == old.values.levels)
    #expect(reload.changes.filter { $0.effect == .atOnce }.map(\.path) == ["safety.countdown"])
  }

  @Test func anIntervalIsReloaded() throws {
    let old = try ConfigurationFolder("").load()
    let new = try ConfigurationFolder("logic: {interval: 4.7}").load()
    let reload = ConfigurationReload(from: old, to: new)
    #expect(reload.changes.map { "\($0)" } == ["logic.interval: 3 → 4.7"])
    #expect(
      reload.appliesAtOnce && reload.running.bridge.decisions.interval == .milliseconds(4_700)
    )
  }

  @Test func laterDropInsWinKeyByKey() throws {
    let folder = try ConfigurationFolder("court: {apron: 1}\nmachine: {name: First}\n")
    try FileManager.default.createDirectory(
      atPath: folder.directory("config.d"),
      withIntermediateDirectories: false
    )
    for (name, text) in [
      ("10-site.yaml", "court: {apron: 2}\nsafety: {countdown: 5}\n"),
      ("9-later.yaml", "court: {apron: 3}\n"),
      (".hidden.yaml", "court: {apron: 4}\n"), ("9-later.yaml~", "court: {apron: 5}\n"),
    ] {
      _ = try folder.directory.write(text, to: "config.d/\(name)")
    }
    let configuration = try folder.load()
    #expect(configuration.values.court.court.apron == 3)
    #expect(configuration.values.safety.countdown == .seconds(5))
    #expect(configuration.values.machine.name == "First")
    #expect(
      configuration.files
        == ["config.yaml", "config.d/10-site.yaml", "config.d/9-later.yaml"]
        .map { folder.directory($0) }
    )
    #expect(
      configuration.origins["court.apron"]?.description
        == folder.directory("config.d/9-later.yaml") + ":1:16"
    )
    #expect(configuration.origins["safety.least-interval"] == nil)
  }

  @Test func aDropInCanTakeAValueBack() throws {
    let folder = try ConfigurationFolder("machine: {address: F0:F1:F2:F3:F4:F5}\n")
    try FileManager.default.createDirectory(
      atPath: folder.directory("config.d"),
      withIntermediateDirectories: false
    )
    _ = try folder.directory.write("machine: {address: null}\n", to: "config.d/1.yaml")
    #expect(try folder.load().values.machine.address == nil)
  }

  @Test func whatIsNoDropInIsTold() throws {
    let folder = try ConfigurationFolder("")
    try FileManager.default.createDirectory(
      atPath: folder.directory("config.d"),
      withIntermediateDirectories: false
    )
    mkfifo(folder.directory("config.d/fifo.yaml"), 0o600)
    mkdir(folder.directory("config.d/folder.yaml"), 0o700)
    _ = try folder.directory.write("", to: "config.d/x.yml")
    #expect(
      try folder.problems() == [
        "config.d/fifo.yaml: is not a regular file",
        "config.d/folder.yaml: is not a regular file",
        "config.d/x.yml: is not read: the name of a drop-in must end in .yaml",
      ]
    )
  }

  @Test(arguments: [
    ("court", "fallback", "005001050012002000"), ("machine", "stop-command", "000000000000000000"),
    ("machine", "address", "10:20:30:40:50:59"),
  ])
  func whatYAMLTakesForANumberNeedsQuotes(section: String, key: String, value: String) throws {
    let plain = try ConfigurationFolder("\(section):\n  \(key): \(value)\n")
    #expect(
      try plain.problems() == [
        "config.yaml:2:\(key.count + 5): \(section).\(key): `\(value)` is a number to YAML, and may lose"
          + " digits: write \"\(value)\", in quotes"
      ]
    )
    let quoted = try ConfigurationFolder("\(section):\n  \(key): \"\(value)\"\n")
    #expect(try quoted.problems() == [])
  }

  /// `YAMLSchemaTests` has what all files share.
  @Test(arguments: [
    ("- court", "1:1: is not a configuration: begin with a section such as court:"),
    ("nonsense: 1", "1:1: there is no section `nonsense`; there are machine, court, "),
    ("positions: {what: 1}", "1:13: there is no key `what` in positions; there are source, units,"),
    ("court: {apron: 51}", "1:16: court.apron: `51` is not a number of metres from 0 to 50"),
    ("court: {fallback: 1-4}", "1:19: court.fallback: `1-4` is not a zone such as 1-1, the 18"),
    ("machine: {address: F0:F1}", "1:20: machine.address: `F0:F1` is not a Bluetooth address such"),
    ("limits: {upper-motor: [0, 100000]}", "1:27: limits.upper-motor: `100000` is not a whole"),
    (
      "control: {operator-group: \(String(repeating: "x", count: 33))}",
      "1:27: control.operator-group: `\(String(repeating: "x", count: 33))` is not the name"
    ),
    (
      "machine: {adapter: usb0}",
      "1:20: machine.adapter: `usb0` is not an adapter's address such as AA:BB:CC:DD:EE:01, or its"
        + " name such as hci1"
    ),
    (
      "positions: {source: \"tcp:5000\"}",
      "1:21: positions.source: “tcp:5000” is not a path, or unix:PATH for a socket: there is no"
        + " network here: positions from another machine come through ssh and socat"
    ),
    ("log: {enabled: yes}", "1:16: log.enabled: `yes` is not true or false"),
  ])
  func keysHaveTheirKinds(_ text: String, _ wanted: String) throws {
    let found = try problems(text)
    #expect(found.count == 1 && found[0].hasPrefix("config.yaml:" + wanted), "\(found)")
  }

  @Test(arguments: [
    ("machine:\n  service: ffe0", "2:12: machine.service and machine.characteristic go together"),
    (
      "safety:\n  silence-before-countdown: 90",
      "2:29: safety.silence-before-disarming is less than"
    ),
    (
      "limits: {yaw: [0, 100]}\ncourt:\n  fallback: \"110001060014004500\"",
      "3:13: court.fallback: yaw 4500 is outside this machine's limits, 0 to 100"
    ),
    (
      "limits:\n  pitch: [0, 100]",
      "2:10: court.table: the built-in table:2:5: zone 0-0: pitch"
    ),
    ("court: {table: nowhere.csv}", "1:16: court.table: can't open nowhere.csv: No such file"),
  ])
  func whatMustGoTogetherIsCheckedTogether(_ text: String, _ wanted: String) throws {
    let told = try problems(text)
    #expect(told.contains { $0.hasPrefix("config.yaml:\(wanted)") }, "\(told)")
  }

  @Test func aTableOfTheConfigurationIsCheckedAtItsPlace() throws {
    let folder = try ConfigurationFolder("court: {table: table.csv}")
    _ = try folder.directory.write("zone,command\n9-9,1\n", to: "table.csv")
    #expect(
      try folder.problems() == [
        "config.yaml:1:16: court.table: table.csv:2:1: “9-9” is not a zone:"
          + " write row-column, each 0 to 3, such as 1-1"
      ]
    )
  }

  @Test func aTableOfTheCommandLineIsItsOwnError() throws {
    let folder = try ConfigurationFolder("")
    #expect(throws: CommandTableFileError.self) {
      try folder.load { $0.court.table = "/proc/none" }
    }
  }

  @Test func theCommandLineMendsNoFile() throws {
    let folder = try ConfigurationFolder("court: {apron: 99}")
    #expect(throws: ConfigurationError.self) {
      try folder.load { $0.court.apron = 0 }
    }
  }

  @Test func theCommandLineIsAnOrigin() throws {
    let configuration = try ConfigurationFolder("court: {apron: 1}\nlog: {enabled: true}\n").load {
      $0.court.apron = 2
    }
    #expect(configuration.values.court.court.apron == 2)
    #expect(configuration.origins["court.apron"] == .commandLine)
    #expect(configuration.origins["log.enabled"]?.place?.mark.line == 2)
  }
}

/// From settings to the link's own words.
struct MachineSettingsTests {
  /// Elsewhere nobody has said how it would be started.
  @Test(arguments: [("system", true), ("session", false), ("unix:path=/run/other", false)])
  func bluetoothdMayBeStartedOnlyOnTheSystemBus(bus: String, may: Bool) {
    var settings = MachineSettings()
    settings.bus = bus
    #expect(settings.link.startsService == may)
  }

  @Test func everySettingReachesTheLink() {
    var settings = MachineSettings()
    #expect(settings.link == LinkConfiguration(startsService: true))
    settings.adapter = "AA:BB:CC:DD:EE:01"
    settings.allowsOtherAdapter = true
    settings.allowsPowerCycle = true
    settings.address = "F0:F1:F2:F3:F4:F5"
    settings.name = "Machine"
    settings.service = "ffe0"
    settings.characteristic = "ffe1"
    let link = settings.link
    #expect(link.adapter?.description == "AA:BB:CC:DD:EE:01" && link.name == "Machine")
    #expect(link.address?.description == "F0:F1:F2:F3:F4:F5")
    #expect(link.allowsOtherAdapter && link.allowsPowerCycle)
    #expect(link.customProfiles.map(\.name) == ["configured"])
  }
}

/// Which files there are, and whether they may be read.
struct ConfigurationFilesTests {
  @Test func aGivenFileComesFirstThenTheEnvironmentThenTheStandardOne() {
    let given = ConfigurationFiles(main: "/a.yaml", variable: { _ in "/b.yaml" })
    #expect(given.main == "/a.yaml" && given.isRequired && given.dropIns == "/a.d")
    let environment = ConfigurationFiles(variable: { $0 == "BALLMACHINE_CONFIG" ? "/b" : nil })
    #expect(environment.main == "/b" && environment.isRequired && environment.dropIns == "/b.d")
    let standard = ConfigurationFiles(variable: { _ in nil })
    #expect(standard.main == "/etc/ballmachine/config.yaml" && !standard.isRequired)
    #expect(standard.dropIns == "/etc/ballmachine/config.d")
  }

  @Test func onlyAFileThatSomebodyNamedMustExist() throws {
    let folder = try ConfigurationFolder()
    let standard = ConfigurationFiles(variable: { _ in nil }, standard: folder.path)
    let configuration = try EffectiveConfiguration(from: standard)
    #expect(configuration.values == BridgeConfiguration() && configuration.files.isEmpty)
    #expect(try folder.problems() == ["can't open config.yaml: No such file or directory"])
  }

  @Test func dropInsNeedNoMainFile() throws {
    let folder = try ConfigurationFolder()
    mkdir(folder.directory("config.d"), 0o700)
    _ = try folder.directory.write("court: {apron: 3}", to: "config.d/a.yaml")
    let standard = ConfigurationFiles(variable: { _ in nil }, standard: folder.path)
    #expect(try EffectiveConfiguration(from: standard).values.court.court.apron == 3)
  }

  @Test func otherFilesAreRecognised() throws {
    let zeros = ConfigurationFiles(main: "/dev/zero")
    #expect {
      try EffectiveConfiguration(from: zeros)
    } throws: {
      "\($0)" == "can't read /dev/zero: it is not a regular file"
    }
    let directory = ConfigurationFiles(main: "/")
    #expect {
      try EffectiveConfiguration(from: directory)
    } throws: {
      "\($0)" == "can't read /: Is a directory"
    }
    #expect(
      try EffectiveConfiguration(from: ConfigurationFiles(main: "/dev/null")).files.count == 1
    )
  }

  /// A valid file with bytes changed, dropped and doubled: it is read or refused, at a place in it.
  @Test(arguments: seeds())
  func noFileUpsetsTheLoader(seed: UInt64) throws {
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let example = BridgeConfiguration.schema.sections.map { section in
      "\(section.name):\n" + section.keys.map { "  \($0.name): \($0.example)\n" }.joined()
    }.joined()
    let folder = try ConfigurationFolder()
    for _ in 0..<200 {
      var bytes = Array(example.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = bytes.indices.randomElement(using: &generator)!
        switch Int.random(in: 0...2, using: &generator) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: index)
        default: bytes.insert(contentsOf: bytes[index...].prefix(20), at: index)
        }
      }
      try Data(bytes).write(to: URL(fileURLWithPath: folder.path))
      let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
      do { _ = try folder.load() } catch let error as ConfigurationError {
        #expect(!error.problems.isEmpty)
        #expect(error.problems.allSatisfy { ($0.mark?.line ?? 1) <= lines })
      }
    }
  }
}
