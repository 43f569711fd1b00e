import CourtMapping
import Glibc
import Scenes

/// Prints what each scene's figures are in pictures such as real cameras give.
struct SpoiltTables {
  let seconds: Double
  let seeds: ClosedRange<UInt64>
  var settings = Setting.allCases

  /// A row a scene, a column for each way of spoiling.
  func print() {
    let names = ["clean"] + Spoiling.allCases.map(\.rawValue) + ["h264"]
    line("\n### Spoilt pictures: seeds \(seeds.lowerBound) to \(seeds.upperBound)\n")
    line("| scene | " + names.joined(separator: " | ") + " |")
    line("| :-- |" + String(repeating: " --: |", count: names.count))
    for setting in settings {
      var row = "| \(setting) |"
      for name in names { row += " \(cell(setting, name)) |" }
      line(row)
    }
  }

  private func cell(_ setting: Setting, _ name: String) -> String {
    let expected = Expectation.of(setting)
    var all: Judgement?
    for seed in seeds {
      var (from, length) = (2.0, seconds)
      if case .doubt(_, _, let window) = expected {
        from = window
        length = max(seconds, window + 5)
      }
      // The player stands still for up to 20 s first.
      if setting == .staying || setting == .calibrating { length += 20 }
      let one = Judgement(
        setting,
        seed: seed,
        seconds: length,
        window: from,
        spoiling: Spoiling(rawValue: name),
        isRecoded: name == "h264"
      )
      if all == nil { all = one } else { all?.add(one) }
    }
    guard let all else { return "" }
    if case .doubt(let code, _, _) = expected {
      let named = 100 * Double(all.doubts[code] ?? 0) / Double(max(all.windowed, 1))
      return "\(Figure.text(named, 0)) % · \(all.ghosts)"
    }
    return "\(Figure.text(all.tracked, 0)) % · \(Figure.text(all.error(0.95), 2)) · \(all.ghosts)"
  }

  /// A row for each camera and each way in which shadows fall, a column for each height of the sun.
  func printShadows() {
    let falls = [0.6, 1.2, 2.2]
    line("\n### Hard shadows: seeds \(seeds.lowerBound) to \(seeds.upperBound)\n")
    line(
      "| scene | shadow falls | "
        + falls.map { "\(Figure.text($0, 1)) m a metre: bias m · p95 m · tracked %" }
        .joined(separator: " | ") + " |"
    )
    line("| :-- | --: |" + String(repeating: " --: |", count: falls.count))
    for setting in [Setting.sun, .high, .low, .corner] {
      for degrees in stride(from: 0.0, to: 360, by: 45) {
        var row = "| \(setting) | \(Int(degrees))° |"
        for fall in falls {
          let angle = degrees * .pi / 180
          let sun = CourtPoint(cos(angle) * fall, sin(angle) * fall)
          var all: Judgement?
          for seed in seeds {
            let one = Judgement(
              setting,
              seed: seed,
              seconds: seconds,
              window: 2,
              spoiling: .hardSun,
              sun: sun
            )
            if all == nil { all = one } else { all?.add(one) }
          }
          guard let all else { continue }
          row += " \(Figure.text(all.bias, 2)) · \(Figure.text(all.error(0.95), 2))"
          row += " · \(Figure.text(all.tracked, 1)) |"
        }
        line(row)
      }
    }
  }

  private func line(_ text: String) { Swift.print(text) }
}
