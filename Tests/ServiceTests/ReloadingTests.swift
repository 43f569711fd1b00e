import Bridge
import Configuration
import ControlProtocol
import CourtLogic
import Drills
import Host
import MachineLink
import Options
import Programs
import TestSupport
import Testing

@testable import Service

/// A configuration on a disk that does not answer.
@Suite(.mustEnd) struct ReloadingTests {
  /// The configuration of a box without files; all readings but the first wait for the disk.
  private final class Disk: Sendable {
    private let readings = Locked(0)
    private let blockade: Blockade

    init() throws { blockade = try Blockade() }

    /// The second reading has begun.
    let isAsked = FirstAnswer<Void>()
    var count: Int { readings.withLock(\.self) }

    func read() throws -> EffectiveConfiguration {
      let number = readings.withLock { readings in
        readings += 1
        return readings
      }
      if number > 1 {
        isAsked.give(.success(()))
        blockade.block()
      }
      return try ConfigurationOptions.none.effective(court: CourtOptions()) { _ in }
    }

    func answer() { blockade.release() }
  }

  private func reloading(_ disk: Disk, timeout: Duration) throws -> Reloading {
    let clock = SystemClock()
    let link = BallMachineLink(
      configuration: LinkConfiguration(),
      central: FakeCentral(),
      clock: clock
    )
    let settings = try ConfigurationOptions.none.effective(court: CourtOptions()) { _ in }
    let options = BridgeService.Options(settings, armsAtStart: false)
    return Reloading(
      configuration: try RunningConfiguration(clock: clock) { try disk.read() },
      service: BridgeService(options: options, link: link, clock: clock),
      library: DrillLibrary(folders: []),
      calibration: Locked(nil),
      log: nil,
      notifier: ServiceNotifier(),
      journal: JournalLog { _ in },
      output: Output(isJSON: false),
      disk: DiskWait(limit: timeout)
    )
  }

  @Test func isGivenUpAndThenRefusedUntilItAnswers() async throws {
    let disk = try Disk()
    let reloading = try reloading(disk, timeout: .milliseconds(1))
    for _ in 1...3 {
      let refusal = await #expect(throws: ControlError.self) { try await reloading.perform() }
      #expect(refusal?.message.contains("does not answer") == true)
    }
    // One thread waits for it, and nothing for that thread.
    try await disk.isAsked.wait()
    disk.answer()
    _ = await reloading.configuration.values
    #expect(disk.count == 2)
  }

  @Test func isNotWaitedForByATaskThatIsCancelled() async throws {
    let disk = try Disk()
    let reloading = try reloading(disk, timeout: .seconds(3600))
    let reload = Task { try await reloading.perform() }
    try await disk.isAsked.wait()
    reload.cancel()
    let refusal = ControlError.reloadRefused("the service ended before the configuration was read")
    await #expect(throws: refusal) { try await reload.value }
    disk.answer()
  }
}
