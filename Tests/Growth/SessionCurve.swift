import Bridge
import Clocks
import Configuration
import ControlProtocol
import CourtLogic
import Glibc
import MachineLink
import Positions
import Safety
import TestSupport

/// A long session of a fast camera, in injected time: logic, safety, dispatch and link, with a machine
/// that acknowledges everything.
enum SessionCurve {
  private static let rate = 120
  private static let cadence = 3

  static func measure(_ scale: Scale) async throws -> Curve {
    var curve = Curve(
      "Hours of a session at \(rate) positions a second",
      of: "hours",
      [
        .init(name: "positions", places: 0),
        .init(name: "balls", places: 0),
        .init(name: "CPU µs a position", law: .init(factor: 3, floor: 1)),
        .init(name: "heap KiB", places: 0, law: .init(factor: 1.5, floor: 1, from: 1)),
      ]
    )
    let clock = ManualClock()
    let central = FakeCentral()
    var configuration = LinkConfiguration()
    guard configuration.setAddress(FakeCentral.address) else { preconditionFailure("no address") }
    let link = BallMachineLink(configuration: configuration, central: central, clock: clock)
    var options = BridgeService.Options(
      logic: LogicManager(.init(table: CommandTableFile.builtIn)),
      armsAtStart: true
    )
    options.rules.countdown = .zero
    let service = BridgeService(options: options, link: link, clock: clock)
    let (positions, feeder) = AsyncStream.makeStream(of: PositionEvent.self)
    let running = Task { await service.run(positions: positions) }
    let balls = Task { await Grid.follow(service) }
    await service.waitUntilCountedDown()

    let source = SourceID(connection: "camera")
    var tick = 0
    var written = 0
    for hour in 1...scale.hours {
      let before = Self.processorTime
      while tick < hour * 3600 * rate {
        clock.advance(by: .seconds(tick) / rate - clock.now.sinceStart)
        let seconds = Double(tick) / Double(rate)
        let position = try PlayerPosition(x: 4 + 2 * sin(seconds), y: 9 + 2 * cos(seconds / 3))
        feeder.yield(.position(position, from: source, at: clock.now))
        tick += 1
        // Time goes on once the bridge has seen what is, so that it doesn't run away from it.
        if tick % (rate / 4) == 1 { await service.hasTaken(tick) }
      }
      await service.hasTaken(tick)
      let time = Self.processorTime - before
      written += await central.written.count
      await central.forgetWrites()
      let heap = try HeapInUse.bytes()
      curve.add(
        hour,
        [
          Double(tick), Double(written), time / Double(3600 * rate) * 1e6, Double(heap) / 1024,
        ]
      )
    }
    feeder.yield(.ended)
    let summary = await running.value
    let grid = await balls.value
    let due = scale.hours * 3600 / cadence
    curve.expect(
      summary.counts.positions == tick,
      "\(summary.counts.positions) of \(tick) positions were used"
    )
    curve.expect(
      summary.counts.outcomes.delivered == due,
      "\(summary.counts.outcomes.delivered) of \(due) balls were delivered"
    )
    curve.expect(written == due, "\(written) of \(due) balls were written")
    curve.expect(grid.count == due, "\(grid.count) of \(due) balls were told")
    curve.expect(grid.offGrid == 0, "\(grid.offGrid) balls were decided beside the grid")
    return curve
  }

  /// The balls, and whether they stand on the grid of 3 s, to the attosecond.
  private struct Grid {
    var count = 0
    var offGrid = 0
    private var first: MonotonicInstant?

    static func follow(_ service: BridgeService) async -> Grid {
      var grid = Grid()
      for await case .record(.dispatch, let time?) in service.events {
        let first = grid.first ?? time
        grid.first = first
        let due = first.advanced(by: .seconds(cadence) * grid.count)
        if time != due { grid.offGrid += 1 }
        grid.count += 1
      }
      return grid
    }
  }

  /// Of this process, in seconds.
  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

extension BridgeService {
  /// Returns when so many positions have been taken and no ball is on its way.
  fileprivate func hasTaken(_ count: Int) async {
    while true {
      let now = snapshot
      if now.summary.counts.positions >= count, now.lastDispatch.map({ $0.outcome != nil }) ?? true
      {
        return
      }
      await Task.yield()
    }
  }
}
