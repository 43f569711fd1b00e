import Glibc
package import Host
package import RunLog

/// The sessions in a directory of run logs.
package struct SessionArchive: Sendable {
  /// How many earlier sessions one is compared with.
  package static let mostBefore = 5

  private let directory: LogDirectory

  package init(_ directory: LogDirectory) {
    self.directory = directory
  }

  /// The newest sessions, from the oldest to the newest. Runs before them are not read.
  ///
  /// - Parameter count: how many at most; nil: all.
  /// - Returns: the sessions, whether there may be older ones, and why runs were skipped.
  /// - Throws: where there is none, and runs were skipped.
  package func newest(
    _ count: Int?,
    _ depth: SummaryDepth
  ) throws(SystemError) -> (sessions: [Session], hasOlder: Bool, skipped: [SystemError]) {
    var sessions: [Session] = []
    var skipped: [SystemError] = []
    for run in try directory.runs().reversed() {
      if let count, sessions.count >= count { return (sessions.suffix(count), true, skipped) }
      do throws(SystemError) { sessions = try read(run, depth) + sessions } catch {
        skipped.append(error)
      }
    }
    if sessions.isEmpty, let error = skipped.first { throw error }
    let shown = sessions.suffix(count ?? .max)
    return (Array(shown), shown.count < sessions.count, skipped)
  }

  /// One session, and the last ones like it that came before, from the oldest to the newest.
  ///
  /// - Parameter name: nil: the newest one.
  /// - Returns: nil if there is no such session; also why runs were skipped.
  /// - Throws: where its run can't be read.
  package func session(
    _ name: SessionName?
  ) throws(SystemError) -> (
    session: Session, before: [Session], skipped: [SystemError]
  )? {
    let runs = try directory.runs()
    var found: (session: Session, before: [Session])?
    var skipped: [SystemError] = []
    for run in runs.reversed() {
      guard let number = run.first?.run else { continue }
      if let found, found.before.count >= Self.mostBefore { break }
      if found == nil, let name, name.run != number { continue }
      let ofRun: [Session]
      do throws(SystemError) {
        if let session = found?.session {
          // Most logs have none: their positions need not be read.
          let balls = try read(run, .balls)
          guard balls.contains(where: { $0.counts(besides: session) }) else { continue }
        }
        ofRun = try read(run, .whole)
      } catch {
        if found == nil, name != nil { throw error }
        skipped.append(error)
        continue
      }
      if found == nil {
        guard let session = name.map({ name in ofRun.first { $0.name == name } }) ?? ofRun.last
        else {
          if name != nil { return nil }
          continue
        }
        found = (session, [])
      }
      guard let session = found?.session else { continue }
      let before = ofRun.filter { $0.counts(besides: session) } + (found?.before ?? [])
      found?.before = before.suffix(Self.mostBefore)
    }
    if let found { return (found.session, found.before, skipped) }
    if let error = skipped.first { throw error }
    return nil
  }

  private func read(
    _ run: [LogFileName],
    _ depth: SummaryDepth
  ) throws(SystemError) -> [Session] {
    guard let number = run.first?.run else { return [] }
    var fold = RunFold(run: number, depth)
    for name in run {
      do throws(SystemError) { try read(name, into: &fold) } catch {
        // The service has removed it meanwhile, to make room.
        guard error.code == ENOENT else { throw error }
      }
    }
    return fold.finish()
  }

  private func read(
    _ name: LogFileName,
    into fold: inout RunFold
  ) throws(SystemError) {
    var isBegun = false
    try InputFile.read(directory.path(of: name)) { bytes in
      if !isBegun { fold.begin(part: name.part, isThinned: name.kind == .thinned) }
      isBegun = true
      fold.receive(UnsafeRawBufferPointer(rebasing: bytes))
      return true
    }
    if isBegun { fold.endPart() }
  }
}

extension Session {
  /// Whether this is an earlier one like that, in which there was something to compare.
  fileprivate func counts(besides session: Session) -> Bool {
    name < session.name && isLike(session) && balls > 0 && live > 0
  }
}
