import Camera
import Clocks
import Host

/// A still film whose frames a test may spoil.
final class SpoiltFilm: FrameSource {
  enum Fate: Sendable { case good, damaged, old, failing }

  let path: String
  private let film: FrameFile
  private let fate: Locked<Fate>
  private var spoilt = FrameCounts()

  var descriptor: FileDescriptor { film.descriptor }
  var hasEnded: Bool { film.hasEnded }
  var counts: FrameCounts {
    var counts = film.counts
    counts.taken -= spoilt.damaged + spoilt.old
    counts.damaged += spoilt.damaged
    counts.old += spoilt.old
    return counts
  }

  init(
    _ path: String,
    _ fate: Locked<Fate>,
    isPaced: Bool,
    clock: any MonotonicClock
  ) throws(CameraProblem) {
    self.path = path
    self.fate = fate
    film = try FrameFile(path, .mjpeg, rate: 20, isPaced: isPaced, times: .max, clock: clock)
  }

  func start() throws(CameraProblem) { try film.start() }

  func takeNewest() throws(CameraProblem) -> Frame? {
    guard let frame = try film.takeNewest() else { return nil }
    switch fate.withLock({ $0 }) {
    case .good: return frame
    case .damaged: spoilt.damaged += 1
    case .old: spoilt.old += 1
    case .failing: throw .silent(path)
    }
    return nil
  }
}
