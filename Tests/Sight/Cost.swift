import Calibrations
import Camera
import Clocks
import CourtMapping
import Glibc
import Scenes

/// What the parts of the work on a film's frames cost, in seconds of processor.
struct Cost {
  static let usage = "cost FOLDER"

  private var frames = 0
  private var decoding = 0.0
  private var finding = 0.0
  private var checking = 0.0
  /// Of what was found in each frame, bit for bit. Source: FNV-1a.
  private var digest: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Prints the number of frames, the seconds for making the small pictures, for finding the player in
  /// them, and for looking once a second whether the camera has moved, and a digest of what was found.
  ///
  /// - Parameter arguments: a folder with `film.mjpeg` and `court.yaml`, as ``Film`` writes them.
  static func print(_ arguments: [String]) throws {
    guard arguments.count == 1 else { throw Film.Failure(description: "usage: \(usage)") }
    var cost = Cost()
    try cost.measure(arguments[0] + "/film.mjpeg", arguments[0] + "/court.yaml")
    Swift.print(cost.frames, cost.decoding, cost.finding, cost.checking, cost.digest)
  }

  private mutating func measure(_ film: String, _ court: String) throws {
    let source = try FrameFile(
      film,
      .mjpeg,
      rate: Scene.rate,
      isPaced: false,
      clock: FixedClock()
    )
    let calibration = try CalibrationFile(path: court).calibration
    let layout = source.layout
    guard let size = PictureSize(width: layout.smallWidth, height: layout.smallHeight) else {
      throw Film.Failure(description: "the film's pictures are too small")
    }
    let finder = PlayerFinder(calibration: try calibration.scaled(to: layout.size), size: size)
    let decoder = FrameDecoder()
    var small = ColourPicture(width: 0, height: 0)
    var grey = GreyPicture(width: 0, height: 0)
    try source.start()
    while let frame = try source.takeNewest() {
      let begin = Self.processorTime()
      try decoder.readSmall(frame, into: &small)
      let decoded = Self.processorTime()
      if frames.isMultiple(of: Int(Scene.rate)) {
        try decoder.readGrey(frame, into: &grey)
        finder.check(grey)
      }
      let checked = Self.processorTime()
      let sighting = finder.find(in: small, at: frame.time)
      finding += Self.processorTime() - checked
      decoding += decoded - begin
      checking += checked - decoded
      frames += 1
      add(sighting)
    }
  }

  private mutating func add(_ sighting: Sighting) {
    switch sighting {
    case .nothing(let doubt):
      for byte in doubt.code.utf8 { add(UInt64(byte)) }
    case .player(let foot, let confidence):
      add(foot.u.bitPattern)
      add(foot.v.bitPattern)
      add(confidence.bitPattern)
    }
  }

  private mutating func add(_ value: UInt64) {
    for place in 0..<8 {
      digest = (digest ^ (value >> (UInt64(place) * 8) & 0xFF)) &* 0x100_0000_01b3
    }
  }

  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// The frames' times don't depend on when they were read.
private struct FixedClock: MonotonicClock {
  var now: MonotonicInstant { .start }
  var minimumResolution: Duration { .zero }
  func sleep(until deadline: MonotonicInstant, tolerance: Duration?) async throws {}
}
