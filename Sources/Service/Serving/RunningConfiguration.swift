import Bridge
import Clocks
package import Configuration
package import ControlProtocol
package import Host
import Programs

/// The configuration that `serve` works with. It is read again on request: the keys that may change
/// while the bridge runs are applied, and a wrong file changes nothing.
package actor RunningConfiguration {
  /// A thread of its own, because reading waits for a disk.
  private let executor = LoopExecutor()
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private let clock: SystemClock
  private let read: @Sendable () throws -> EffectiveConfiguration
  private var running: EffectiveConfiguration
  /// For callers that can't wait for the disk.
  private nonisolated let loaded: Locked<Loaded>

  /// The last valid configuration, and what is wrong with one that was read since.
  private struct Loaded: Sendable {
    var files: [String]
    var instant: MonotonicInstant
    var refusal: String?
  }

  /// - Parameter read: reads the files as they are now, with the command line over them.
  package init(clock: SystemClock, read: @escaping @Sendable () throws -> EffectiveConfiguration)
    throws
  {
    self.clock = clock
    self.read = read
    running = try read()
    loaded = Locked(Loaded(files: running.files, instant: clock.now))
  }

  /// The configuration in force.
  package var values: EffectiveConfiguration { running }

  /// Reads files on this actor's thread.
  package func read<Value: Sendable>(
    _ work: @Sendable (EffectiveConfiguration) throws -> Value
  ) rethrows -> Value {
    try work(running)
  }

  /// Which files are in force; nil when there are none, and none was refused.
  package nonisolated var status: StatusRecord.Configuration? {
    let loaded = loaded.withLock(\.self)
    guard !loaded.files.isEmpty || loaded.refusal != nil else { return nil }
    return StatusRecord.Configuration(
      files: loaded.files,
      loaded: WallTime(of: loaded.instant, on: clock),
      reason: loaded.refusal
    )
  }

  /// - Parameters:
  ///   - takesEmpty: whether a file may have lost all that it had.
  ///   - permit: throws if this change is not possible now; then nothing changes.
  ///   - apply: takes what may change while the bridge runs.
  package func reload(
    empty takesEmpty: Bool = false,
    permitting permit: @Sendable (ConfigurationReload) async throws -> Void = { _ in },
    applying apply: @Sendable (EffectiveConfiguration) async -> Void
  ) async throws -> ConfigurationReload {
    let new: EffectiveConfiguration
    do { new = try read() } catch {
      loaded.withLock { $0.refusal = "\(error)" }
      throw error
    }
    let reload = ConfigurationReload(from: running, to: new)
    do {
      if !takesEmpty, !reload.emptied.isEmpty {
        throw Failure(
          .temporary,
          "\(reload.emptied.joined(separator: "; ")): write it again and reload, or run"
            + " `ballmachine reload --empty' to take the defaults"
        )
      }
      if let problem = reload.problem {
        throw Failure(.temporary, "\(problem); a restart takes the new machine.stop-command")
      }
      try await permit(reload)
    } catch {
      loaded.withLock { $0.refusal = "\(error)" }
      throw error
    }
    running = reload.running
    loaded.withLock { [files = running.files] in $0 = Loaded(files: files, instant: clock.now) }
    if reload.appliesAtOnce { await apply(running) }
    return reload
  }
}
