import Glibc
import Scenes

enum Sight {
  static func main(_ arguments: [String]) -> Int32 {
    var seeds: ClosedRange<UInt64> = 1...4
    var settings: [Setting] = []
    for a in arguments {
      if let s = Setting(rawValue: a) {
        settings.append(s)
      } else {
        let p = a.split(separator: "-").compactMap { UInt64($0) }; seeds = p[0]...p[1]
      }
    }
    if settings.isEmpty { settings = Setting.allCases }
    for setting in settings {
      var all = Judgement(), wet = 0, bad = ""
      for seed in seeds {
        let j = Judgement.of(setting, seed: seed, seconds: 60)
        if j.lateWet * 5 > j.late * 4 { wet += 1 }
        if settings.count == 1 { line("\(setting) \(seed)", j) }
        if Double(j.tracked) < 0.97 * Double(j.frames) { bad += " \(seed)" }
        all.add(j)
      }
      line("\(setting)", all); if !bad.isEmpty { print("      bad:", bad) }
    }
    return 0
  }
  static func f(_ x: Double, _ d: Int) -> String {
    let p = pow(10, Double(d)); return "\((x * p).rounded() / p)"
  }
  static func line(_ n: String, _ j: Judgement) {
    let l = j.lifts.sorted(); let lm = l.isEmpty ? 0 : l.reduce(0, +) / Double(l.count)
    print(
      n,
      "tracked",
      f(100 * Double(j.tracked) / Double(max(j.frames, 1)), 2),
      "p50",
      f(j.error(0.5), 2),
      "p95",
      f(j.error(0.95), 2),
      "max",
      f(j.error(1), 1),
      "zone",
      f(100 * Double(j.rightMeans) / Double(max(j.means, 1)), 1),
      "gap",
      f(Double(j.longestGap) / 15, 2),
      "strays",
      j.strays,
      "lift",
      f(lm, 3),
      "ms",
      f(j.cost / Double(j.count), 2),
      j.doubts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    )
  }
}
