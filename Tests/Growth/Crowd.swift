import Bridge
import Clocks
import Dispatch
import Glibc
import Host

/// Feeders that see somebody on the court, each on a connection of its own.
final class Crowd: Sendable {
  private let feeders: [FileDescriptor]
  private let queue = DispatchQueue(label: "crowd")

  init(_ count: Int, at path: String) throws {
    signal(SIGPIPE, SIG_IGN)
    feeders = try (0..<count).map { _ in try UnixSocketAddress(path: path).connected() }
  }

  /// Has all of them say where somebody is, one after the other and evenly, so that the bridge is woken
  /// as often as can be.
  ///
  /// - Parameter rate: positions a second of each.
  func feed(rate: Int, rounds: Int) async {
    await onQueue { [feeders] in
      let period = 1 / Double(rate * feeders.count)
      let start = Self.now
      for number in 0..<rounds * feeders.count {
        Self.wait(until: start + Double(number) * period)
        // Slow enough for a person, whichever feeder it is from.
        let x = 4 + 2 * sin(Double(number) * period)
        Self.write("{\"x\": \(x), \"y\": 9.8}\n", to: feeders[number % feeders.count])
      }
    }
  }

  /// Hangs up: the bridge tells of it for each of them once it has taken everything that this one said.
  func leave() {
    for feeder in feeders { shutdown(feeder.number, Int32(SHUT_RDWR)) }
  }

  private func onQueue(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      queue.async {
        body()
        continuation.resume()
      }
    }
  }

  private static func write(_ line: String, to descriptor: FileDescriptor) {
    let bytes = Array(line.utf8)
    _ = Glibc.write(descriptor.number, bytes, bytes.count)
  }

  /// In seconds.
  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func wait(until instant: Double) {
    let ahead = instant - now
    if ahead > 0 { usleep(UInt32(ahead * 1e6)) }
  }
}
