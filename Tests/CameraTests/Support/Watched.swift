import Camera
import Clocks
import CourtLogic
import CourtMapping
import Glibc
import Scenes
import Testing

/// The small picture's size, and the calibration's.
let smallSize = PictureSize(width: 320, height: 180).unsafelyUnwrapped
let fullSize = PictureSize(width: 1280, height: 720).unsafelyUnwrapped

/// What a finder said of each frame of a scene.
struct Watched {
  struct Frame {
    let time: Double
    /// Where the player stands, if in the picture.
    let foot: CourtPoint?
    /// Where all stand who play, or stood on the court while it was learnt.
    let feet: [CourtPoint]
    let sighting: Sighting
    /// Where the finder says.
    let place: CourtPoint?

    var doubt: String? {
      if case .nothing(let doubt) = sighting { doubt.code } else { nil }
    }
    /// In metres.
    var error: Double? {
      guard let foot, let place else { return nil }
      return hypot(place.x - foot.x, place.y - foot.y)
    }
  }

  private(set) var frames: [Frame] = []

  /// - Parameters:
  ///   - spoiling: nil for clean pictures.
  ///   - sun: see ``Scene``.
  ///   - change: of each picture, before it is looked at.
  init(
    _ setting: Setting,
    seed: UInt64,
    seconds: Double,
    rules: FinderRules = FinderRules(),
    spoiling: Spoiling? = nil,
    sun: CourtPoint? = nil,
    change: (inout ColourPicture, Double) -> Void = { _, _ in }
  ) throws {
    let scene = Scene(setting, seed: seed, size: smallSize, spoiling: spoiling, sun: sun)
    let marks = scene.camera.marks(in: fullSize, error: 1.5, seed: seed)
    let calibration = try Calibration(marks: marks, size: fullSize)
    let finder = PlayerFinder(calibration: calibration, size: smallSize, rules: rules)
    var picture = ColourPicture(width: smallSize.width, height: smallSize.height)
    while scene.time < seconds {
      let time = scene.time
      let truth = scene.next(into: &picture.bytes)
      change(&picture, time)
      let sighting = finder.find(in: picture, at: .start.advanced(by: .seconds(time)))
      var place: CourtPoint?
      if case .player(let foot, _) = sighting { place = calibration.court(foot) }
      frames.append(
        Frame(
          time: time,
          foot: truth.isVisible ? truth.foot : nil,
          feet: truth.feet,
          sighting: sighting,
          place: place
        )
      )
    }
  }

  func between(_ from: Double, _ to: Double) -> [Frame] {
    frames.filter { $0.time >= from && $0.time < to }
  }

  /// The codes of all doubts.
  func doubts(from: Double, to: Double = .infinity) -> Set<String> {
    Set(between(from, to).compactMap(\.doubt))
  }
}

extension [Watched.Frame] {
  /// Of the frames with a player, 0…1.
  var tracked: Double {
    let visible = filter { $0.foot != nil }
    return Double(visible.count { $0.place != nil }) / Double(Swift.max(visible.count, 1))
  }

  /// In frames: the longest time without a place while there is a player.
  var longestGap: Int {
    var (longest, gap) = (0, 0)
    for frame in self where frame.foot != nil {
      gap = frame.place == nil ? gap + 1 : 0
      longest = Swift.max(longest, gap)
    }
    return longest
  }

  /// In metres: how far the places are from the player towards the camera, in the mean.
  func bias(towards camera: CourtPoint) -> Double {
    let nearer = compactMap { frame -> Double? in
      guard let foot = frame.foot, let place = frame.place else { return nil }
      let (dx, dy) = (camera.x - foot.x, camera.y - foot.y)
      return ((place.x - foot.x) * dx + (place.y - foot.y) * dy) / hypot(dx, dy)
    }
    return nearer.reduce(0, +) / Double(Swift.max(nearer.count, 1))
  }

  /// In metres.
  func error(_ share: Double) -> Double {
    let errors = compactMap(\.error).sorted()
    return errors.isEmpty ? .infinity : errors[Int(Double(errors.count - 1) * share)]
  }
}
