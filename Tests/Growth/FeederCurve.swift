/// More and more feeders at a camera's 30 positions a second.
enum FeederCurve {
  private static let rate = 30

  static func measure(_ scale: Scale) async throws -> Curve {
    var curve = Curve(
      "Feeders at \(rate) positions a second",
      of: "feeders",
      [
        .init(name: "positions/s", places: 0),
        .init(name: "CPU µs a position", law: .init(factor: 3, floor: 1)),
        .init(name: "CPU %"),
        .init(name: "too many", places: 0),
        .init(name: "own memory MiB"),
        .init(name: "KiB a feeder"),
      ]
    )
    var alone = 0.0
    for count in [1, 4, 16, 64] {
      let service = try await ServiceUnderLoad()
      try await service.wait(for: "link", "ready")
      let crowd = try Crowd(count, at: service.positions)
      try await service.wait(for: "feed", "opened", count: count)
      // What is made once.
      await crowd.feed(rate: rate, rounds: rate)
      let before = try service.use.processorTime
      let rounds = rate * scale.seconds
      await crowd.feed(rate: rate, rounds: rounds)
      let time = try service.use.processorTime - before
      let memory = try service.use.ownMemory
      if count == 1 { alone = memory }
      crowd.leave()
      try await service.wait(for: "feed", "closed", count: count)
      let summary = try await service.end()
      curve.add(
        count,
        [
          Double(count * rate), time / Double(rounds * count) * 1e6,
          time / Double(scale.seconds) * 100, Double(summary.droppedPositions), memory,
          count == 1 ? 0 : (memory - alone) / Double(count - 1) * 1024,
        ]
      )
      let told = (rate + rounds) * count
      curve.expect(summary.all == told, "\(count) feeders: \(summary.all) of \(told) positions")
      // One is the player, and stays it, and all others are counted.
      if summary.droppedPositions == 0 {
        curve.expect(
          summary.positions == rate + rounds,
          "\(count) feeders: \(summary.positions) of the player's \(rate + rounds) positions"
        )
      }
    }
    return curve
  }
}
