import Bridge
import ControlProtocol
import CourtLogic
import Drills
import Foundation
import Host
import JSON
import MachineLink
import Options
import Safety
import StateFiles
import TestSupport
import Testing
import Training

@testable import Service

@Suite(.mustEnd) struct TrainingLoaderTests {
  private static let command = "110001060014004500"

  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// - Parameters:
  ///   - rows: of the command table, besides a plain command for each zone.
  ///   - kept: what was loaded before the start.
  private func loader(
    _ rows: String = Zone.allCases.map { "\($0),beginner,,\(Self.command)\n" }.joined(),
    drills: [String: String] = [:],
    kept: TrainingMemory.Choice = TrainingMemory.Choice(),
    isReadable: Bool = true,
    memory: TrainingMemory? = nil
  ) throws -> TrainingLoader {
    let plain = Zone.allCases.map { "\($0),,,\(Self.command)\n" }.joined()
    _ = try folder.write("zone,level,spin,command\n\(plain)\(rows)", to: "table.csv")
    let main = try folder.write("court:\n  table: table.csv\n", to: "config.yaml")
    for (name, yaml) in drills { _ = try folder.write(yaml, to: "\(name).yaml") }
    let clock = SystemClock()
    var options = ConfigurationOptions.none
    options.file = main
    let configuration = try RunningConfiguration(clock: clock) { [options] in
      try options.effective()
    }
    let settings = try options.effective()
    let link = BallMachineLink(
      configuration: LinkConfiguration(),
      central: FakeCentral(),
      clock: clock
    )
    let library = DrillLibrary(folders: [folder.path])
    var service = BridgeService.Options(settings, armsAtStart: kept != .init() || !isReadable)
    if !isReadable { service.loseTraining { _ in } }
    service.load(kept) {
      try library.plan($0, in: settings)
    } warn: { _ in
    }
    return TrainingLoader(
      service: BridgeService(options: service, link: link, clock: clock),
      library: library,
      configuration: configuration,
      disk: DiskWait(limit: .seconds(60)),
      memory: memory
    )
  }

  /// Nil if it was loaded.
  private func refusal(
    _ load: @autoclosure () async throws -> TrainingStatus
  ) async -> ControlError? {
    do { _ = try await load() } catch { return error as? ControlError }
    return nil
  }

  /// In either order: a beginner's drill.
  @Test func aDrillAndALevelAtTheSameTimeAreBothLoaded() async throws {
    let loader = try loader()
    for _ in 0..<50 {
      _ = try await loader.loadLevel(nil)
      _ = try await loader.load(nil)
      async let drill = loader.load(ControlRequest.DrillChoice("two-corners"))
      async let level = loader.loadLevel(.beginner)
      _ = try await (drill, level)
      let plan = await loader.service.snapshot.training.plan
      #expect(plan.drill?.name == "two-corners" && plan.level == .beginner)
    }
  }

  @Test func aKeptLevelThatADrillCanNotHaveIsNamed() async throws {
    let one = "aim: plan\nshots: [3-0]\ninterval: 3\nballs: 3\n"
    let loader = try loader("3-0,beginner,,\(Self.command)\n", drills: ["mine": one])
    let mine = ControlRequest.DrillChoice("mine", level: .beginner)
    #expect(await refusal(try await loader.load(mine)) == nil)
    let kept = try #require(
      await refusal(try await loader.load(ControlRequest.DrillChoice("two-corners")))
    )
    #expect(kept.message.contains("has no command for 3-3 beginner"), "\(kept)")
    #expect(kept.message.contains("beginner is the loaded level"), "\(kept)")
    // Who names a level knows of it, and a drill that isn't there lacks more than a level.
    for choice in [
      ControlRequest.DrillChoice("two-corners", level: .beginner), .init("nothing"),
    ] {
      let other = try #require(await refusal(try await loader.load(choice)))
      #expect(!other.message.contains("is the loaded level"), "\(other)")
    }
  }

  /// Only the advanced topspin is measured: neither the level nor the drill could go alone.
  @Test func noLevelUnloadsADrillThatNeedsOne() async throws {
    let spin = "aim: plan\nshots: [3-0 topspin]\ninterval: 3\nballs: 3\n"
    let loader = try loader("3-0,advanced,topspin,\(Self.command)\n", drills: ["spin": spin])
    let choice = ControlRequest.DrillChoice("spin", level: .advanced)
    #expect(await refusal(try await loader.load(choice)) == nil)
    let kept = try #require(await refusal(try await loader.load(nil)))
    #expect(kept.message.contains("`ballmachine level --none`"), "\(kept)")
    #expect(await refusal(try await loader.loadLevel(nil)) == nil)
    #expect(await loader.service.snapshot.training.plan == .follow(nil))
    // The drill's file may be gone meanwhile.
    #expect(await refusal(try await loader.load(choice)) == nil)
    try FileManager.default.removeItem(atPath: folder.path + "/spin.yaml")
    #expect(await refusal(try await loader.loadLevel(.beginner)) != nil)
    #expect(await refusal(try await loader.loadLevel(nil)) == nil)
    #expect(await loader.service.snapshot.training.plan == .follow(nil))
  }

  /// The table has lost a beginner's commands since: the plain balls are faster.
  @Test func whereTheKeptLevelIsLostNothingIsArmedUntilOneIsChosen() async throws {
    let loader = try loader("3-0,beginner,,\(Self.command)\n", kept: .init(level: .beginner))
    func arming() async -> SafetyRefusal? {
      let reply = await loader.service.perform(.arm(), while: nil, asOf: nil)
      return if case .refused(let refusal) = reply { refusal } else { nil }
    }
    // It was to arm by itself.
    #expect(await loader.service.snapshot.safety.state == .disarmed(.atStart))
    #expect(await arming() == .trainingLost(.level(.beginner)))
    // Without a level, a drill has the lost one.
    let kept = try #require(
      await refusal(try await loader.load(ControlRequest.DrillChoice("two-corners")))
    )
    #expect(kept.message.contains("beginner is the loaded level"), "\(kept)")
    #expect(await refusal(try await loader.load(nil)) != nil)
    #expect(await arming() == .trainingLost(.level(.beginner)))
    #expect(await refusal(try await loader.loadLevel(nil)) == nil)
    #expect(await arming() == .linkNotReady)
  }

  /// Whether it had a level or none: what is thrown in its place, a person chooses.
  @Test(arguments: [SkillLevel.beginner, nil], ["drill", "level"])
  func aDrillThatCantBeLoadedAgainWaitsForAPerson(_ level: SkillLevel?, choice: String) async throws
  {
    let loader = try loader(kept: .init(drill: "gone", level: level))
    func arming() async -> SafetyRefusal? {
      let reply = await loader.service.perform(.arm(), while: nil, asOf: nil)
      return if case .refused(let refusal) = reply { refusal } else { nil }
    }
    let safety = await loader.service.snapshot.safety
    #expect(safety.state == .disarmed(.atStart) && safety.holds.map(\.code) == ["drillLost"])
    #expect(await arming() == .trainingLost(.drill("gone", level)))
    // Nor does a drill that is not there help.
    #expect(await refusal(try await loader.load(ControlRequest.DrillChoice("nothing"))) != nil)
    #expect(await arming() == .trainingLost(.drill("gone", level)))
    if choice == "drill" {
      #expect(
        await refusal(try await loader.load(ControlRequest.DrillChoice("two-corners"))) == nil
      )
      #expect(await loader.service.snapshot.training.plan.level == level)
    } else {
      #expect(await refusal(try await loader.loadLevel(.beginner)) == nil)
      let plan = await loader.service.snapshot.training.plan
      #expect(plan.drill == nil && plan.level == .beginner)
    }
    #expect(await arming() == .linkNotReady)
  }

  /// What was loaded may have been a beginner's level. A drill without a level is no choice of one.
  @Test(arguments: [SkillLevel.beginner, nil])
  func whereWhatWasLoadedCantBeReadALevelOrNoneIsChosen(_ level: SkillLevel?) async throws {
    let loader = try loader(isReadable: false)
    func arming() async -> SafetyRefusal? {
      let reply = await loader.service.perform(.arm(), while: nil, asOf: nil)
      return if case .refused(let refusal) = reply { refusal } else { nil }
    }
    let safety = await loader.service.snapshot.safety
    #expect(safety.state == .disarmed(.atStart) && safety.holds.map(\.code) == ["levelLost"])
    #expect(await arming() == .trainingLost(.unknown))
    for choice in [ControlRequest.DrillChoice("two-corners"), nil] {
      let refused = try #require(await refusal(try await loader.load(choice)))
      #expect(refused.data?["code"] == .string("levelLost"), "\(refused)")
    }
    #expect(await arming() == .trainingLost(.unknown))
    if let level {
      let drill = ControlRequest.DrillChoice("two-corners", level: level)
      #expect(await refusal(try await loader.load(drill)) == nil)
    } else {
      #expect(await refusal(try await loader.loadLevel(nil)) == nil)
    }
    #expect(await loader.service.snapshot.training.plan.level == level)
    #expect(await arming() == .linkNotReady)
  }

  /// On a disk that was full for a while.
  @Test func whatWasLoadedIsKeptOnceItCanBe() async throws {
    let path = folder("state")
    let directory = try StateDirectory(variable: { _ in path })
    let warnings = Warnings()
    let memory = TrainingMemory(
      in: directory,
      warn: { warnings.add($0) },
      pause: .milliseconds(5)
    )
    let loader = try loader(memory: memory)
    _ = try folder.write("", to: "state")
    #expect(await refusal(try await loader.loadLevel(.beginner)) == nil)
    #expect(warnings.all.count == 1)
    try FileManager.default.removeItem(atPath: path)
    let file = directory.path(of: TrainingMemory.fileName)
    while !FileManager.default.fileExists(atPath: file) {
      try await Task.sleep(for: .milliseconds(5))
    }
    let kept = TrainingMemory.Choice(level: .beginner, levelHasCommands: true)
    #expect(await memory.recall() == .content(kept))
    #expect(warnings.all.count == 1)
  }

  @Test func aSeedThatNoDrillHasIsRefused() async throws {
    let loader = try loader()
    for seed in [-1, 1_000_000_000, .max] {
      let choice = ControlRequest.DrillChoice("two-corners", level: nil, seed: seed)
      #expect(await refusal(try await loader.load(choice))?.code == .invalidParameters)
    }
    let good = ControlRequest.DrillChoice("two-corners", level: nil, seed: 999_999_999)
    #expect(await refusal(try await loader.load(good)) == nil)
  }

  @Test func aDrillThatTheTableCanNotThrowIsListedWithTheReason() async throws {
    let spin = "aim: plan\nshots: [3-0 topspin]\ninterval: 3\nballs: 3\n"
    let loader = try loader(drills: ["spin": spin])
    let drills = try await loader.drills().drills
    let reasons = drills.filter { ["spin", "two-corners"].contains($0.name) }.map(\.reason)
    #expect(reasons.count == 2 && reasons.last == .some(nil))
    let reason = try #require(reasons.first ?? nil)
    #expect(reason.contains("has no command for 3-0 topspin"), "\(reason)")
  }

  /// For a small court of each drill.
  @Test func aDrillIsListedWithWhatItAimsAt() async throws {
    let rest = "interval: 3\nballs: 3\n"
    let loader = try loader(drills: [
      "planned": """
      aim: plan
      shots: [{zone: {3-1: 2, 3-2: 1}, repeat: [2, 5]}, {zone: 1-0}]
      \(rest)levels:
        beginner: {interval: 6}
        advanced: {shots: [{zone: 0-0, repeat: 3}]}
      """,
      "drawn": "aim: random\nzones: {3-0: 3, 2-3: 1}\n\(rest)levels: {beginner: {mirror: true}}\n",
      "sided": "aim: sides\nzones: [3-0, 3-3]\n\(rest)",
    ])
    let drills = try await loader.drills().drills
    func aims(_ name: String) throws -> [String] {
      let drill = try #require(drills.first { $0.name == name })
      return try drill.levels.map { level in
        let (shots, drawn) = (try text(level.shots), try text(level.drawn))
        return "\(level.level ?? "own"): \(shots) \(drawn)"
      }
    }
    func text(_ value: (some Encodable)?) throws -> String {
      guard let value else { return "-" }
      return String(decoding: try JSONEncoding.line(value), as: UTF8.self)
        .trimmingCharacters(in: .newlines)
    }
    #expect(
      try aims("planned") == [
        #"own: [{"alternatives":[{"weight":2,"zone":"3-1"},{"weight":1,"zone":"3-2"}],"#
          + #""mostTimes":5,"times":2},{"alternatives":[{"weight":1,"zone":"1-0"}],"times":1}] -"#,
        // As the drill's own.
        "beginner: - -",
        #"advanced: [{"alternatives":[{"weight":1,"zone":"0-0"}],"times":3}] -"#,
      ]
    )
    #expect(
      try aims("drawn") == [
        #"own: - [{"weight":3,"zone":"3-0"},{"weight":1,"zone":"2-3"}]"#,
        #"beginner: - [{"weight":3,"zone":"3-3"},{"weight":1,"zone":"2-0"}]"#,
      ]
    )
    #expect(try aims("sided") == ["own: - -"])
  }
}
