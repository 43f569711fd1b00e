import CourtLogic

/// A player's way, from positions in order of time, in bounded memory.
///
/// Noise isn't distance: each point is the mean of half a second, and a point on a leash follows only
/// when the player is farther away than its length. Standing still for ten minutes with a noise of
/// 0.1 m is then 0 m instead of 1,058 m, at 10 positions a second.
struct PlayerPath {
  /// Half of the time that a mean is of.
  static let halfMean = 0.25
  /// The length of the leash, in metres.
  static let leash = 0.25
  /// A smaller change of direction, in radians, may be noise.
  static let leastTurn = 0.5
  /// A longer silence breaks the way: what came between is not made up.
  static let longestGap = 1.0
  /// Positions nearer in time than this add nothing.
  static let leastGap = 0.004
  /// The points of the way are at least so far apart, in seconds.
  static let leastStep = 0.05
  /// A position that the player can't have reached at this speed, in metres a second, isn't his. It is
  /// the limit of safety's hold `impossibleJump`.
  static let greatestSpeed = 12.0
  /// What noise may add to that, in metres.
  static let jumpAllowance = 0.75
  /// How long a speed must be kept up.
  static let speedTime = 1.0
  /// So far from where the player was is a step, in metres.
  static let step = 0.4
  /// A step that comes later is not the ball's.
  static let longestStepTime = 2.5
  /// How long ago a ball's decision may be when its line comes: its outcome was awaited.
  private static let history = 8.0
  private static let mostBalls = 16
  private static let binsOfStep = 50

  struct Point {
    var t: Double
    var x: Double
    var y: Double

    func distance(to other: Point) -> Double {
      let (x, y) = (other.x - x, other.y - y)
      return (x * x + y * y).squareRoot()
    }
  }

  private var last: Point?
  private var samples = Queue()
  /// The index in `samples` of the first one whose mean is still to come.
  private var due = 0
  private var sum = (x: 0.0, y: 0.0)

  private var previous: Point?
  private var dog: Point?
  private var dogs = Queue()
  /// On which side of the dog the player was last, as a vector of length 1; of length 0 at first.
  private var side = Point(t: 0, x: 0, y: 0)
  /// How far the dog was pulled since the leash was last loose; nil while it is.
  private var pulled: Double?
  private var points = Queue()
  private var ballTimes: [Double] = []

  private(set) var seen = 0.0
  private var distance = 0.0
  private var greatest: Double?
  private var stood: [Place: Double] = [:]
  private var steps = [Int](repeating: 0, count: binsOfStep)

  private struct Place: Hashable {
    var column: Int
    var row: Int
  }

  /// - Parameter t: in seconds, not before that of the last position.
  mutating func receive(x: Double, y: Double, at t: Double) {
    let point = Point(t: t, x: x, y: y)
    if let last {
      let gap = t - last.t
      if gap > Self.longestGap {
        end()
      } else if gap < Self.leastGap
        || last.distance(to: point) > Self.jumpAllowance + Self.greatestSpeed * gap
      {
        return
      }
    }
    last = point
    while due < samples.count, samples[due].t + Self.halfMean < t { emit() }
    samples.append(point)
    sum.x += x
    sum.y += y
  }

  /// The player is no longer looked at: the next position begins another way.
  mutating func end() {
    while due < samples.count { emit() }
    for t in ballTimes { resolve(t) }
    ballTimes = []
    last = nil
    samples = Queue()
    due = 0
    sum = (0, 0)
    previous = nil
    dog = nil
    dogs = Queue()
    side = Point(t: 0, x: 0, y: 0)
    pulled = nil
    points = Queue()
  }

  /// A ball's command was decided at this time.
  mutating func ball(at t: Double) {
    guard ballTimes.count < Self.mostBalls else { return }
    ballTimes.append(t)
    resolveDue()
  }

  /// Nil when the player was not seen.
  ///
  /// - Parameter hasSteps: whether first steps were looked for.
  func movement(hasSteps: Bool) -> Movement? {
    guard seen > 0 else { return nil }
    let count = steps.reduce(0, +)
    let cells = stood.map { Movement.Cell(column: $0.column, row: $0.row, seconds: $1) }
    return Movement(
      seen: seen,
      distance: distance,
      meanSpeed: distance / seen,
      greatestSpeed: greatest,
      firstStep: count > 0 ? medianStep(of: count) : nil,
      firstSteps: hasSteps ? count : nil,
      stood: cells.sorted { ($0.row, $0.column) < ($1.row, $1.column) }
    )
  }

  private func medianStep(of count: Int) -> Double {
    var below = 0
    let bin = steps.firstIndex { steps in
      below += steps
      return below * 2 >= count
    }
    return (Double(bin ?? 0) + 0.5) * Self.longestStepTime / Double(Self.binsOfStep)
  }

  /// The mean around the sample that is due.
  private mutating func emit() {
    let t = samples[due].t
    while samples[0].t < t - Self.halfMean {
      sum.x -= samples[0].x
      sum.y -= samples[0].y
      samples.removeFirst()
      due -= 1
    }
    due += 1
    if let previous, t - previous.t < Self.leastStep { return }
    let count = Double(samples.count)
    advance(to: Point(t: t, x: sum.x / count, y: sum.y / count))
  }

  private mutating func advance(to point: Point) {
    if let previous {
      let seconds = point.t - previous.t
      seen += seconds
      let place = Place(
        column: Int((previous.x / Movement.Cell.size).rounded(.down)),
        row: Int((previous.y / Movement.Cell.size).rounded(.down))
      )
      stood[place, default: 0] += seconds
    }
    previous = point
    pull(to: point)
    points.append(point)
    while points[0].t < point.t - Self.history { points.removeFirst() }
    resolveDue()
  }

  private mutating func pull(to point: Point) {
    var next = dog ?? point
    let away = next.distance(to: point)
    if away > Self.leash {
      let toward = Point(t: 0, x: (point.x - next.x) / away, y: (point.y - next.y) / away)
      next.x += toward.x * (away - Self.leash)
      next.y += toward.y * (away - Self.leash)
      distance += away - Self.leash
      straighten(toward, pulled: away - Self.leash)
    } else {
      pulled = nil
    }
    next.t = point.t
    dog = next
    dogs.append(next)
    while dogs.count > 1, dogs[1].t <= next.t - Self.speedTime { dogs.removeFirst() }
    let seconds = next.t - dogs[0].t
    guard seconds >= Self.speedTime else { return }
    greatest = max(greatest ?? 0, dogs[0].distance(to: next) / seconds)
  }

  /// The leash hides the way around its own length, from the side on which the player was to the one
  /// on which he is now. This adds that way once he has gone on: noise doesn't.
  private mutating func straighten(_ side: Point, pulled length: Double) {
    let before = pulled ?? 0
    pulled = before + length
    guard before + length > Self.leash else { return }
    if before <= Self.leash {
      let turn = self.side.distance(to: side)
      if turn > Self.leastTurn { distance += Self.leash * turn }
    }
    self.side = side
  }

  // MARK: First steps

  private mutating func resolveDue() {
    guard let now = previous?.t else { return }
    while let t = ballTimes.first, t + Self.longestStepTime <= now {
      resolve(t)
      ballTimes.removeFirst()
    }
  }

  /// Looks for the first step after the ball of this time.
  private mutating func resolve(_ t: Double) {
    guard let start = points.firstIndex(where: { $0.t >= t - Self.halfMean / 2 }),
      points[start].t <= t + Self.halfMean,
      let step = points.firstIndex(where: {
        $0.t > t && $0.distance(to: points[start]) > Self.step
      }),
      points[step].t < t + Self.longestStepTime
    else { return }
    let bin = (points[step].t - t) / Self.longestStepTime * Double(Self.binsOfStep)
    steps[min(Int(bin), Self.binsOfStep - 1)] += 1
  }

  /// A line of points that are taken at its front.
  private struct Queue {
    private var items: [Point] = []
    private var head = 0

    var count: Int { items.count - head }

    subscript(index: Int) -> Point { items[head + index] }

    mutating func append(_ point: Point) { items.append(point) }

    mutating func removeFirst() {
      head += 1
      guard head > 256 else { return }
      items.removeFirst(head)
      head = 0
    }

    func firstIndex(where isWanted: (Point) -> Bool) -> Int? {
      items[head...].firstIndex(where: isWanted).map { $0 - head }
    }
  }
}
