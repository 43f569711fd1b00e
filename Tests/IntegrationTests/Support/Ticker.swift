import Clocks
import Dispatch

/// Does something steadily on a thread that is no task's, however busy the tests are: a player is
/// seen.
final class Ticker {
  private let timer: any DispatchSourceTimer

  /// - Parameters:
  ///   - rate: how many times a second.
  ///   - body: is told the seconds since the start.
  init(rate: Int = 20, _ body: @escaping @Sendable (Double) -> Void) {
    let clock = SuspendingClock()
    let start = clock.now
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "ticker"))
    timer.schedule(deadline: .now(), repeating: .microseconds(1_000_000 / rate))
    timer.setEventHandler { body(start.duration(to: clock.now) / .seconds(1)) }
    timer.resume()
  }

  func cancel() { timer.cancel() }

  deinit { timer.cancel() }
}
