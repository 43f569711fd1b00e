import Clocks
import CourtLogic
import Glibc
import Host

/// Timers that do nothing, for comparison with what the bridge does on time.
///
/// `BareTimer PERIOD COUNT` runs so many of them with their due times spread over the period, each on a
/// grid of its own, and writes a line for each time that one was due: its number, and how many seconds
/// late it was.
/// It ends with a signal.
@main enum BareTimer {
  static func main() {
    guard CommandLine.arguments.count == 3, let period = Double(CommandLine.arguments[1]),
      let count = Int(CommandLine.arguments[2]), period > 0, count > 0
    else { exit(64) }
    let clock = SystemClock()
    let start = clock.now
    // As the bridge does.
    OneThread.run {
      await withTaskGroup { group in
        for number in 1...count {
          let first = start.advanced(by: .seconds(period * Double(number) / Double(count)))
          group.addTask { await run(number, clock, from: first, every: .seconds(period)) }
        }
      }
      return 0
    }
  }

  /// Waits as the bridge's alarm does.
  private static func run(
    _ number: Int,
    _ clock: SystemClock,
    from first: MonotonicInstant,
    every period: Duration
  ) async {
    var due = first
    while (try? await clock.sleep(until: due, tolerance: .zero)) != nil {
      let line = Array("\(number) \(due.duration(to: clock.now) / .seconds(1))\n".utf8)
      write(STDOUT_FILENO, line, line.count)
      due = due.advanced(by: period)
    }
  }
}
