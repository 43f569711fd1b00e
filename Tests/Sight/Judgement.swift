import Camera
import Clocks
import CourtLogic
import CourtMapping
import Glibc
import Scenes

/// How well the player was found in one scene.
struct Judgement {
  /// In frames with a visible player, from a second after the player's entrance on.
  var frames = 0
  var tracked = 0
  /// In metres.
  var errors: [Double] = []
  /// Frames of the longest gap.
  var longestGap = 0
  var means = 0
  var rightMeans = 0
  /// Frames with a doubt, by its code; all frames of the scene count.
  var doubts: [String: Int] = [:]
  /// Frames in which the finder named a place, and there was no player.
  var strays = 0
  /// Of the last ten seconds and more: in which the court was called wet.
  var late = 0
  var lateWet = 0
  /// In milliseconds of processor, of all frames.
  var cost = 0.0
  var count = 0
  /// For the correction of the foot point: in heights of a person.
  var lifts: [Double] = []

  static func of(_ setting: Setting, seed: UInt64, seconds: Double) -> Judgement {
    let small = PictureSize(width: 320, height: 180)!
    let full = PictureSize(width: 1280, height: 720)!
    let scene = Scene(setting, seed: seed, size: small)
    let marks = scene.camera.marks(in: full, error: 1.5, seed: seed)
    guard let calibration = try? Calibration(marks: marks, size: full) else {
      fatalError("no calibration of \(setting) \(seed)")
    }
    let finder = PlayerFinder(calibration: calibration, size: small)
    var picture = ColourPicture(width: 320, height: 180)
    var judgement = Judgement()
    var gap = 0
    var recent: [(seen: CourtPoint, true: CourtPoint)] = []
    while scene.time < seconds {
      let time = scene.time
      let truth = scene.next(into: &picture.bytes)
      let before = processorTime()
      let sighting = finder.find(in: picture, at: .start.advanced(by: .seconds(time)))
      judgement.cost += processorTime() - before
      judgement.count += 1
      var place: CourtPoint?
      switch sighting {
      case .player(let foot, _): place = calibration.court(foot)
      case .nothing(let doubt): judgement.doubts[doubt.code, default: 0] += 1
      }
      if time > 13 {
        judgement.late += 1
        if case .nothing(.wetCourt) = sighting { judgement.lateWet += 1 }
      }
      guard let foot = truth.foot, truth.isVisible else {
        if place != nil { judgement.strays += 1 }
        continue
      }
      guard time > 4 else { continue }
      judgement.frames += 1
      guard let place else {
        gap += 1
        judgement.longestGap = max(judgement.longestGap, gap)
        continue
      }
      gap = 0
      judgement.tracked += 1
      judgement.errors.append(hypot(place.x - foot.x, place.y - foot.y))
      if let p = calibration.picture(foot), let q = calibration.picture(place),
        let h = calibration.pixelsHigh(1.75, at: foot)
      {
        judgement.lifts.append((p.v - q.v) / h);
        if getenv("DUMP") != nil {
          print(
            "D",
            time,
            foot.x,
            foot.y,
            (p.u - q.u) / 4,
            (p.v - q.v) / 4,
            h / 4,
            1 / (4 * calibration.metresPerPixel(at: foot)!),
            foot.x - scene.camera.place.x,
            foot.y - scene.camera.place.y
          )
        }
      }
      recent.append((place, foot))
      if recent.count > 15 { recent.removeFirst() }
      guard recent.count == 15 else { continue }
      judgement.means += 1
      if zone(recent.map(\.seen)) == zone(recent.map(\.true)) { judgement.rightMeans += 1 }
    }
    return judgement
  }

  /// Of the mean of places; outside the court the nearest one.
  private static func zone(_ places: [CourtPoint]) -> Zone? {
    let count = Double(places.count)
    let x = places.map(\.x).reduce(0, +) / count
    let y = places.map(\.y).reduce(0, +) / count
    return Court().zone(
      x: min(max(x, 0), Court.width),
      y: min(max(y, 0), Court.length)
    )
  }

  static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
  }

  mutating func add(_ other: Judgement) {
    frames += other.frames
    tracked += other.tracked
    errors += other.errors
    longestGap = max(longestGap, other.longestGap)
    means += other.means
    rightMeans += other.rightMeans
    doubts.merge(other.doubts, uniquingKeysWith: +)
    strays += other.strays
    late += other.late
    lateWet += other.lateWet
    cost += other.cost
    count += other.count
    lifts += other.lifts
  }

  func error(_ share: Double) -> Double {
    guard !errors.isEmpty else { return .nan }
    return errors.sorted()[Int(Double(errors.count - 1) * share)]
  }
}
