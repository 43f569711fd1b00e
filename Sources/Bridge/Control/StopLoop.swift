import Glibc
import Host

/// Serves the stop socket on a thread of its own: a client that sends a line, or connects and ends,
/// stops the machine and gets the outcome in a line.
///
/// The socket takes no other requests, so that nothing delays a stop.
struct StopLoop {
  /// Connections at once. A new one takes the place of one that has said nothing, or of the oldest.
  static let clientLimit = 64
  /// So many bytes are a stop, even without the end of a line.
  private static let longestSilence = 1024
  private static let acceptPause: Int32 = 1_000

  private struct Caller {
    let number: Int
    let descriptor: FileDescriptor
    var received = 0
    var hasAsked = false
  }

  let listener: ListeningSocket
  let answers: StopAnswers
  /// Begins a stop for the caller of this number.
  let start: @Sendable (Int) -> Void

  private var callers: [Caller] = []
  private var lastNumber = 0
  private var buffer = [UInt8](repeating: 0, count: longestSilence)

  init(listener: ListeningSocket, answers: StopAnswers, start: @escaping @Sendable (Int) -> Void) {
    self.listener = listener
    self.answers = answers
    self.start = start
  }

  /// Returns when the interruption comes.
  mutating func run(until interruption: FileDescriptor) throws(SystemError) {
    var acceptPaused = false
    while true {
      var polled = [
        interruption.number, answers.announcement.number,
        acceptPaused ? -1 : listener.descriptor.number,
      ].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      polled += callers.map {
        pollfd(fd: $0.hasAsked ? -1 : $0.descriptor.number, events: Int16(POLLIN), revents: 0)
      }
      guard poll(&polled, nfds_t(polled.count), acceptPaused ? Self.acceptPause : -1) >= 0 else {
        if errno == EINTR { continue }
        throw SystemError("wait for the stop socket's clients")
      }
      acceptPaused = false
      for index in callers.indices where polled[index + 3].revents != 0 { listen(to: index) }
      if polled[0].revents != 0 || polled[1].revents != 0 { answerCallers() }
      if polled[0].revents != 0 { return }
      if polled[2].revents != 0 { acceptPaused = !acceptCallers() }
    }
  }

  private mutating func listen(to index: Int) {
    let count = read(callers[index].descriptor.number, &buffer, buffer.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    // A caller that goes without sending a line: when in doubt, stop.
    let isLine = count <= 0 || buffer.prefix(count).contains(UInt8(ascii: "\n"))
    callers[index].received += max(count, 0)
    guard isLine || callers[index].received >= Self.longestSilence else { return }
    callers[index].hasAsked = true
    start(callers[index].number)
  }

  private mutating func answerCallers() {
    for (number, line) in answers.take() {
      guard let index = callers.firstIndex(where: { $0.number == number }) else { continue }
      var output = OutputBuffer()
      output.append(line: line)
      // It fits into the socket's empty buffer.
      _ = output.flush(to: callers[index].descriptor)
      callers.remove(at: index)
    }
  }

  /// - Returns: false when the system had no room for a new one.
  private mutating func acceptCallers() -> Bool {
    for _ in 0..<Self.clientLimit {
      do throws(SystemError) {
        guard let descriptor = try listener.accept() else { return true }
        if callers.count == Self.clientLimit, !removeSilent() {
          // The stop that the oldest asked for goes on without it.
          callers.removeFirst()
        }
        lastNumber += 1
        callers.append(Caller(number: lastNumber, descriptor: descriptor))
      } catch {
        // A caller that has said nothing makes room for one that may.
        guard removeSilent() else { return false }
      }
    }
    return true
  }

  /// - Returns: false where all have asked.
  private mutating func removeSilent() -> Bool {
    for index in callers.indices where !callers[index].hasAsked {
      // It may have sent a stop that has not been read yet.
      listen(to: index)
      guard callers[index].hasAsked else {
        callers.remove(at: index)
        return true
      }
    }
    return false
  }
}

/// The outcomes of stops, from the tasks that asked for them to the thread that sends them.
final class StopAnswers: Sendable {
  private let waiting = Locked<[(number: Int, line: [UInt8])]>([])
  private let bell: Doorbell

  init() throws(SystemError) {
    bell = try Doorbell()
  }

  /// Readable when there is something.
  var announcement: FileDescriptor { bell.descriptor }

  func post(_ line: [UInt8], to number: Int) {
    waiting.withLock { $0.append((number, line)) }
    bell.ring()
  }

  func take() -> [(number: Int, line: [UInt8])] {
    bell.answer()
    return waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}
