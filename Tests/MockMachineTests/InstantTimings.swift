import MockMachine

extension MockTimings {
  /// Nothing takes time but BlueZ's own long limits, which a manual clock passes.
  static var instant: MockTimings {
    var timings = MockTimings()
    for (name, path) in fields where !limits.contains(name) { timings[keyPath: path] = .zero }
    // A scan that reported without pause would never let go of the processor.
    timings.reportInterval = .seconds(1)
    return timings
  }

  private static let limits: Set<String> = ["connect-gives-up", "temporary", "att-timeout"]
}
