/// More and more positions of a few fast feeders.
enum PositionCurve {
  private static let feeders = 10
  /// Of each: together as many as a hundred and sixty cameras of 120 a second.
  private static let rate = 2_000

  static func measure(_ scale: Scale) async throws -> Curve {
    var curve = Curve(
      "Positions of \(feeders) feeders",
      of: "positions",
      [
        .init(name: "CPU µs a position", law: .init(factor: 3, floor: 1, from: 1)),
        // A busy box makes the log's batches larger; what stays behind of positions would be more.
        .init(name: "own memory MiB", places: 2, law: .init(factor: 1.5, floor: 0.1, from: 2)),
      ]
    )
    let service = try await ServiceUnderLoad()
    try await service.wait(for: "link", "ready")
    var told = 0
    for count in scale.positions {
      let crowd = try Crowd(feeders, at: service.positions)
      try await service.wait(for: "feed", "opened", count: feeders)
      let before = try service.use.processorTime
      await crowd.feed(rate: rate, rounds: (count - told) / feeders)
      crowd.leave()
      try await service.wait(for: "feed", "closed", count: feeders)
      let time = try service.use.processorTime - before
      curve.add(count, [time / Double(count - told) * 1e6, try service.use.ownMemory])
      told = count
    }
    let summary = try await service.end()
    curve.expect(summary.all == told, "\(summary.all) of \(told) positions")
    return curve
  }
}
