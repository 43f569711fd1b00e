package import CourtLogic
import Glibc
import Synchronization

/// Live positions from standard input, a file, a FIFO or a Unix socket.
///
/// A feed opens its source at once, so that a wrong path is an error before anything else starts,
/// and reads while ``run()`` runs. What comes is in ``events``, which one task takes.
///
/// - Standard input and regular files end with ``PositionEvent/ended``.
/// - A FIFO goes on with its next writer, a socket with its next client, until the task that runs
///   the feed is cancelled.
package final class PositionFeed: Sendable {
  package let source: PositionSource
  /// Everything that comes, each event once.
  package let events = PositionEventQueue()

  private let clock: any MonotonicClock
  private let worldTime: @Sendable () -> Duration
  private let clientLimit: Int
  private let input: Mutex<PositionReader.Input?>

  /// Opens the source.
  ///
  /// - Parameters:
  ///   - clock: stamps what arrives.
  ///   - clientLimit: feeders that may be connected to a socket at once; fewer are where the system
  ///     lets this process have too few files open.
  ///   - worldTime: by which it notices that the process stood still, see ``StandstillWatch``.
  package init(
    source: PositionSource,
    clock: any MonotonicClock,
    clientLimit: Int = clientLimit,
    worldTime: @escaping @Sendable () -> Duration = { StandstillWatch.now }
  ) throws(PositionFeedError) {
    self.source = source
    self.clock = clock
    self.worldTime = worldTime
    if case .socket = source {
      let openFiles = OpenFileLimit.raise(to: clientLimit + Self.otherFiles)
      self.clientLimit = max(1, min(clientLimit, openFiles - Self.otherFiles))
    } else {
      self.clientLimit = 0
    }
    input = Mutex(try Self.open(source))
  }

  /// Takes over a stream that is open already; it ends like standard input.
  package init(
    reading descriptor: FileDescriptor,
    name: String,
    clock: any MonotonicClock,
    worldTime: @escaping @Sendable () -> Duration = { StandstillWatch.now }
  ) {
    source = .file(name)
    self.clock = clock
    self.worldTime = worldTime
    clientLimit = 0
    input = Mutex(.stream(descriptor, name: name))
  }

  /// Feeders that may be connected to a socket at once.
  package static let clientLimit = 1024
  /// The files that the rest of the service may have open: the clients of its other sockets, each of
  /// whom may want to stop the machine, and 64 of its own (40 were measured). No feeder gets these.
  private static let otherFiles = StopLoop.clientLimit + ControlPlaces.connections + 64
  /// The files that a service must be able to open: a few feeders come to the others.
  package static let neededFiles = otherFiles + 16

  package var statistics: PositionFeedStatistics { events.statistics }

  /// Reads until the source ends, or until the task is cancelled. Once only.
  package func run() async throws {
    do {
      try await WaitingThread.run { [self] interruption in
        // Taken out there, it is closed there: a socket is gone when this returns.
        guard let input = input.withLock({ $0.take() }) else {
          preconditionFailure("a feed runs once")
        }
        var reader = PositionReader(
          input,
          clock: clock,
          events: events,
          clientLimit: clientLimit,
          interruption: interruption,
          worldTime: worldTime
        )
        try reader.run()
      }
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
      // A duplicate, because what a feed reads from is closed with it.
      let number = dup(STDIN_FILENO)
      guard number >= 0 else { throw .system(SystemError("read standard input")) }
      return .stream(FileDescriptor(owning: number), name: "stdin")
    case .file(let path):
      do throws(SystemError) {
        // Non-blocking, because opening a FIFO would else wait for its writer.
        let descriptor = try PositionReader.openFIFO(path)
        var status = stat()
        guard fstat(descriptor.number, &status) == 0 else { throw SystemError("open \(path)") }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: throw SystemError("read positions from \(path)", code: EISDIR)
        // A pipe that a shell passes as /dev/stdin or /dev/fd/63 has no second writer.
        case S_IFIFO where !path.hasPrefix("/dev/"): return .fifo(descriptor, path: path)
        default: return .stream(descriptor, name: path)
        }
      } catch {
        // Opening a socket as a file gives ENXIO.
        throw error.code == ENXIO ? .socketAsFile(path) : .system(error)
      }
    case .socket(let path):
      do { return .listener(try ListeningSocket(path: path)) } catch { throw .socket(error) }
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
      "\(path) is a socket or a device without anybody behind it: to listen there, say unix:\(path)"
    }
  }
}
