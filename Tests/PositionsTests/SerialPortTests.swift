import Clocks
import CourtLogic
import Glibc
import Host
import TestSupport
import Testing

@testable import Positions

/// A detector at the other end of a serial port, which is a pseudoterminal here.
@Suite(.mustEnd)
struct SerialPortTests {
  private let clock = ManualClock(start: .start)
  private let time = Locked(Duration.zero)
  private let detector: FileDescriptor
  private let feed: PositionFeed
  /// A line of this player, but for its y.
  private let line = "0,1,"

  init() throws {
    let number = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    var (lock, terminal) = (CInt(0), CUnsignedInt(0))
    try #require(ioctl(number, unlock, &lock) == 0 && ioctl(number, getNumber, &terminal) == 0)
    detector = FileDescriptor(owning: number)
    feed = try PositionFeed(source: .file("/dev/pts/\(terminal)"), clock: clock) { [time] in
      time.withLock(\.self)
    }
  }

  @Test func itIsAPlainStreamOfBytesFromItsFirstWholeLine() async throws {
    try await run { events in
      // It was opened within a line. Noise: Ctrl-C, Ctrl-D, Ctrl-S.
      write("\(line)11\n\u{3}\u{4}\u{13}\n\(line)2\n")
      guard case .badLine(let bad, _) = await events.next() else {
        Issue.record("the noise is no line")
        return
      }
      #expect(bad.line == 2)
      #expect(await nextY(&events) == 2)
      write("\(line)3\r")
      #expect(await nextY(&events) == 3)
      write("\(line)4\r\n\(line)5\n")
      #expect(await nextY(&events) == 4)
      #expect(await nextY(&events) == 5)
      var echo: UInt8 = 0
      #expect(read(detector.number, &echo, 1) == -1 && errno == EAGAIN)
    }
  }

  @Test func whatWaitedDuringAStandstillIsNotUsed() async throws {
    try await run { events in
      write("\n\(line)2\n")
      #expect(await nextY(&events) == 2)
      time.withLock { $0 = .seconds(3) }
      let waiting = 2_000
      write(String(repeating: "\(line)3\n", count: waiting))
      #expect(await events.next() == .stoodStill(.seconds(3)))
      // The port itself may have held more. So many dropped lines are not of those alone.
      while feed.statistics.dropped <= waiting {
        write(String(repeating: "\(line)4\n", count: 100))
        try await Task.yieldUnlessCancelled()
      }
      clock.advance(by: StandstillWatch.pulse)
      let fresh = Task {
        while !Task.isCancelled {
          write("\(line)5\n")
          try? await SuspendingClock().sleep(for: .milliseconds(1))
        }
      }
      defer { fresh.cancel() }
      while true {
        let y = await nextY(&events)
        guard y == 4 else {
          #expect(y == 5)
          break
        }
      }
    }
  }

  private func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Glibc.write(detector.number, bytes, bytes.count)
  }

  /// - Returns: the next position's; nil for another event.
  private func nextY(_ events: inout PositionEventQueue.Iterator) async -> Double? {
    guard case .position(let position, _, _, _) = await events.next() else { return nil }
    return position.y
  }

  private func run(
    _ body: (inout PositionEventQueue.Iterator) async throws -> Void
  ) async throws {
    let task = Task { try await feed.run() }
    var events = feed.events.makeAsyncIterator()
    guard case .opened = await events.next() else { preconditionFailure("it was not opened") }
    let result: Result<Void, any Error>
    do { result = .success(try await body(&events)) } catch { result = .failure(error) }
    task.cancel()
    try await task.value
    try result.get()
  }
}

/// TIOCSPTLCK and TIOCGPTN, which are macros with a type in them. Source: ioctl_tty(2).
private let (unlock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
