import Clocks
import DBus
import Foundation
import Glibc
import TestSupport
import Testing

/// One bus and one machine, on which services are killed one after the other.
final class KillFixture {
  /// As systemd tells it to the unit's `ExecStopPost=`.
  private static let afterAKill = "SERVICE_RESULT=signal EXIT_CODE=killed EXIT_STATUS=KILL"
  private static let afterAnEnd = "SERVICE_RESULT=success EXIT_CODE=exited EXIT_STATUS=0"

  private let setup: CommandLineSetup
  private let machines: MockMachines
  private let ledger: BusLedger
  private let player: StandingPlayer

  static func with(_ body: (KillFixture) async throws -> Void) async throws {
    try await CommandLineSetup.with { setup in
      let fixture = try await KillFixture(setup)
      do { try await body(fixture) } catch {
        await fixture.clear()
        throw error
      }
      await fixture.clear()
    }
  }

  private init(_ setup: CommandLineSetup) async throws {
    self.setup = setup
    machines = try await setup.mock(
      // Acknowledged writes alone, so that a stop command is one write.
      "machine \(CommandLineSetup.machine) flags write",
      "timing connect 0.05",
      "timing resolve 0.05"
    )
    ledger = try await BusLedger(.address(setup.address))
    player = StandingPlayer(in: setup.directory)
  }

  private func clear() async {
    player.leave()
    await ledger.close()
  }

  /// Starts a service, kills it as planned, cleans up behind it as the unit does, and starts it again.
  func kill(_ plan: KillPlan) async throws -> KilledService {
    player.stand(in: plan.zone)
    try await machines.perform("timing write-round-trip \(plan.answerTime)")
    let before = await machines.told.count
    var mark = await ledger.mark
    var known = logs
    var serve = try setup.start(
      serving + ["--arm", "--countdown", "\(plan.countdown)"]
    )
    try await wait(for: plan.cue, of: &serve, after: mark)
    try await Task.sleep(for: .seconds(plan.delay))
    serve.program.send(signal: SIGKILL)
    let end = await serve.ending()
    let wasKilled = end.code == 128 + SIGKILL
    let told = try ProgramEvent.all(end.output)
    let written = try await ledger.writesOfThoseWhoLeft(since: mark)
    try await machines.perform("timing write-round-trip 0.04")
    let log = try await log(besides: known)

    mark = await ledger.mark
    let stop = try await setup.run(
      ["safe-stop", "--json", "--bus", setup.address],
      after: wasKilled ? Self.afterAKill : Self.afterAnEnd
    )
    let writtenBySafeStop = try await ledger.writesOfThoseWhoLeft(since: mark)

    mark = await ledger.mark
    known = logs
    let next = try await startAgain()
    let writtenByNext = try await ledger.writesOfThoseWhoLeft(since: mark)
    // Whatever the machine has received is told before that.
    try await machines.perform("timing write-round-trip 0.04")
    let seen = Array(await machines.told.dropFirst(before))
    return KilledService(
      plan: plan,
      told: told,
      wasKilled: wasKilled,
      written: written,
      log: log,
      safeStop: KilledService.Run(
        code: stop.code,
        told: try ProgramEvent.all(stop.output),
        errors: stop.errors
      ),
      writtenBySafeStop: writtenBySafeStop,
      next: next,
      writtenByNext: writtenByNext,
      logOfNext: try await self.log(besides: known),
      received: seen.writes(),
      firstWrite: seen.first { $0.method == "WriteValue" }?.t
    )
  }

  /// The files of the run log, by name.
  private var logs: Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
  }

  private var folder: String { setup.path("state/sessions") }

  /// The file that has come since; nil if none has.
  private func log(besides known: Set<String>) async throws -> LeftLog? {
    let new = logs.subtracting(known)
    #expect(new.count <= 1, "\(new)")
    guard let name = new.first else { return nil }
    let path = "\(folder)/\(name)"
    var log = try LeftLog(path: path)
    guard !log.named("position").isEmpty else { return log }
    let torn = setup.path("torn.ndjson")
    try Data(contentsOf: URL(filePath: path)).dropLast(8).write(to: URL(filePath: torn))
    // The only position may be in the line that is torn.
    for path in [path, torn] where try !LeftLog(path: path).named("position").isEmpty {
      let replay = try await setup.run(["replay", "--dry-run", path])
      log.replays.append(KilledService.Run(code: replay.code, told: [], errors: replay.errors))
    }
    return log
  }

  private var serving: [String] { ["serve", "--json", "--bus", setup.address] }

  private func wait(
    for cue: KillPlan.Cue,
    of serve: inout ProgramEvents,
    after mark: BusLedger.Mark
  ) async throws {
    switch cue {
    case .birth, .start: break
    case .countdown: _ = try await serve.next("safety", state: "countdown")
    case .ball: try await ledger.firstWrite(after: mark, isBall: true)
    case .dispatch, .nextBall: _ = try await serve.next("dispatch")
    case .end:
      _ = try await serve.next("dispatch")
      serve.program.send(signal: SIGTERM)
    }
  }

  /// As the unit starts it: nobody asks for balls. The player is seen once it is linked.
  private func startAgain() async throws -> KilledService.Run {
    var serve = try setup.start(serving)
    var awaited: Set = ["link ready", "feed opened"]
    while !awaited.isEmpty, let event = try await serve.next() {
      awaited.remove("\(event.event) \(event.state ?? "")")
    }
    // Said behind what was seen, and told of once that has been taken.
    let nonsense = "now"
    #expect(player.isSeen(thenSaying: nonsense))
    _ = try await serve.next("feed", state: "badLine")
    let (code, told, errors) = try await serve.terminate()
    return KilledService.Run(code: code, told: told, errors: errors)
  }
}
