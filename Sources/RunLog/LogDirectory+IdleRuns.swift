import ControlProtocol
import Host

/// Runs of the service in which no ball could fly, not even one by hand.
extension LogDirectory {
  /// Makes room for a file, where there are too many, without erasing sessions: a service that
  /// restarts again and again leaves a file each time. The smallest runs go first: most of them are
  /// mere starts, which are found without a look at sessions.
  ///
  /// - Returns: the files that are left.
  func removeIdleRuns(
    from files: [LogFileName],
    keeping kept: Set<LogFileName>
  ) throws(SystemError) -> [LogFileName] {
    guard files.count + kept.count >= Self.mostFiles else { return files }
    let runs = Dictionary(grouping: files, by: \.run)
      .filter { run in !kept.contains { $0.run == run.key } }
      .map { (size: $1.reduce(0) { $0 + size(of: $1) }, number: $0, files: $1) }
      .sorted { ($0.size, $0.number) < ($1.size, $1.number) }
    var left = files
    for run in runs where left.count + kept.count >= Self.mostFiles && isIdle(run.files) {
      for name in run.files { try remove(name) }
      left.removeAll { $0.run == run.number }
    }
    return left
  }

  package func isIdle(_ run: [LogFileName]) -> Bool {
    let records = run.filter { $0.kind != .playerPositions }
    return !records.isEmpty && !records.contains(where: mayHaveBalls)
  }

  private func mayHaveBalls(_ name: LogFileName) -> Bool {
    var hasBalls = false
    var window: [UInt8] = []
    do throws(SystemError) {
      try InputFile.read(path(of: name)) { chunk in
        // Words may lie across the end of a chunk.
        window = window.suffix(RecordLine.longestWord) + chunk
        hasBalls = window.withUnsafeBytes { RecordLine.contains(RecordLine.armedWords, in: $0) }
        return !hasBalls
      }
    } catch {
      // One that can't be read, on a bad sector, stays until whole files go.
      return true
    }
    return hasBalls
  }
}

extension RecordLine {
  /// The words in the records of a session, and of a ball by hand.
  fileprivate static let armedWords =
    [Array(#""event":"manual""#.utf8)]
    + SafetyRecord.states.filter(SafetyRecord.isArmed).map { Array(#""state":"\#($0)""#.utf8) }
  fileprivate static let longestWord = armedWords.reduce(0) { max($0, $1.count) }
}
