package import Host

/// Says cues through another program, one process a cue. Nothing that it does or doesn't do holds up a
/// later cue.
package actor CueSpeaker {
  /// How a cue ended.
  package enum End: Hashable, Sendable {
    /// The cue was said; what the program wrote to its standard error last, if anything.
    case said(complaint: String?)
    case failed(status: Int32, complaint: String?)
    /// A newer cue cut it off.
    case cutOff
    case tooLong
    case notStarted(SystemError)
    /// So many processes hang, and can't even be killed.
    case stuck
  }

  private struct Speech {
    let number: Int
    let cue: Cue
    let process: Task<Void, Never>
    let alarm: Task<Void, Never>

    func end() {
      process.cancel()
      alarm.cancel()
    }
  }

  /// Killed processes that the kernel doesn't let go: the sound device hangs.
  private static let mostProcesses = 8

  private let limit: Duration
  private let command: @Sendable (Cue) -> [String]
  private let ended: @Sendable (Cue, End) -> Void
  private var current: Speech?
  /// Waits for the end of the running one.
  private var next: Cue?
  private var count = 0
  private var processes = 0

  /// - Parameters:
  ///   - limit: how long a cue may take.
  ///   - command: the program and its arguments.
  ///   - ended: called once for each cue that was begun.
  package init(
    limit: Duration = .seconds(10),
    command: @escaping @Sendable (Cue) -> [String],
    ended: @escaping @Sendable (Cue, End) -> Void
  ) {
    self.limit = limit
    self.command = command
    self.ended = ended
  }

  /// Begins to say it, or keeps it for the end of the running one.
  package func say(_ cue: Cue) {
    if let current {
      guard cue.cutsOff(current.cue) else {
        next = cue
        return
      }
      finish(current, .cutOff)
    }
    next = nil
    begin(cue)
  }

  /// Kills what still runs.
  package func end() {
    next = nil
    if let current { finish(current, .cutOff) }
  }

  private func begin(_ cue: Cue) {
    guard processes < Self.mostProcesses else { return ended(cue, .stuck) }
    count += 1
    processes += 1
    current = Speech(
      number: count,
      cue: cue,
      process: OneThread.task { [number = count, arguments = command(cue)] in
        let end: End
        do throws(SystemError) {
          let process = try await ChildProcess.runUnlessCancelled(arguments)
          end =
            process.status == 0
            ? .said(complaint: process.complaint)
            : .failed(status: process.status, complaint: process.complaint)
        } catch {
          end = .notStarted(error)
        }
        await self.ended(number, end)
      },
      alarm: OneThread.task { [number = count, limit] in
        guard (try? await SystemClock().sleep(for: limit)) != nil else { return }
        await self.finish(number, .tooLong)
      }
    )
  }

  private func ended(_ number: Int, _ end: End) {
    processes -= 1
    finish(number, end)
  }

  /// Ends a cue, unless it has ended, and begins the one that waits.
  private func finish(_ number: Int, _ end: End) {
    guard let current, current.number == number else { return }
    finish(current, end)
    guard let cue = next else { return }
    next = nil
    begin(cue)
  }

  private func finish(_ speech: Speech, _ end: End) {
    current = nil
    speech.end()
    ended(speech.cue, end)
  }
}
