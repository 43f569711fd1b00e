import Host

/// How many runs of the service in a row have ended without a word, as by an abort of libmosquitto. Each
/// makes the next one wait longer: Debian 12's systemd has no growing delays between restarts.
struct UnfinishedRuns: Sendable {
  /// A run that lasts so long begins a new row.
  static let steady = Duration.seconds(600)
  private static let longest = Duration.seconds(300)
  /// More of them wait no longer.
  private static let most = 99

  private let file: StateFile
  private let warn: @Sendable (String) -> Void

  /// - Parameter warn: is told that the count can't be kept. A full disk takes no stop away from the office.
  init(in state: StateDirectory, warn: @escaping @Sendable (String) -> Void) {
    file = StateFile("unfinished-runs", in: state, mode: 0o600)
    self.warn = warn
  }

  /// This run begins, and counts as unfinished until ``finish()``.
  ///
  /// - Returns: how many there are before it. A file that can't be read says nothing of any.
  func begin() -> Int {
    let text = ((try? file.read()) ?? nil) ?? []
    let before = max(0, Int(String(decoding: text, as: UTF8.self)) ?? 0)
    attempt { () throws(StateFileError) in try write(before + 1) }
    return before
  }

  /// This run has lasted: it is the first of its row.
  func settle() { attempt { () throws(StateFileError) in try write(1) } }

  /// This run ends in order.
  func finish() { attempt { () throws(StateFileError) in try file.remove() } }

  private func write(_ count: Int) throws(StateFileError) {
    try file.write(Array("\(min(count, Self.most))".utf8))
  }

  private func attempt(_ change: () throws(StateFileError) -> Void) {
    do throws(StateFileError) { try change() } catch { warn("\(error)") }
  }

  /// How long a run waits before it connects. systemd's own delay comes before each: one end alone adds
  /// nothing to it.
  static func delay(after unfinished: Int) -> Duration {
    guard unfinished > 1 else { return .zero }
    return min(.seconds(5 << min(unfinished - 2, 10)), longest)
  }
}
