import Scenes

/// Prints the tables of ``Setting``s in Markdown.
struct Tables {
  let seconds: Double
  var settings = Setting.allCases

  func print(_ title: String, seeds: ClosedRange<UInt64>) {
    line("\n### \(title): \(seeds.lowerBound) to \(seeds.upperBound)\n")
    line(
      "| scene | tracked % | error p50 m | p95 m | zone right % | longest gap s | ghosts | ms a frame |"
    )
    line("| :-- | --: | --: | --: | --: | --: | --: | --: |")
    var doubts: [String: Int] = [:]
    var missed: [String] = []
    for setting in settings {
      if case .doubt = Expectation.of(setting) { continue }
      var all: Judgement?
      for seed in seeds { add(judge(setting, seed, from: 2), to: &all) }
      guard let all else { continue }
      doubts.merge(all.doubts, uniquingKeysWith: +)
      missed += misses(setting, all)
      row(setting, all)
    }
    verdict(missed)
    line("\n| scene | doubt | named in seeds | frames without a place % | in the scenes above |")
    line("| :-- | :-- | --: | --: | --: |")
    for setting in settings {
      guard case .doubt(let code, let share, let from) = Expectation.of(setting) else { continue }
      var all: Judgement?
      var named = 0
      for seed in seeds {
        let one = judge(setting, seed, from: from)
        if Double(one.doubts[code] ?? 0) >= share * Double(one.windowed) { named += 1 }
        add(one, to: &all)
      }
      guard let all else { continue }
      let empty = 100 * Double(all.windowed - all.places) / Double(max(all.windowed, 1))
      line(
        """
        | \(setting) | \(code) | \(named) of \(seeds.count) | \(Figure.text(empty, 1)) | \
        \(code == "no-player" ? "" : "\(doubts[code] ?? 0) frames") |
        """
      )
    }
  }

  private func judge(_ setting: Setting, _ seed: UInt64, from: Double) -> Judgement {
    Judgement(setting, seed: seed, seconds: seconds, window: from)
  }

  private func add(_ one: Judgement, to all: inout Judgement?) {
    if all == nil { all = one } else { all?.add(one) }
  }

  private func row(_ setting: Setting, _ all: Judgement) {
    line(
      """
      | \(setting) | \(Figure.text(all.tracked, 2)) | \(Figure.text(all.error(0.5), 2)) | \
      \(Figure.text(all.error(0.95), 2)) | \(Figure.text(all.rightZones, 1)) | \(Figure.text(all.gapSeconds, 2)) | \(all.ghosts) | \
      \(Figure.text(all.millisecondsAFrame, 2)) |
      """
    )
  }

  private func misses(_ setting: Setting, _ all: Judgement) -> [String] {
    guard case .player = Expectation.of(setting) else { return [] }
    var missed: [String] = []
    if all.tracked < 99 { missed.append("tracked") }
    if all.error(0.95) > 0.6 { missed.append("p95") }
    if all.rightZones < 95 { missed.append("zone") }
    if all.gapSeconds > 0.3 { missed.append("gap") }
    if all.ghosts > 0 { missed.append("ghosts") }
    return missed.isEmpty ? [] : ["\(setting) (\(missed.joined(separator: ", ")))"]
  }

  private func verdict(_ missed: [String]) {
    line(
      missed.isEmpty
        ? "\nAll goals are met from 3 m upwards."
        : "\nGoals missed: \(missed.joined(separator: "; "))."
    )
  }

  private func line(_ text: String) { Swift.print(text) }
}
