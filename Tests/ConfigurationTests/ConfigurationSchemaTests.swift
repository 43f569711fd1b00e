import Configuration
import CourtLogic
import Glibc
import Host
import Safety
import TestSupport
import Testing
import YAML

struct ConfigurationSchemaTests {
  @Test func everyKeyHasItsOwnPathAndWords() {
    let paths = BridgeConfiguration.schema.keys.map(\.path)
    #expect(Set(paths).count == paths.count)
    for key in BridgeConfiguration.schema.keys {
      #expect(key.name.allSatisfy { ($0.isLetter && $0.isLowercase) || $0 == "-" })
      #expect(key.documentation.hasSuffix(".") && !key.allowed.isEmpty)
      #expect(key.example != "null", "\(key.path) needs an example")
      #expect(BridgeConfiguration.schema.key(key.path)?.path == key.path)
    }
  }

  /// A key that reads one property and writes another would show here.
  @Test(arguments: BridgeConfiguration.schema.keys.map(\.path))
  func aValueIsReadAsItWasWritten(_ path: String) throws {
    let key = try #require(BridgeConfiguration.schema.key(path))
    let others = ["machine.service": "machine.characteristic"]
    var text = "\(key.section):\n  \(key.name): \(key.example)\n"
    for (one, other) in others where [one, other].contains(path) {
      let partner = try #require(BridgeConfiguration.schema.key(path == one ? other : one))
      text += "  \(partner.name): \(partner.example)\n"
    }
    let folder = try ConfigurationFolder(text)
    if path == "court.table" {
      let csv = Zone.allCases.map { "\($0),110001060014004500\n" }.joined()
      _ = try folder.directory.write(csv, to: "table.csv")
    }
    _ = try folder.directory.write(SampleCalibration.file, to: "court.yaml")
    let values = try folder.load().values
    let written = key.yaml(values)
    // The path of a file is no longer relative.
    let isPath = ["court.table", "court.calibration"].contains(path)
    #expect(isPath ? written.hasSuffix("/\(key.example)") : written == key.example)
    #expect(key.example == key.defaultValue || values != BridgeConfiguration())
    let again = try ConfigurationFolder(
      text.replacing(": \(key.example)\n", with: ": \(written)\n", maxReplacements: 1)
    )
    #expect(try again.load().values == values)
    withExtendedLifetime(folder) {}

    var copied = BridgeConfiguration()
    key.copy(values, &copied)
    #expect(key.yaml(copied) == written)
  }

  /// Nothing that a person sets is out of a file's reach.
  @Test func everySettingHasAKey() {
    func leaves(_ value: Any, _ depth: Int) -> Int {
      let mirror = Mirror(reflecting: value)
      if mirror.displayStyle == .dictionary { return mirror.children.count }
      guard depth > 0, mirror.displayStyle == .struct else { return 1 }
      return mirror.children.map { leaves($0.value, depth - 1) }.reduce(0, +)
    }
    #expect(leaves(BridgeConfiguration(), 2) == BridgeConfiguration.schema.keys.count)
  }
}

struct ConfigurationReloadTests {
  private func configuration(_ text: String) throws -> EffectiveConfiguration {
    try ConfigurationFolder(text).load()
  }

  /// The stop command stays until a restart: the new commands must not throw a ball with it.
  @Test func theOldStopCommandIsNoNewBall() throws {
    let digits = "999990000000000001"
    let old = try configuration("machine: {stop-command: \"\(digits)\"}")
    let new = try configuration("court: {fallback: \"\(digits)\"}")
    let problem = try #require(ConfigurationReload(from: old, to: new).problem)
    #expect("\(problem)".contains("\(digits) is also the command of court.fallback"))
    #expect(ConfigurationReload(from: new, to: new).problem == nil)
  }

  @Test func nothingNewIsNoChange() throws {
    let old = try configuration("court: {apron: 1}")
    let reload = ConfigurationReload(from: old, to: try configuration("# moved\ncourt: {apron: 1}"))
    #expect(reload.changes.isEmpty && !reload.appliesAtOnce && reload.waiting.isEmpty)
    #expect(reload.running.values == old.values)
  }

  private static let safe = "safety: {ball-limit: 10}\n"

  /// An editor empties a file before it writes it, and the defaults let more balls fly.
  @Test(
    arguments: [
      ("", ["config.yaml has nothing but blanks"]),
      (" \t\r\n\n", ["config.yaml has nothing but blanks"]),
      ("\u{FEFF}\n", ["config.yaml has nothing but blanks"]),
      ("\u{A0}\u{85}\u{2028}", ["config.yaml has nothing but blanks"]),
      (nil, ["config.yaml is gone"]),
      // A person has written these.
      ("# safety: {ball-limit: 10}\n", []), ("safety:\n", []), ("court: {apron: 1}", []),
    ] as [(String?, [String])]
  )
  func anEmptiedFileIsToldApartFromOthers(now: String?, emptied: [String]) throws {
    let folder = try ConfigurationFolder(Self.safe)
    // As the standard file, which may be missing.
    let files = ConfigurationFiles(variable: { _ in nil }, standard: folder.path)
    let old = try EffectiveConfiguration(from: files)
    if let now {
      _ = try folder.directory.write(now, to: "config.yaml")
    } else {
      #expect(unlink(folder.path) == 0)
    }
    let new = try EffectiveConfiguration(from: files)
    let place = folder.directory.path + "/"
    let reload = ConfigurationReload(from: old, to: new)
    #expect(reload.emptied == emptied.map { place + $0 })
    // Once it is in force, nothing is lost any more.
    #expect(ConfigurationReload(from: reload.running, to: new).emptied == [])
    // At the start there was nothing to lose, but it is said.
    #expect(new.blankWarnings.count == (emptied.isEmpty || now == nil ? 0 : 1))
  }

  @Test func aDropInMayBeRemovedButNotEmptied() throws {
    let folder = try ConfigurationFolder("court: {apron: 1}")
    #expect(mkdir(folder.directory("config.d"), 0o755) == 0)
    let dropIn = try folder.directory.write(Self.safe, to: "config.d/10-safe.yaml")
    let old = try folder.load()
    _ = try folder.directory.write("\n", to: "config.d/10-safe.yaml")
    _ = try folder.directory.write("", to: "config.d/20-new.yaml")
    let emptied = ConfigurationReload(from: old, to: try folder.load()).emptied
    #expect(emptied == ["\(dropIn) has nothing but blanks"])
    #expect(unlink(dropIn) == 0)
    #expect(ConfigurationReload(from: old, to: try folder.load()).emptied == [])
  }

  /// Without a main file, too: a folder that is no longer mounted.
  @Test func theLastDropInIsNotLostUnseen() throws {
    let folder = try ConfigurationFolder()
    #expect(mkdir(folder.directory("config.d"), 0o755) == 0)
    let dropIn = try folder.directory.write(Self.safe, to: "config.d/10-safe.yaml")
    let files = ConfigurationFiles(variable: { _ in nil }, standard: folder.path)
    let old = try EffectiveConfiguration(from: files)
    #expect(unlink(dropIn) == 0)
    let reload = ConfigurationReload(from: old, to: try EffectiveConfiguration(from: files))
    #expect(reload.emptied == ["\(dropIn) is gone"])
  }

  @Test func someKeysCountAtOnceAndOthersWaitForARestart() throws {
    let old = try configuration("court: {apron: 1}\nmachine: {name: Old}")
    let new = try configuration(
      "court: {apron: 3}\nmachine: {name: New}\nsafety: {ball-limit: 10}\nlog: {enabled: false}"
    )
    let reload = ConfigurationReload(from: old, to: new)
    #expect(
      reload.changes.map(\.description) == [
        "machine.name: Old → New, after a restart", "court.apron: 1 → 3",
        "safety.ball-limit: null → 10", "log.enabled: true → false, after a restart",
      ]
    )
    #expect(reload.appliesAtOnce && reload.waiting == ["machine.name", "log.enabled"])
    #expect(reload.running.values.court.court.apron == 3)
    #expect(reload.running.values.safety.ballLimit == 10)
    #expect(reload.running.values.machine.name == "Old" && reload.running.values.logsRuns)
    // What waits is told again the next time.
    let again = ConfigurationReload(from: reload.running, to: new)
    #expect(again.waiting == ["machine.name", "log.enabled"] && !again.appliesAtOnce)
  }

  @Test func otherCommandsInTheSameTableAreAChange() throws {
    let folder = try ConfigurationFolder("court: {table: table.csv}")
    func write(_ digits: String) throws {
      let csv = Zone.allCases.map { "\($0),\(digits)\n" }.joined()
      _ = try folder.directory.write(csv, to: "table.csv")
    }
    try write("110001060014004500")
    let old = try folder.load()
    try write("110001060014004501")
    let reload = ConfigurationReload(from: old, to: try folder.load())
    #expect(reload.changes.map(\.path) == ["court.table"] && reload.appliesAtOnce)
    #expect(reload.running.fallback[.yaw] == 4501)
  }
}
