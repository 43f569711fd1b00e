import TestSupport

/// By how much something was late, each time that it was due.
struct Lateness {
  /// In seconds.
  private(set) var samples: [Double] = []

  /// Of the bridge's decisions, which are due every 3 s from the first one on.
  ///
  /// - Parameter instants: of its decisions, in seconds. One that it has left out was too late by 0.1 s at
  ///   least.
  init(ofDecisionsAt instants: [Double]) {
    guard let first = instants.first else { return }
    var last = 0.0
    for instant in instants.dropFirst() {
      let elapsed = instant - first
      let due = (elapsed / 3).rounded()
      samples += Array(repeating: 0.1, count: max(0, Int(due - last) - 1))
      samples.append(elapsed - due * 3)
      last = due
    }
  }

  private init(_ samples: [Double]) { self.samples = samples }

  /// Of each timer of `BareTimer`, which tells a number and its lateness a line.
  static func ofTimers(told lines: [String]) -> [Lateness] {
    let words = lines.map { $0.split(separator: " ") }.filter { $0.count == 2 }
    return Dictionary(grouping: words) { $0[0] }.values
      .map { Lateness($0.compactMap { Double($0[1]) }) }
  }

  /// So many of a hundred are not later than this, by nearest rank; nothing for no sample.
  func percentile(_ percent: Int) -> Double? {
    let rank = (samples.count * percent + 99) / 100
    return samples.isEmpty ? nil : samples.sorted()[max(rank, 1) - 1]
  }
}

extension Lateness: CustomStringConvertible {
  var description: String {
    let values = [50, 90, 99, 100].map { percent in
      "\(percent) %: \(percentile(percent).map { milliseconds($0) } ?? "-")"
    }
    return "\(samples.count) times, late by " + values.joined(separator: ", ")
  }

  private func milliseconds(_ seconds: Double) -> String {
    "\((seconds * 1e5).rounded() / 100) ms"
  }
}
