import Foundation

/// The measured fault table as Markdown.
struct FaultReport {
  enum Result: Sendable, CustomStringConvertible {
    case measured(FaultTrial)
    /// This setup can't do that.
    case notPlayed(String)
    case failed(String)

    var description: String {
      switch self {
      case .measured(let trial): FaultReport.text(trial.duration)
      case .notPlayed(let reason): "not played: \(reason)"
      case .failed(let reason): "FAILED: \(reason)"
      }
    }
  }

  let scenarios: [FaultScenario]
  private var results: [[Result]]

  init(scenarios: [FaultScenario]) {
    self.scenarios = scenarios
    results = scenarios.map { _ in [] }
  }

  mutating func add(_ result: Result, to index: Int) { results[index].append(result) }

  /// What must not be: failures, repetitions, losses, and ends that took too long.
  var problems: [String] {
    zip(scenarios, results).flatMap { scenario, results in
      results.compactMap { result -> String? in
        switch result {
        case .measured(let trial) where trial.repeated > 0:
          "\(scenario.testDescription): \(trial.repeated) repeated"
        case .measured(let trial) where trial.lost > 0:
          "\(scenario.testDescription): \(trial.lost) lost"
        case .measured(let trial) where scenario.goal == .end && trial.duration > .seconds(6):
          "\(scenario.testDescription): \(trial.duration)"
        case .failed(let reason): "\(scenario.testDescription): \(reason)"
        default: nil
        }
      }
    }
  }

  // MARK: The table

  private static let head = """
    | # | fault | what the link does | story | runs | median | worst | ours | repeated | lost |
    |--:|---|---|---|--:|--:|--:|--:|--:|--:|
    """

  var table: String {
    ([Self.head] + zip(scenarios, results).map(row)).joined(separator: "\n")
  }

  private func row(_ scenario: FaultScenario, _ results: [Result]) -> String {
    let trials = results.compactMap { result in
      if case .measured(let trial) = result { trial } else { nil }
    }
    let durations = trials.map(\.duration).sorted()
    let isInjected = scenario.length == .injected
    var cells = [
      "\(scenario.row)", scenario.fault, scenario.response, "`\(scenario.story)`",
      isInjected ? "injected" : "\(trials.count)",
    ]
    if let worst = durations.last, let ours = trials.map(\.ours).max() {
      cells += [
        Self.text(durations[durations.count / 2]), Self.text(worst),
        isInjected || scenario.goal != .recovery ? "–" : Self.text(ours),
        "\(trials.map(\.repeated).reduce(0, +))", "\(trials.map(\.lost).reduce(0, +))",
      ]
    } else {
      cells += ["–", "–", "–", "–", "–"]
    }
    return "| " + cells.joined(separator: " | ") + " |"
  }

  /// Seconds, or milliseconds where those are few.
  static func text(_ duration: Duration) -> String {
    let seconds = duration / .seconds(1)
    return seconds < 0.1
      ? String(format: "%.1f ms", seconds * 1000) : String(format: "%.2f s", seconds)
  }
}
