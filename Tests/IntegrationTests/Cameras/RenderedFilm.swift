import Calibrations
import Camera
import Clocks
import CourtMapping
import Host
import Scenes
import Testing

/// A rendered court as a camera sends it, rendered before it is shown: that takes long here.
struct RenderedFilm {
  /// Frames a second: what the emulated processor takes from a program that isn't optimised.
  static let rate = 6.0
  private static let seconds = 14

  let size: PictureSize
  private(set) var frames: [[UInt8]] = []
  /// Where the player is, a place a frame; nil while the court is empty.
  private var feet: [CourtPoint?] = []
  let calibration: CalibrationFile

  init() throws {
    size = try #require(PictureSize(width: 640, height: 360))
    let scene = Scene(.sun, seed: 3, size: size, rate: Self.rate)
    let marks = scene.camera.marks(in: size, error: 0.5, seed: 1)
    let calibration = try CalibrationFile.calibration(marks: marks, size: size)
    self.calibration = CalibrationFile(calibration, confirmed: calibration.sentence)
    var bytes = [UInt8](repeating: 0, count: size.width * size.height * 3)
    for _ in 0..<Self.seconds * Int(Self.rate) {
      let truth = scene.next(into: &bytes)
      feet.append(truth.isVisible ? truth.foot : nil)
      frames.append(
        try #require(JPEG.encode(bytes, width: size.width, height: size.height))
      )
    }
  }

  /// A frame in which the player is well inside a zone, for a while already in the picture.
  struct Stop {
    let frame: Int
    let zone: String
  }

  /// - Parameter zone: another one.
  func stop(after frame: Int = Int(6 * rate), notIn zone: String? = nil) throws -> Stop {
    try #require(
      feet.indices.dropFirst(frame).lazy.compactMap { index -> Stop? in
        guard let foot = feet[index], let here = CourtFacts.zone(x: foot.x, y: foot.y),
          here != zone
        else { return nil }
        // More than the camera's program is wrong by.
        let isInside = [(-0.5, 0.0), (0.5, 0), (0, -0.6), (0, 0.6)].allSatisfy {
          CourtFacts.zone(x: foot.x + $0.0, y: foot.y + $0.1) == here
        }
        return isInside ? Stop(frame: index, zone: here) : nil
      }.first
    )
  }
}

/// Shows a film on the camera that the tests feed, in real time, up to a frame that stays: the player
/// stands there.
actor Projector {
  private let film: RenderedFilm
  private let clock = SystemClock()
  private var node: VideoNode?
  private var stop: Int
  private var next = 0
  private var showing: Task<Void, any Error>?
  private var waiting: [CheckedContinuation<Void, Never>] = []
  /// When it showed its last frame.
  private(set) var last = MonotonicInstant.start

  init(_ film: RenderedFilm, to stop: RenderedFilm.Stop) throws {
    self.film = film
    self.stop = stop.frame
    node = try VideoNode(Cameras.fed)
    try node?.feed(.mjpeg, film.size)
  }

  func start() {
    showing = Task {
      while !Task.isCancelled {
        try show()
        try await Task.sleep(for: .seconds(1 / RenderedFilm.rate))
      }
    }
  }

  private func show() throws {
    try node?.write(film.frames[next])
    last = clock.now
    if next < stop {
      next += 1
    } else {
      for waiter in waiting { waiter.resume() }
      waiting = []
    }
  }

  /// Goes on to a later frame.
  func goOn(to stop: RenderedFilm.Stop) { self.stop = stop.frame }

  /// Returns when the player stands.
  func stands() async {
    if next < stop { await withCheckedContinuation { waiting.append($0) } }
  }

  /// Leaves the camera without frames.
  ///
  /// - Returns: when the last one was shown.
  func end() async -> MonotonicInstant {
    showing?.cancel()
    _ = await showing?.result
    node = nil
    return last
  }
}
