import JSON

/// A figure of sessions that may be compared.
package struct SessionFigure: Sendable {
  /// The figure's name for people.
  package var label: String
  /// The name in records and tables.
  package var name: String
  /// Nil where the session doesn't have it.
  package var value: @Sendable (Session) -> Double?
  /// The figure's value with its unit.
  package var text: @Sendable (Double) -> String

  package static let all: [SessionFigure] = [
    SessionFigure(
      label: "Balls",
      name: "balls",
      value: { Double($0.balls) },
      text: { $0.fixed($0 == $0.rounded() ? 0 : 1) }
    ),
    SessionFigure(label: "Live", name: "live", value: { $0.live }, text: \.clockText),
    SessionFigure(
      label: "Distance run",
      name: "distance",
      value: { $0.movement?.distance },
      text: { "\($0.fixed(0)) m" }
    ),
    SessionFigure(
      label: "Mean speed",
      name: "meanSpeed",
      value: { $0.movement?.meanSpeed },
      text: { "\($0.fixed(2)) m/s" }
    ),
    SessionFigure(
      label: "Greatest speed",
      name: "greatestSpeed",
      value: { $0.movement?.greatestSpeed },
      text: { "\($0.fixed(1)) m/s" }
    ),
    SessionFigure(
      label: "First step",
      name: "firstStep",
      value: { $0.movement?.firstStep },
      text: { "\($0.fixed(2)) s" }
    ),
  ]

  /// The values of those sessions that have one, sorted.
  package func values(of sessions: [Session]) -> [Double] {
    sessions.compactMap(value).sorted()
  }

  /// The median of sorted values; nil of none.
  package static func median(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    return (values[(values.count - 1) / 2] + values[values.count / 2]) / 2
  }
}

extension Double {
  /// A length of time in seconds, for people: `24:03`, `1:02:03`.
  package var clockText: String {
    let seconds = Int(rounded())
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (minutes, hours) = (seconds / 60, seconds / 3600)
    return hours > 0
      ? "\(hours):\(two(minutes % 60)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
  }
}
