import Calibrations
import Camera
import Clocks
import CourtMapping
import Foundation
import Host
import Scenes
import TestSupport
import Testing

/// A film that is read as fast as it can be worked on: no frame of it is passed over.
@Suite(.mustEnd) struct FastFilmTests {
  /// The clock of a machine that is far too slow: each look at it takes a while.
  private struct SlowClock: MonotonicClock {
    let time: Locked<MonotonicInstant>
    let step: Duration

    var minimumResolution: Duration { .zero }
    var now: MonotonicInstant {
      time.withLock { time in
        time = time.advanced(by: step)
        return time
      }
    }

    func sleep(until _: MonotonicInstant, tolerance _: Duration?) async throws {}
  }

  private static let seconds = 5.0

  /// A scene's film and calibration.
  private func prepare(_ folder: TemporaryDirectory) throws -> Int {
    let scene = Scene(.sun, seed: 304, size: smallSize)
    let marks = scene.camera.marks(in: smallSize, error: 0, seed: 1)
    let calibration = try CalibrationFile.calibration(marks: marks, size: smallSize)
    try CalibrationFile(calibration, confirmed: calibration.sentence)
      .write(to: folder("court.yaml"))
    var bytes = [UInt8](repeating: 0, count: smallSize.width * smallSize.height * 3)
    var film: [UInt8] = []
    var frames = 0
    while scene.time < Self.seconds {
      _ = scene.next(into: &bytes)
      film += try #require(
        JPEG.encode(bytes, width: smallSize.width, height: smallSize.height)
      )
      frames += 1
    }
    try Data(film).write(to: URL(fileURLWithPath: folder("film.mjpeg")))
    return frames
  }

  /// Each position, with the time since the film's first frame.
  private func positions(in folder: TemporaryDirectory, _ clock: SlowClock) async throws -> [String]
  {
    var settings = CameraSettings()
    settings.calibration = folder("court.yaml")
    let begin = Locked<MonotonicInstant?>(nil)
    let positions = Locked<[String]>([])
    let camera = CourtCamera(
      settings,
      clock: clock,
      open: { () throws(CameraProblem) in
        try FrameFile(folder("film.mjpeg"), .mjpeg, rate: 15, isPaced: false, clock: clock)
      },
      deliver: { foot in
        let first = begin.withLock { begin in
          begin = begin ?? foot.taken
          return begin ?? foot.taken
        }
        let time = first.duration(to: foot.taken)
        positions.withLock { $0.append("\(time) \(foot.point) \(foot.confidence)") }
      },
      report: { _ in }
    )
    await camera.run()
    return positions.withLock { $0 }
  }

  @Test func eightRunsOnSlowMachinesGiveTheSamePositions() async throws {
    let folder = try TemporaryDirectory()
    let frames = try prepare(folder)
    var runs: [[String]] = []
    for run in 0..<8 {
      // A time since the start of a day of which no float is exact, and a lag of up to 21 s in a film of 5 s.
      let start = MonotonicInstant.start.advanced(by: .seconds(86_400 * run) / 7 + .seconds(3))
      let clock = SlowClock(time: Locked(start), step: .milliseconds(20 * run))
      runs.append(try await positions(in: folder, clock))
    }
    #expect(runs[0].count > frames / 4, "\(runs[0].count) of \(frames)")
    for run in runs.dropFirst() { #expect(run == runs[0], "\(run.count), not \(runs[0].count)") }
  }
}
