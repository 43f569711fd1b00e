import Camera
import Clocks
import CourtLogic
import CourtMapping
import Glibc
import Scenes

/// How well the player was found, in one scene or in several.
struct Judgement {
  /// In frames with a visible player, from a second after the player's entrance on.
  private var visible = 0
  private var found = 0
  /// In metres.
  private var errors: [Double] = []
  /// How much farther from the camera than the foot the places were, in metres, and how many.
  private var farther = (sum: 0.0, count: 0)
  private var means = 0
  private var rightMeans = 0
  /// In milliseconds of processor, and the frames it was spent on.
  private var cost = 0.0
  private var frames = 0
  /// In frames.
  private var longestGap = 0
  private var gap = 0
  /// Of the last second, while the player is found in each frame.
  private var recent: [(seen: CourtPoint, real: CourtPoint)] = []
  /// Frames with a doubt, by its code, in the window of ``Expectation``.
  private(set) var doubts: [String: Int] = [:]
  private(set) var places = 0
  private(set) var windowed = 0
  /// Places that were named where no player was: farther off than ``far``, and in another zone.
  private(set) var ghosts = 0
  /// How often the named place moved faster than a person, in two frames in a row or with up to
  /// ``hop`` between them.
  private(set) var jumps = 0
  private var before: (time: Double, place: CourtPoint)?
  /// Where it went wrong, oldest first.
  private(set) var failures: [Failure] = []

  /// In metres.
  private static let far = 1.5
  /// In seconds.
  private static let hop = 1.0
  /// Faster than any person, in metres a second, and in metres for what a foot is off by.
  private static let jump = (speed: 8.0, metres: 1.0)

  var tracked: Double { 100 * Double(found) / Double(max(visible, 1)) }
  var rightZones: Double { 100 * Double(rightMeans) / Double(max(means, 1)) }
  var gapSeconds: Double { Double(longestGap) / Scene.rate }
  var millisecondsAFrame: Double { cost / Double(max(frames, 1)) }

  /// In metres: how much farther from the camera than the foot a place is in the mean.
  var bias: Double { farther.sum / Double(max(farther.count, 1)) }

  func error(_ share: Double) -> Double {
    errors.isEmpty ? .nan : errors.sorted()[Int(Double(errors.count - 1) * share)]
  }

  /// - Parameters:
  ///   - window: the seconds from which on doubts count.
  ///   - spoiling: of the pictures; nil leaves them clean.
  ///   - isRecoded: the pictures pass through H.264.
  ///   - sun: see ``Scene``.
  init(
    _ setting: Setting,
    seed: UInt64,
    seconds: Double,
    window: Double,
    spoiling: Spoiling? = nil,
    isRecoded: Bool = false,
    sun: CourtPoint? = nil
  ) {
    guard let small = PictureSize(width: 320, height: 180),
      let full = PictureSize(width: 1280, height: 720)
    else { fatalError("no such sizes") }
    let scene = Scene(setting, seed: seed, size: small, spoiling: spoiling, sun: sun)
    // As exact as a person points: 1.5 pixels of 1280.
    let marks = scene.camera.marks(in: full, error: 1.5, seed: seed)
    let calibration: Calibration
    do throws(CalibrationProblem) {
      calibration = try Calibration(marks: marks, size: full)
    } catch {
      fatalError("no calibration of \(setting), seed \(seed): \(error)")
    }
    let finder = PlayerFinder(calibration: calibration, size: small)
    var picture = ColourPicture(width: small.width, height: small.height)
    var footage = Footage(scene, seconds: seconds, isRecoded: isRecoded)
    while let (time, truth) = footage.next(into: &picture.bytes) {
      let before = Self.processorTime()
      let sighting = finder.find(in: picture, at: .start.advanced(by: .seconds(time)))
      cost += Self.processorTime() - before
      frames += 1
      count(sighting, isInWindow: time >= window)
      countJumps(sighting, calibration, at: time)
      if isGhost(sighting, truth.feet, calibration) {
        ghosts += 1
        fail("ghost", at: time)
      }
      guard let foot = truth.foot, truth.isVisible, time > scene.start else { continue }
      compare(sighting, foot, calibration)
      if case .nothing(let doubt) = sighting { fail(doubt.code, at: time) }
    }
  }

  private func isGhost(
    _ sighting: Sighting,
    _ feet: [CourtPoint],
    _ calibration: Calibration
  ) -> Bool {
    guard case .player(let point, _) = sighting, let place = calibration.court(point) else {
      return false
    }
    return feet.allSatisfy { foot in
      hypot(place.x - foot.x, place.y - foot.y) > Self.far
        && Self.zone([place]) != Self.zone([foot])
    }
  }

  private mutating func countJumps(
    _ sighting: Sighting,
    _ calibration: Calibration,
    at time: Double
  ) {
    guard case .player(let point, _) = sighting, let place = calibration.court(point) else {
      return
    }
    if let before, time - before.time <= Self.hop {
      let distance = hypot(place.x - before.place.x, place.y - before.place.y)
      if distance > Self.jump.metres + Self.jump.speed * (time - before.time) {
        jumps += 1
        fail("jump", at: time)
      }
    }
    before = (time, place)
  }

  private mutating func fail(_ kind: String, at time: Double) {
    if let last = failures.last, last.kind == kind, time - last.end < 1.5 / Scene.rate {
      failures[failures.count - 1].end = time
    } else {
      failures.append(Failure(kind: kind, start: time, end: time))
    }
  }

  private mutating func count(_ sighting: Sighting, isInWindow: Bool) {
    guard isInWindow else { return }
    windowed += 1
    switch sighting {
    case .player: places += 1
    case .nothing(let doubt): doubts[doubt.code, default: 0] += 1
    }
  }

  private mutating func compare(
    _ sighting: Sighting,
    _ foot: CourtPoint,
    _ calibration: Calibration
  ) {
    visible += 1
    guard case .player(let point, _) = sighting, let place = calibration.court(point) else {
      gap += 1
      longestGap = max(longestGap, gap)
      recent.removeAll()
      return
    }
    gap = 0
    found += 1
    errors.append(hypot(place.x - foot.x, place.y - foot.y))
    if let camera = calibration.camera?.ground {
      let (dx, dy) = (foot.x - camera.x, foot.y - camera.y)
      let off = (place.x - foot.x) * dx + (place.y - foot.y) * dy
      farther.sum += off / max(hypot(dx, dy), 0.1)
      farther.count += 1
    }
    recent.append((place, foot))
    if recent.count > Int(Scene.rate) { recent.removeFirst() }
    guard recent.count == Int(Scene.rate) else { return }
    means += 1
    if Self.zone(recent.map(\.seen)) == Self.zone(recent.map(\.real)) { rightMeans += 1 }
  }

  /// Of the mean of places; outside the court the nearest one.
  private static func zone(_ places: [CourtPoint]) -> Zone? {
    let count = Double(places.count)
    let x = places.map(\.x).reduce(0, +) / count
    let y = places.map(\.y).reduce(0, +) / count
    return Court().zone(x: min(max(x, 0), Court.width), y: min(max(y, 0), Court.length))
  }

  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
  }

  mutating func add(_ other: Judgement) {
    visible += other.visible
    found += other.found
    errors += other.errors
    farther.sum += other.farther.sum
    farther.count += other.farther.count
    means += other.means
    rightMeans += other.rightMeans
    cost += other.cost
    frames += other.frames
    longestGap = max(longestGap, other.longestGap)
    doubts.merge(other.doubts, uniquingKeysWith: +)
    places += other.places
    windowed += other.windowed
    ghosts += other.ghosts
    jumps += other.jumps
  }
}
