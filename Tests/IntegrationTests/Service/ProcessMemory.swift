import Foundation
import Host

/// What memory another process has for itself, looked at again and again.
final class ProcessMemory {
  private let samples = Locked<[Int]>([])
  private let ticker: Ticker

  /// Begins to look, ten times a second.
  init(of process: pid_t) {
    ticker = Ticker(rate: 10) { [samples] _ in
      guard let size = Self.anonymousMemory(of: process) else { return }
      samples.withLock { $0.append(size) }
    }
  }

  /// Ends looking.
  ///
  /// - Returns: the greatest size in each part of the time, in bytes.
  func peaks(in parts: Int) -> [Int] {
    ticker.cancel()
    let samples = samples.withLock(\.self)
    return (0..<parts).map { part in
      let range = samples.count * part / parts..<samples.count * (part + 1) / parts
      return samples[range].max() ?? 0
    }
  }

  /// Nothing once it is gone.
  private static func anonymousMemory(of process: pid_t) -> Int? {
    let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
      .map { $0 * 1024 }
  }
}
