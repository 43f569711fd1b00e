import Bridge
import CourtLogic

/// The configuration that `serve` works with. It is read again on request: what may change while
/// the bridge runs does, and a wrong file changes nothing.
actor RunningConfiguration {
  /// Reading waits for a disk.
  private let executor = DiskExecutor(label: "configuration")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let clock: SystemClock
  private let read: @Sendable () throws -> EffectiveConfiguration
  private var running: EffectiveConfiguration
  /// For whoever can't wait for the disk.
  private nonisolated let loaded: Locked<(files: [String], instant: MonotonicInstant)>

  /// - Parameter read: reads the files as they are now, with the command line over them.
  init(clock: SystemClock, read: @escaping @Sendable () throws -> EffectiveConfiguration) throws {
    self.clock = clock
    self.read = read
    running = try read()
    loaded = Locked((running.files, clock.now))
  }

  /// What it begins with.
  var values: EffectiveConfiguration { running }

  /// Which files are in force; nil when there are none.
  nonisolated var status: StatusRecord.Configuration? {
    let (files, instant) = loaded.withLock(\.self)
    guard !files.isEmpty else { return nil }
    return StatusRecord.Configuration(
      file: files.joined(separator: ", "),
      loaded: WallTime(of: instant, on: clock)
    )
  }

  /// - Parameter apply: takes what may change while the bridge runs.
  func reload(
    applying apply: @Sendable (EffectiveConfiguration) async -> Void
  ) async throws -> ConfigurationReload {
    let reload = ConfigurationReload(from: running, to: try read())
    running = reload.running
    loaded.withLock { [files = running.files] in $0 = (files, clock.now) }
    if reload.appliesAtOnce { await apply(running) }
    return reload
  }
}
