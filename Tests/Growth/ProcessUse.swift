import Foundation
import Glibc

/// What another process has used, and holds.
struct ProcessUse {
  let process: pid_t

  struct Unreadable: Error, CustomStringConvertible {
    let description = "the process can't be looked at: it has ended"
  }

  /// Processor time of all its threads, in seconds, to the nanosecond.
  var processorTime: Double {
    get throws {
      var clock = clockid_t()
      var time = timespec()
      guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
        throw Unreadable()
      }
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
  }

  /// Memory that is its own, in MiB: what it has written to, without the program itself.
  var ownMemory: Double { get throws { try figure("RssAnon") / 1024 } }

  private func figure(_ name: String) throws -> Double {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    guard let number = line?.split(whereSeparator: \.isWhitespace).dropFirst().first,
      let value = Double(number)
    else { throw Unreadable() }
    return value
  }
}
