package import Clocks
package import CourtMapping
import Glibc
package import Host
import Synchronization

/// Live positions from standard input, a file, a FIFO or a Unix socket.
///
/// A feed opens its source at once, so that a wrong path fails before other parts start, and reads
/// while ``run()`` runs. One task takes its ``events``.
///
/// - Standard input and regular files end with ``PositionEvent/ended``.
/// - A FIFO goes on with its next writer, a socket with its next client, until the task that runs
///   the feed is cancelled.
package final class PositionFeed: Sendable {
  package let source: PositionSource
  /// Whether the source is a regular file, which can't be live.
  package let isRecorded: Bool
  /// All events, each once.
  package let events = PositionEventQueue()
  /// The calibration of the camera that feeders of picture points look through. Nil: their points
  /// are refused.
  package let calibration: Locked<Calibration?>

  /// The feed's socket, for the keeper that makes its file again; nil where positions come from
  /// elsewhere.
  package let kept: KeptListener?
  private let clock: any MonotonicClock
  private let executor: LoopExecutor
  private let worldTime: @Sendable () -> Duration
  private let frame: CourtFrame
  private let clientLimit: Int
  private let input: Mutex<PositionReader.Input?>
  /// While it runs.
  private let reader = Mutex<PositionReader?>(nil)

  /// Opens the source.
  ///
  /// - Parameters:
  ///   - executor: on whose thread it is read.
  ///   - clock: stamps what arrives.
  ///   - calibration: for picture points.
  ///   - frame: what numbers mean, unless a feeder declares it.
  ///   - clientLimit: feeders that may be connected to a socket at once.
  ///   - worldTime: shows that the process stood still, see ``StandstillWatch``.
  package init(
    source: PositionSource,
    executor: LoopExecutor = .ofProgram(),
    clock: any MonotonicClock,
    calibration: Calibration? = nil,
    frame: CourtFrame = .court,
    clientLimit: Int = clientLimit,
    worldTime: @escaping @Sendable () -> Duration = { StandstillWatch.now }
  ) throws(PositionFeedError) {
    self.source = source
    self.executor = executor
    self.clock = clock
    self.worldTime = worldTime
    self.frame = frame
    self.clientLimit = clientLimit
    self.calibration = Locked(calibration)
    let input = try Self.open(source)
    if case .listener(let listener) = input { kept = listener } else { kept = nil }
    isRecorded =
      if case .stream(let descriptor, _) = input { descriptor.isRegularFile } else { false }
    self.input = Mutex(input)
    kept?.onRenewal { [weak self] socket in
      guard let reader = self?.reader.withLock(\.self) else { return }
      OneThread.task { await reader.listen(at: socket) }
    }
  }

  /// Feeders that may be connected to a socket at once.
  package static let clientLimit = 64

  /// Balls may fly soon: for the next hour, positions that waited while the process stood still are not
  /// used, even if no feeder was heard for long. Then an idle feed sleeps again.
  package func attend() {
    executor.perform { [weak self] in
      self?.reader.withLock(\.self)?.assumeIsolated { $0.attend() }
    }
  }

  /// Reads until the source ends, or until the task is cancelled. Once only.
  package func run() async throws {
    guard let input = input.withLock({ $0.take() }) else {
      preconditionFailure("a feed runs once")
    }
    do {
      let reader = try PositionReader(
        input,
        executor: executor,
        clock: clock,
        events: events,
        calibration: calibration,
        frame: frame,
        clientLimit: clientLimit,
        worldTime: worldTime
      )
      self.reader.withLock { $0 = reader }
      defer { self.reader.withLock { $0 = nil } }
      events.finish(ended: try await reader.run())
    } catch {
      events.finish(ended: false)
      throw error
    }
  }

  private static func open(
    _ source: PositionSource
  ) throws(PositionFeedError) -> PositionReader.Input {
    switch source {
    case .standardInput:
      // A duplicate, because a feed closes the descriptor that it reads.
      let number = dup(STDIN_FILENO)
      guard number >= 0 else { throw .system(SystemError("read standard input")) }
      return .stream(FileDescriptor(owning: number), name: "stdin")
    case .file(let path):
      do throws(SystemError) {
        // Non-blocking, because opening a FIFO would otherwise wait for its writer.
        let descriptor = try PositionReader.openFIFO(path)
        var status = stat()
        guard fstat(descriptor.number, &status) == 0 else { throw SystemError("open \(path)") }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: throw SystemError("read positions from \(path)", code: EISDIR)
        // A pipe that a shell passes as /dev/stdin or /dev/fd/63 has no second writer.
        case S_IFIFO where !path.hasPrefix("/dev/"): return .fifo(descriptor, path: path)
        default:
          if let port = try SerialPort(descriptor) { return .serialPort(port, path: path) }
          return .stream(descriptor, name: path)
        }
      } catch {
        // Opening a socket as a file gives ENXIO.
        throw error.code == ENXIO ? .socketAsFile(path) : .system(error)
      }
    case .socket(let path):
      do { return .listener(try KeptListener(path: path)) } catch { throw .socket(error) }
    }
  }
}

/// Why a source can't be opened.
package enum PositionFeedError: Error, Hashable, Sendable {
  case system(SystemError)
  case socket(UnixSocketError)
  case socketAsFile(String)
}

extension PositionFeedError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .system(let error): error.description
    case .socket(let error): error.description
    case .socketAsFile(let path):
      "\(path) is a socket or a device that no program serves: to listen there, say unix:\(path)"
    }
  }
}
