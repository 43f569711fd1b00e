import Clocks

/// How late a stream's pictures come: how much later than the quickest of them.
///
/// What all of them need on the way, from the lens to this box, isn't known.
struct StreamDelay: Sendable {
  enum Verdict: Hashable, Sendable {
    /// So late, and early enough to tell where a player is.
    case fresh(Duration)
    case late(Duration)
    /// The stream is too young: its first pictures may have waited in the camera.
    case unknown
  }

  /// What a camera's clock may differ from this box's: twice what a bad quartz does.
  private static let drift = 0.000_2
  private static let settling = Duration.seconds(1)
  /// A stream without stamps that is silent for so long may send later what it has held back.
  private static let pause = Duration.milliseconds(500)

  private let hasStamps: Bool
  private var first: (arrival: MonotonicInstant, stamp: Duration)?
  private var lastArrival: MonotonicInstant?
  /// With stamps: the least delay of a picture behind the first one.
  private var least = Duration.zero
  /// Without: what the present picture is behind, and the last distances of pictures.
  private var backlog = Duration.zero
  private var distances: [Duration] = []

  /// - Parameter hasStamps: whether the camera says when it took each picture.
  init(hasStamps: Bool) { self.hasStamps = hasStamps }

  /// - Parameters:
  ///   - stamp: when the picture was taken, on the camera's clock.
  ///   - arrival: when it came.
  mutating func judge(_ stamp: Duration?, arrival: MonotonicInstant) -> Verdict {
    let passed = lastArrival?.duration(to: arrival) ?? .zero
    defer { lastArrival = arrival }
    guard hasStamps else { return verdict(delay(after: passed)) }
    guard let stamp else { return .unknown }
    guard let first else {
      first = (arrival, stamp)
      return .unknown
    }
    let age = first.arrival.duration(to: arrival)
    let behind = age - (stamp - first.stamp)
    least = min(least + passed * Self.drift, behind)
    return age < Self.settling ? .unknown : verdict(behind - least)
  }

  private func verdict(_ delay: Duration) -> Verdict {
    delay <= FrameTimes.oldest ? .fresh(delay) : .late(delay)
  }

  /// A stream that pauses and then sends pictures more quickly than usual has held them back.
  private mutating func delay(after passed: Duration) -> Duration {
    let usual = distances.isEmpty ? nil : distances.sorted()[distances.count / 2]
    guard let usual else {
      if lastArrival != nil { distances.append(passed) }
      return .zero
    }
    if backlog > .zero || passed > Self.pause { backlog = max(.zero, backlog + passed - usual) }
    // Pictures that come at once after a pause say nothing of the camera's rate.
    if backlog == .zero {
      distances.append(passed)
      if distances.count > 15 { distances.removeFirst() }
    }
    return backlog
  }
}
