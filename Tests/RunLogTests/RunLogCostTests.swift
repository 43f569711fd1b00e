import CourtLogic
import Glibc
import TestSupport
import Testing

@testable import Clocks
@testable import Host
@testable import Positions
@testable import RunLog

struct RunLogCostTests {
  /// The processor time that this thread has used, in seconds.
  private static var used: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func cost(_ work: () throws -> Void) rethrows -> Double {
    let before = used
    try work()
    return used - before
  }

  /// One second of eight cameras, 60 times. Prints what a position costs; reading its line is what
  /// it is compared with.
  @Test func loggingAPositionCostsLessThanReadingIt() throws {
    let directory = try TemporaryDirectory()
    var recorder = LogRecorder(
      LogSettings(),
      in: LogDirectory(path: directory("sessions")),
      at: .start,
      wallClock: .zero,
      program: "test"
    )
    let lines = (0..<960).map { frame in
      Array(#"{"x": \#(Double(frame) / 117.3), "y": \#(Double(frame) / 93.1), "t": 1.5}"#.utf8)
    }
    var parser = PositionParser(.ofArrival)
    let queue = Locked(LogQueue())
    var (reading, queueing, writing) = (0.0, 0.0, 0.0)
    for second in 0..<60 {
      var positions: [PlayerPosition] = []
      reading += try Self.cost {
        for line in lines {
          if let report = try parser.parse(line) { positions.append(report.position) }
        }
      }
      let instant = MonotonicInstant.start.advanced(by: .seconds(second))
      queueing += Self.cost {
        for (frame, position) in positions.enumerated() {
          let source = SourceID(connection: frame.isMultiple(of: 2) ? "client 1" : "client 2")
          _ = queue.withLock {
            $0.append(.position(position, from: source, at: instant), .position)
          }
        }
      }
      writing += Self.cost {
        let (entries, losses) = queue.withLock { $0.drain() }
        recorder.record(entries, losses: losses, at: instant, wallClock: instant.sinceStart)
        #expect(recorder.write(at: instant).warnings == [])
      }
    }
    let count = Double(60 * lines.count)
    func microseconds(_ seconds: Double) -> Double { (seconds / count * 1e8).rounded() / 100 }
    print(
      "a position: read in \(microseconds(reading)) µs, queued in \(microseconds(queueing)) µs,"
        + " written in \(microseconds(writing)) µs"
    )
    #expect(queueing + writing < reading)
  }
}
