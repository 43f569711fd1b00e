import CourtLogic

/// The rules of ``LogicManager`` once more, as slowly and plainly as they can be written: every
/// position is kept for ever, times are whole milliseconds, late ticks are skipped one by one.
struct NaiveLogicManager {
  struct Answer: Hashable {
    var due: Int
    var x: Double
    var y: Double
    var count: Int
  }

  private var positions: [(time: Int, source: String, x: Double, y: Double)] = []
  private var due: Int?
  private var unasked: Int?

  var next: Int? { due ?? unasked }

  mutating func insert(x: Double, y: Double, from source: String, at now: Int) -> Bool {
    if let last = positions.last, last.source != source, now - last.time <= 1_000 { return false }
    positions.append((now, source, x, y))
    if due == nil, unasked == nil { unasked = now }
    return true
  }

  mutating func decide(at now: Int) -> Answer? {
    if let due, now < due { return nil }
    var fresh = positions.filter { now - $0.time <= 1_000 && $0.source == positions.last?.source }
    fresh = fresh.suffix(LogicManager.capacity)
    unasked = nil
    guard !fresh.isEmpty else {
      due = nil
      return nil
    }
    var tick = due ?? now
    while tick + 3_000 <= now { tick += 3_000 }
    due = tick + 3_000
    guard now - tick <= 100 else { return nil }
    return Answer(
      due: tick,
      x: fresh.map(\.x).reduce(0, +) / Double(fresh.count),
      y: fresh.map(\.y).reduce(0, +) / Double(fresh.count),
      count: fresh.count
    )
  }
}
