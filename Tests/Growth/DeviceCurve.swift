import Clocks
import TestSupport

/// More and more devices that BlueZ knows, and that are none of ours.
enum DeviceCurve {
  private static let signalRate = 1_000
  /// Of positions: so many that what it costs to be woken hardly counts.
  private static let rate = 5_000

  static func measure(_ scale: Scale) async throws -> Curve {
    var curve = Curve(
      "Devices that BlueZ knows",
      of: "devices",
      [
        .init(name: "ms to ready", places: 0),
        .init(name: "CPU ms to ready", places: 0),
        .init(name: "µs a device", places: 0, law: .init(factor: 3, floor: 1, from: 3)),
        .init(name: "own memory MiB"),
        .init(name: "CPU µs a foreign signal, ready", places: 2, law: .init(factor: 3, floor: 5)),
        .init(name: "CPU µs a position", law: .init(factor: 3, floor: 1)),
      ]
    )
    var alone = 0.0
    for count in [1, 10, 100, 1_000, 10_000] {
      let clock = ContinuousClock()
      let start = clock.now
      let service = try await ServiceUnderLoad(devices: count)
      try await service.wait(for: "link", "ready")
      let delay = start.duration(to: clock.now) / .milliseconds(1)
      let starting = try service.use.processorTime
      if count == 1 { alone = starting }

      let crowd = try Crowd(1, at: service.positions)
      try await service.wait(for: "feed", "opened")
      // What is made once, and what is left to be done of the start.
      await crowd.feed(rate: rate, rounds: rate * scale.seconds / 2)
      let rounds = rate * scale.seconds
      let before = try service.use.processorTime
      await crowd.feed(rate: rate, rounds: rounds)
      let feeding = try service.use.processorTime - before

      let memory = try service.use.ownMemory
      let hearing = try await costOfHearing(service, for: scale.seconds)
      _ = try await service.end()
      curve.add(
        count,
        [
          delay, starting * 1e3, count == 1 ? 0 : (starting - alone) / Double(count - 1) * 1e6,
          memory, hearing,
          feeding / Double(rounds) * 1e6,
        ]
      )
    }
    return curve
  }

  /// In microseconds of processor time a signal.
  private static func costOfHearing(
    _ service: ServiceUnderLoad,
    for seconds: Int
  ) async throws -> Double {
    try await service.flood(rate: signalRate)
    let before = try service.use.processorTime
    try await Task.sleep(for: .seconds(seconds))
    let time = try service.use.processorTime - before
    try await service.flood(rate: 0)
    return time / Double(signalRate * seconds) * 1e6
  }
}
