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

extension Life {
  /// A shorter and plainer life that still fails.
  func shrunk(while fails: (Life) -> Bool) -> Life {
    var life = self
    // The recovery does much that no step says.
    life.recovers = false
    if !fails(life) { life = self }
    while true {
      let before = life
      life.steps = MachineLinkTests.shrunk(life.steps) { steps in
        var shorter = life
        shorter.steps = steps
        return fails(shorter)
      }
      life.mergePauses(while: fails)
      life.simplify(while: fails)
      if life == before { return life }
    }
  }

  /// Leaves out steps of which only the pause matters: the next one waits so much longer.
  private mutating func mergePauses(while fails: (Life) -> Bool) {
    for index in steps.indices.dropLast().reversed() {
      var shorter = self
      let pause = shorter.steps.remove(at: index).after
      shorter.steps[index].after += pause
      if fails(shorter) { self = shorter }
    }
  }

  /// Replaces what is special by what is plain, wherever the life fails all the same.
  private mutating func simplify(while fails: (Life) -> Bool) {
    func attempt(_ change: (inout Life) -> Void) {
      var plainer = self
      change(&plainer)
      if plainer != self, fails(plainer) { self = plainer }
    }
    attempt { $0.setting = Setting() }
    attempt { $0.setting.jitter = 0 }
    attempt { $0.setting.allowsOtherAdapter = false }
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
