/// How long to wait before a source that failed is opened again: longer each time, until one gives a
/// frame.
struct ReopeningPause {
  private static let shortest = Duration.seconds(1)

  private let longest: Duration
  private var following = shortest

  init(longest: Duration) { self.longest = longest }

  mutating func next() -> Duration {
    defer { following = min(following * 2, longest) }
    return following
  }

  mutating func reset() { following = Self.shortest }
}
