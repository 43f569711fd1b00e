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
  ///
  /// - Parameters:
  ///   - room: how many positions the reader takes before it waits; nil: all.
  ///   - wait: how it waits.
  private func positions(
    in folder: TemporaryDirectory,
    _ clock: SlowClock,
    room: Int? = nil,
    wait: @escaping @Sendable () async -> Void = {},
    report: @escaping CourtCamera.Report = { _ in }
  ) async throws -> [String] {
    var settings = CameraSettings()
    settings.calibration = folder("court.yaml")
    let begin = Locked<MonotonicInstant?>(nil)
    let positions = Locked<[String]>([])
    let taken = Locked(0)
    let camera = CourtCamera(
      settings,
      clock: clock,
      open: { () throws(CameraProblem) in
        try FrameFile(folder("film.mjpeg"), .mjpeg, rate: 15, isPaced: false, clock: clock)
      },
      delivery: PointDelivery { foot in
        let hasRoom = taken.withLock { taken in
          taken += 1
          return taken <= room ?? .max
        }
        guard hasRoom else { return false }
        let first = begin.withLock { begin in
          begin = begin ?? foot.taken
          return begin ?? foot.taken
        }
        let time = first.duration(to: foot.taken)
        positions.withLock { $0.append("\(time) \(foot.point) \(foot.confidence)") }
        return true
      } waitForRoom: {
        taken.withLock { $0 = 0 }
        await wait()
      },
      report: report
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

  @Test func aReaderThatIsSlowGetsThemAll() async throws {
    let folder = try TemporaryDirectory()
    _ = try prepare(folder)
    let clock = SlowClock(time: Locked(.start.advanced(by: .seconds(3))), step: .zero)
    let all = try await positions(in: folder, clock)
    let waits = Locked(0)
    let slowly = try await positions(in: folder, clock, room: 3) { waits.withLock { $0 += 1 } }
    #expect(slowly == all)
    #expect(waits.withLock(\.self) == (all.count - 1) / 3)
  }

  @Test func aReaderThatWaitsIsNoCameraThatIsSilent() async throws {
    let folder = try TemporaryDirectory()
    _ = try prepare(folder)
    let clock = SlowClock(time: Locked(.start.advanced(by: .seconds(3))), step: .zero)
    let states = Locked<[SightRecord.State]>([])
    _ = try await positions(in: folder, clock, room: 3) {
      let isFirst = clock.time.withLock { time in
        defer { time = time.advanced(by: .seconds(4)) }
        return time == .start.advanced(by: .seconds(3))
      }
      // Longer than a camera may be silent before that is reported.
      if isFirst { try? await Task.sleep(for: .seconds(3.5)) }
    } report: { record in
      states.withLock { $0.append(record.state) }
    }
    #expect(states.withLock(\.self) == [.nothing, .nothing, .player])
  }
}
