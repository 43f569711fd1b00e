/// A shorter list that still fails, found by cutting pieces out, large ones first.
///
/// What is left is minimal: it fails no more without any one of its elements.
/// Source: Zeller, Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (2002).
func shrunk<Element>(_ list: [Element], while fails: ([Element]) -> Bool) -> [Element] {
  var list = list
  var size = max(1, list.count / 2)
  while true {
    var hasShrunk = false
    // From the end: what comes last is most often just what happened to follow.
    var end = list.count
    while end > 0 {
      let start = max(0, end - size)
      var shorter = list
      shorter.removeSubrange(start..<end)
      if fails(shorter) {
        list = shorter
        hasShrunk = true
      }
      end = start
    }
    if size > 1 {
      size = max(1, size / 2)
    } else if !hasShrunk {
      return list
    }
  }
}

extension Scenario {
  /// A shorter and plainer scenario that still fails.
  func shrunk(while fails: (Scenario) -> Bool) -> Scenario {
    var scenario = self
    // The recovery does much that no step says.
    scenario.recovers = false
    if !fails(scenario) { scenario = self }
    while true {
      let before = scenario
      scenario.steps = MachineLinkTests.shrunk(scenario.steps) { steps in
        var shorter = scenario
        shorter.steps = steps
        return fails(shorter)
      }
      scenario.mergePauses(while: fails)
      scenario.simplify(while: fails)
      if scenario == before { return scenario }
    }
  }

  /// Leaves out steps of which only the pause matters: the next one waits so much longer.
  private mutating func mergePauses(while fails: (Scenario) -> Bool) {
    for index in steps.indices.dropLast().reversed() {
      var shorter = self
      let pause = shorter.steps.remove(at: index).after
      shorter.steps[index].after += pause
      if fails(shorter) { self = shorter }
    }
  }

  /// Replaces what is special by what is plain, wherever the scenario fails all the same.
  private mutating func simplify(while fails: (Scenario) -> Bool) {
    func attempt(_ change: (inout Scenario) -> Void) {
      var plainer = self
      change(&plainer)
      if plainer != self, fails(plainer) { self = plainer }
    }
    attempt { $0.setting = Setting() }
    attempt { $0.setting.jitter = 0 }
    attempt { $0.setting.allowsOtherAdapter = false }
    attempt { $0.setting.hasUselessAdapter = false }
    attempt { $0.setting.allowsPowerCycle = false }
    attempt { $0.setting.startsService = false }
    attempt { $0.setting.knowledge = .address }
    for index in steps.indices {
      attempt { $0.steps[index].clock = .flows }
      for plain in steps[index].plainer { attempt { $0.steps[index] = plain } }
    }
  }
}

extension Step {
  /// Ways to say the same more plainly, the plainest first.
  fileprivate var plainer: [Step] {
    var others: [Step] = []
    for pause in [Duration.zero, .milliseconds(100), .seconds(1), .seconds(3), .seconds(60)]
    where pause < after {
      others.append(Step(after: pause, clock: clock, what: what))
    }
    let plain: Happening? =
      switch what {
      case .submit(let age) where age > .zero: .submit(age: .zero)
      case .answer(let index, let answer) where index > 0: .answer(0, answer)
      case .answer(let index, let answer) where answer != .success: .answer(index, .success)
      case .change(let change, isHidden: true): .change(change, isHidden: false)
      default: nil
      }
    if let plain { others.append(Step(after: after, clock: clock, what: plain)) }
    return others
  }
}
