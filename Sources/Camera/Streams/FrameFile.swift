package import Clocks
package import CourtMapping
package import Host

/// Frames from a file, at a rate or as fast as they are taken: what a stream may be, a film, or YUYV.
///
/// Reading may wait for the disk or for what decodes a film: for trials, not beside what must be on time.
package final class FrameFile: FrameSource {
  package enum Content: Hashable, Sendable {
    /// JPEGs one behind the other, or multipart or Y4M if the first bytes say so; the first frame says
    /// how large they are.
    case mjpeg
    /// What this command reads, which writes such a stream.
    case film(through: [String])
    /// Frames of that format and size, without padding.
    case raw(PixelFormat, PictureSize)

    /// What a file's first bytes say: a film needs ffmpeg.
    ///
    /// - Parameter rate: frames a second that are wanted of a film.
    package static func of(_ path: String, rate: Int) throws(CameraProblem) -> Content {
      var start: [UInt8] = []
      do throws(SystemError) {
        try InputFile.read(path) { bytes in
          start = Array(bytes.prefix(StreamKind.enough))
          return false
        }
      } catch {
        // Opening it says what is wrong.
        return .mjpeg
      }
      guard case .film(let kind) = StreamKind(start) else { return .mjpeg }
      guard FFmpeg.isInstalled else {
        throw CameraProblem(
          .needsProgram,
          path,
          "it is \(kind), which ffmpeg reads, and ffmpeg is not installed",
          remedy: "run `apt install ffmpeg', or where it is: \(FFmpeg.line(for: path))"
        )
      }
      return .film(through: FFmpeg.reading(film: path, rate: rate))
    }
  }

  package let path: String
  package let layout: FrameLayout
  package private(set) var hasEnded = false
  package var hasOwnTimes: Bool { !isPaced }
  package var descriptor: FileDescriptor { timer.descriptor }
  package var counts: FrameCounts {
    var counts = counted
    counts.damaged = reader.damaged
    return counts
  }

  private var reader: FrameReader
  private let clock: any MonotonicClock
  private let interval: Duration
  private let isPaced: Bool
  private let timer: IntervalTimer
  private var counted = FrameCounts()
  /// A frame that is read and not yet due.
  private var next: StreamPicture?
  private var number = 0
  /// When the first frame was taken.
  private var begin: MonotonicInstant?

  /// - Parameters:
  ///   - rate: frames a second, finite and above 0: what their times are made of.
  ///   - isPaced: whether they come at that rate, late ones being passed over like a camera's;
  ///     otherwise each comes as soon as it is asked for.
  ///   - times: how often the file is read, 1 or more.
  package init(
    _ path: String,
    _ content: Content,
    rate: Double,
    isPaced: Bool,
    times: Int = 1,
    clock: any MonotonicClock
  ) throws(CameraProblem) {
    self.path = path
    self.clock = clock
    self.isPaced = isPaced
    interval = .seconds(1) / rate
    do throws(SystemError) {
      timer = try IntervalTimer()
    } catch {
      throw CameraProblem(.badFile, path, error.description)
    }
    switch content {
    case .raw(let format, let size):
      guard let layout = FrameLayout(format, size), layout.samples != nil else {
        throw CameraProblem(.badFile, path, "no camera has \(size.width) × \(size.height) pixels")
      }
      self.layout = layout
      reader = try FrameReader(path, .frames(layout), times: times)
      next = try reader.next()
    case .mjpeg:
      reader = try FrameReader(path, .stream, times: times)
      next = try reader.next()
      layout = try Self.layout(ofFirst: next, path)
    case .film(let command):
      reader = try FrameReader(path, .film(through: command), times: times)
      next = try reader.next()
      layout = try Self.layout(ofFirst: next, path)
    }
    guard next != nil else { throw CameraProblem(.badFile, path, "it has no whole frame") }
  }

  private static func layout(
    ofFirst picture: StreamPicture?,
    _ path: String
  ) throws(CameraProblem) -> FrameLayout {
    do throws(PictureProblem) {
      return try (picture ?? StreamPicture(bytes: [], layout: nil)).ownLayout()
    } catch {
      throw CameraProblem(.badFile, path, "its first frame can't be used: \(error.cause)")
    }
  }

  package var canBeReopened: Bool { false }

  package func start() throws(CameraProblem) {
    do throws(SystemError) {
      try timer.start(every: isPaced ? interval : nil)
    } catch {
      throw CameraProblem(.badFile, path, error.description)
    }
  }

  package func takeNewest() throws(CameraProblem) -> Frame? {
    let due = isPaced ? timer.passed() : 1
    guard due > 0 else { return nil }
    for _ in 1..<due where next != nil {
      counted.passedOver += 1
      try advance()
    }
    guard let picture = next else {
      hasEnded = true
      return nil
    }
    let now = clock.now
    let first = begin ?? now
    begin = first
    counted.taken += 1
    defer { number += 1 }
    next = try reader.next()
    return Frame(
      copying: picture.bytes,
      picture.layout ?? layout,
      // Unpaced ones have the times that they would have had.
      time: isPaced ? now : first.advanced(by: interval * number),
      sequence: UInt32(truncatingIfNeeded: number)
    )
  }

  private func advance() throws(CameraProblem) {
    next = try reader.next()
    number += 1
  }
}
