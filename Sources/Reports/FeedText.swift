import ControlProtocol
import Host
import JSON

// What people are told of feeders: at the shell in a line, on a terminal in a table.

extension FeedersRecord {
  /// How long a source that is silent counts as present, in seconds.
  private static let presence = 2.0

  /// A source, with the feeder that speaks for it.
  struct Named {
    var source: Source
    var connection: String

    var name: String { source.id.map { "\(connection), id \($0)" } ?? connection }
    var isPresent: Bool { source.age <= presence }

    /// All that is known of the source.
    var text: String { ([name] + parts).joined(separator: "  ") }

    private var parts: [String] {
      [
        "x \(source.x.fixed(2)) y \(source.y.fixed(2))", source.placeText,
        "\(source.ageText) ago", source.rateText, "latency \(source.latencyText)",
      ].compactMap(\.self)
    }
  }

  /// The player's first, then those that are present.
  var sources: [Named] {
    let all = feeders.flatMap { feeder in
      feeder.sources.map { Named(source: $0, connection: feeder.connection) }
    }
    let others = all.filter { !$0.source.followed }
    return all.filter(\.source.followed) + others.filter(\.isPresent)
      + others.filter { !$0.isPresent }.sorted { $0.source.age < $1.source.age }
  }

  /// How many others send positions that are not the player's; nil for none.
  var othersText: String? {
    let others = sources.filter { !$0.source.followed && $0.isPresent }.count
    return others > 0 ? "\(counted(others, "other")), not followed" : nil
  }

  /// How many lines are refused, and the last of them, also of a feeder that has gone; nil for none.
  var refusedText: String? {
    let count = feeders.reduce(0) { $0 + $1.badLines }
    let present = feeders.compactMap(\.lastBadLine).max { $0.t < $1.t }
    guard let last = present ?? lastBadLine else { return nil }
    let age = Duration.seconds(max(t - last.t, 0)).rough
    let line = lineText(last.connection, last.line, last.text, last.reason)
    return (count > 0 ? "\(counted(count, "line")), the last" : "the last") + " \(age) ago: \(line)"
  }

  /// Nil for none.
  var droppedText: String? {
    let count = feeders.reduce(0) { $0 + $1.droppedPositions }
    return count > 0 ? "\(counted(count, "line")), not taken in time" : nil
  }

  /// What holds balls back because of the feed.
  var holdTexts: [String] { safety.holds.filter(\.isOfPlayer).map(\.text) }

  /// What there is instead of sources; nil where there are some.
  var emptyText: String? {
    guard sources.isEmpty else { return nil }
    if feeders.isEmpty { return "no feeder is connected" }
    return "no position yet from \(feeders.map(\.connection).joined(separator: ", "))"
  }

  /// All of it in a line.
  var text: String {
    let first = sources.first
    let head =
      emptyText ?? first.map { ($0.source.followed ? "" : "no player, the last: ") + $0.text }
    let parts = [
      head, othersText, refusedText.map { "refused: \($0)" }, droppedText.map { "dropped: \($0)" },
    ]
    return (parts.compactMap(\.self) + holdTexts).joined(separator: "  ")
  }
}

extension FeedersRecord.Source {
  var placeText: String { zone.map { "zone \($0)" } ?? "out of court" }

  var ageText: String { age < 100 ? "\(age.fixed(1)) s" : Duration.seconds(age).rough }

  /// Positions a second; nil as long as that can't be said.
  var rateText: String? { perSecond.map { "\($0.fixed(1))/s" } }

  /// From the line's own time to its arrival; nil where it is not known.
  var delayText: String? { delay.map(text) }

  /// The same with the greatest one, or why it is not known.
  var latencyText: String {
    if let delay {
      return text(delay) + (greatestDelay.map { ", at most \(text($0))" } ?? "")
    }
    return stamp == "none" ? "unknown: no t" : "unknown: t is not the wall clock"
  }

  private func text(_ seconds: Double) -> String {
    seconds.magnitude < 10
      ? "\((seconds * 1_000).rounded().plain) ms" : "\(seconds.fixed(1)) s"
  }
}
