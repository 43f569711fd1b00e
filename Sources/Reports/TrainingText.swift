package import ControlProtocol
import Host
import JSON
import Programs

extension TrainingRecord {
  /// Whether a drill or a level is loaded.
  package var isChosen: Bool { drill != nil || level != nil }

  /// The drill and its progress, or the aim, in a few words.
  package var text: String {
    ([name, place ?? size] + [next.map { "next \($0)" }] + [rate]).compactMap(\.self)
      .joined(separator: "  ")
  }

  /// The drill, or the aim without one; the level; for whom.
  package var name: String {
    let level = level.map { " (\($0))" } ?? ""
    let label = label.map { ", \($0)" } ?? ""
    return (drill ?? "\(aim), no drill") + level + label
  }

  /// How far the drill is.
  package var place: String? {
    guard let set, let sets, let ball, let ballsPerSet else { return nil }
    return "set \(set) of \(sets), ball \(ball) of \(ballsPerSet)"
  }

  /// How long the drill is.
  private var size: String? {
    guard let sets, let ballsPerSet else { return nil }
    return sets == 1 ? counted(ballsPerSet, "ball") : "\(sets) × \(counted(ballsPerSet, "ball"))"
  }

  package var rate: String { "a ball every \(interval.plain) s" }

  /// What people see as a change: each ball has a line of its own.
  package var summary: String { "\(name) \(set ?? 0)" }
}
