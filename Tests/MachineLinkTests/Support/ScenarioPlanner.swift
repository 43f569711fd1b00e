import BlueZ
import Clocks
import CourtLogic
import MachineLink
import TestSupport

/// Makes up a scenario as it goes. What it chooses is written down, not how.
struct ScenarioPlanner {
  private enum Weather: CaseIterable {
    /// Most things work, and the link gets somewhere.
    case calm
    /// Anything may happen.
    case stormy
    /// All works, and fast; but no link holds.
    case flapping
  }

  private var generator: SeededGenerator
  private var weather = Weather.calm
  /// For how many steps it stays so.
  private var spell = 0

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  /// A whole scenario, and how it went.
  static func play(seed: UInt64, steps: Int) -> (scenario: Scenario, run: ScenarioRun) {
    var planner = ScenarioPlanner(seed: seed)
    var scenario = Scenario(setting: planner.setting(), recovers: planner.chance(40))
    let run = ScenarioRun(scenario.setting)
    var left = steps
    while left > 0, run.breach == nil {
      left -= 1
      let step = planner.step(in: run, mayEnd: !scenario.recovers, isLast: left == afterEnd)
      // What comes after the end is short.
      if step.what == .end { left = min(left, afterEnd) }
      scenario.steps.append(step)
      run.take(step)
    }
    run.conclude(recovering: scenario.recovers)
    return (scenario, run)
  }

  /// How many steps there are at most once the link was asked to end.
  private static let afterEnd = 15

  // MARK: Dice

  private mutating func number(below bound: UInt64) -> Int {
    Int(truncatingIfNeeded: generator.next() % bound)
  }

  private mutating func number(below bound: Int) -> Int { number(below: UInt64(bound)) }

  private mutating func chance(_ percent: Int) -> Bool { number(below: 100) < percent }

  private mutating func pick<Element>(_ list: [Element]) -> Element {
    list[number(below: list.count)]
  }

  // MARK: Choices

  private mutating func setting() -> Scenario.Setting {
    var setting = Scenario.Setting(
      knowledge: pick(Scenario.Setting.Knowledge.allCases),
      flags: pick([["write"], ["write-without-response"], ["write", "write-without-response"]])
        + (chance(90) ? ["notify"] : []),
      encoding: pick([.digits, .framed(.modbus), .framed(.xor)]),
      startsService: chance(50),
      allowsPowerCycle: chance(50),
      allowsOtherAdapter: chance(25),
      jitter: generator.next()
    )
    setting.hasUselessAdapter = setting.jitter.isMultiple(of: 4)
    return setting
  }

  private mutating func step(in run: ScenarioRun, mayEnd: Bool, isLast: Bool) -> Step {
    if spell == 0 {
      weather = pick([.calm, .calm, .calm, .stormy, .stormy, .stormy, .flapping])
      spell = 1 + number(below: weather == .stormy ? 25 : 80)
    }
    spell -= 1
    if mayEnd, isLast { return Step(after: pause(), what: .end) }
    // Now and then the link must end while a write has been hanging for long.
    if mayEnd, run.hasOpenWrite, run.phase == .ready, chance(2) {
      let (least, span) = pick([(3500, 1500), (1050, 900)])
      return Step(after: .milliseconds(least + number(below: span)), what: .end)
    }
    // A write that was overtaken may hang for longer than the machine takes to answer.
    if run.hasOvertakenWrite, run.phase == .ready, chance(50) {
      return Step(after: .milliseconds(300 + number(below: 900)), what: .answer(1, .success))
    }
    let what = happening(in: run, mayEnd: mayEnd)
    let clock: Step.Clock = chance(2) ? pick([.stalls, .stallsAndConfuses]) : .flows
    return Step(after: pause(), clock: clock, what: what)
  }

  private mutating func pause() -> Duration {
    if weather == .flapping { return .milliseconds(number(below: 50)) }
    return switch number(below: 1000) {
    case 0..<150: .zero
    case 150..<750: .milliseconds(1 + number(below: 300))
    case 750..<940: .milliseconds(300 + number(below: 3500))
    case 940..<985: .seconds(3 + number(below: 20))
    case 985..<999: .seconds(20 + number(below: 80))
    default: .seconds(100 + number(below: 3 * 3600))
    }
  }

  private mutating func happening(in run: ScenarioRun, mayEnd: Bool) -> Happening {
    let dice = number(below: 100)
    if !run.hasStarted, dice < 97 {
      return dice < 85 || !mayEnd ? .start : pick([.submit(age: .zero), .stop, .end])
    }
    if run.phase == .shuttingDown, dice < 20 {
      return dice < 4 ? .end : dice < 8 ? saying() : stale()
    }
    if dice < 3 { return stale() }
    if dice < 9, chance(60) { return saying() }
    if run.phase == .ready, run.awaitsWord, dice < 30 { return saying() }
    if run.phase == .ready, run.hasOpenWrite, dice < 6 { return .stop }
    let isCalm = weather != .stormy
    if !run.open.isEmpty, dice < (isCalm ? 60 : 45) {
      return .answer(number(below: 3), isCalm ? calmAnswer() : stormyAnswer())
    }
    if weather == .flapping, run.phase == .ready { return .change(.linkFalls, isHidden: false) }
    if isCalm, dice < 90, let help = help(run) { return .change(help, isHidden: false) }
    if dice < (isCalm ? 95 : 60) {
      return chance(8) ? .stop : .submit(age: .milliseconds(number(below: 600)))
    }
    return .change(pick(Change.allCases), isHidden: chance(20))
  }

  private mutating func saying() -> Happening {
    let sayings = Saying.allCases
    let number = number(below: 5 * sayings.count)
    return .say(sayings[number % sayings.count], isUnread: number < sayings.count)
  }

  private mutating func stale() -> Happening {
    switch number(below: 3) {
    case 0: .staleAnswer(number(below: 8))
    case 1: .staleTimer(number(below: 8))
    default: .staleLevels
    }
  }

  private mutating func calmAnswer() -> Answer {
    chance(97) ? .success : .failure(pick(Failure.allCases))
  }

  private mutating func stormyAnswer() -> Answer {
    switch number(below: 100) {
    case 0..<60: .success
    case 60..<85: .failure(pick(Failure.allCases))
    case 85..<90: .failureAfterAll(pick(Failure.allCases))
    case 90..<95: .emptySuccess
    default: .silence
    }
  }

  /// What a link that gets nowhere waits for.
  private mutating func help(_ run: ScenarioRun) -> Change? {
    let bluez = run.bluez
    if bluez.owner == nil { return .bluetoothdStarts }
    if run.mirror.state.isBusConnected, run.mirror.state.tree == nil { return .objectsRead }
    guard let radio = bluez.radio else { return .pluggedIn }
    if radio.isBlocked { return .rfkillUnblocks }
    if !radio.isPowered { return .powerOn }
    let machines = bluez.machines
    if machines.isEmpty { return .machineHeard }
    if machines.contains(where: { $0.isConnected && !$0.isResolved }) { return .servicesResolve }
    if machines.contains(where: { !$0.showsTable }) { return .tableAppears }
    if Set(machines.map(\.address)).count > 1, chance(30) { return .twinGoes }
    return nil
  }
}
