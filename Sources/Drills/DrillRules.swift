import CourtLogic
import Training
import YAML

/// What a drill's values must be together, at one level.
struct DrillRules {
  private let document: DrillDocument
  private let level: SkillLevel?
  private let file: String
  private let origins: [String: YAMLPlace]
  private let values: DrillDocument.Values
  private(set) var problems: [YAMLProblem] = []

  init(
    _ document: DrillDocument,
    _ level: SkillLevel?,
    _ file: String,
    _ origins: [String: YAMLPlace]
  ) {
    self.document = document
    self.level = level
    self.file = file
    self.origins = origins
    values = document[level].over(document[nil])
  }

  /// Nil if there are ``problems``.
  mutating func drill(named name: String) -> Drill? {
    let strategy = strategy()
    let interval = values.interval ?? complain(missing: "interval", .zero)
    let balls = values.balls ?? complain(missing: "balls", 1)
    let avoidsRepeats = values.avoidsRepeats ?? false
    if let strategy, avoidsRepeats { checkRepeats(strategy) }
    guard let strategy, problems.isEmpty else { return nil }
    return Drill(
      name: name,
      level: level,
      strategy: values.mirror ?? false ? strategy.mirrored : strategy,
      avoidsRepeats: avoidsRepeats,
      interval: interval,
      balls: balls,
      sets: values.sets ?? 1,
      rest: values.rest ?? .zero,
      seed: document.seed
    )
  }

  private mutating func strategy() -> AimingStrategy? {
    guard let aim = document.aim else { return complain(missing: "aim", nil) }
    let used: [String] =
      switch aim {
      case .follow: []
      case .away: ["zones", "distance"]
      case .sides, .random: ["zones"]
      case .plan: ["shots"]
      }
    for key in ["shots", "zones", "distance"] where !used.contains(key) {
      if let place = place(key) {
        problems.append(YAMLProblem(at: place, "\(key): aim: \(aim.rawValue) has no use for it"))
      }
    }
    switch aim {
    case .follow: return .follow
    case .plan:
      guard let shots = values.shots else { return complain(missing: "shots", nil, for: aim) }
      return .plan(shots)
    case .random, .away, .sides:
      guard let zones = values.zones else { return complain(missing: "zones", nil, for: aim) }
      if aim == .random { return .random(zones) }
      if aim == .sides { return sides(zones) }
      guard let distance = values.distance else {
        return complain(missing: "distance", nil, for: aim)
      }
      return .away(zones, distance)
    }
  }

  private mutating func sides(_ zones: WeightedTargets) -> AimingStrategy? {
    func side(_ isOnSide: (Int) -> Bool) -> WeightedTargets? {
      let items = zones.items.filter { isOnSide($0.target.zone.column) }
      return items.isEmpty ? nil : WeightedTargets(items)
    }
    guard let left = side({ $0 < Zone.side / 2 }), let right = side({ $0 >= Zone.side / 2 }) else {
      problems.append(
        YAMLProblem(
          at: place("zones"),
          "zones: aim: sides needs a zone of the left columns, 0 and 1, and one of the right, 2 and 3"
        )
      )
      return nil
    }
    return .sides(left: left, right: right)
  }

  /// Each ball must have an alternative to the zone before it.
  private mutating func checkRepeats(_ strategy: AimingStrategy) {
    let key: String
    let repeated: Zone?
    switch strategy {
    case .follow:
      let place = place("no-repeat")
      problems.append(YAMLProblem(at: place, "no-repeat: aim: follow goes where the player is"))
      return
    case .sides: return
    case .random(let targets), .away(let targets, _):
      key = "zones"
      repeated = targets.onlyZone
    case .plan(let shots):
      key = "shots"
      repeated =
        shots.indices.lazy.compactMap { index -> Zone? in
          guard let zone = shots[index].targets.onlyZone else { return nil }
          let before = shots[index == 0 ? shots.count - 1 : index - 1]
          let follows = before.targets.targets.contains { $0.zone == zone }
          return follows || shots[index].balls.upperBound > 1 ? zone : nil
        }.first
    }
    guard let repeated else { return }
    problems.append(
      YAMLProblem(at: place(key), "\(key): no-repeat needs an alternative to \(repeated) here")
    )
  }

  private mutating func complain<Value>(
    missing key: String,
    _ value: Value,
    for aim: AimingStrategy.Word? = nil
  ) -> Value {
    let reason = aim.map { ": aim: \($0.rawValue) needs it" } ?? ""
    problems.append(YAMLProblem(in: file, "\(key) is missing\(reason)"))
    return value
  }

  private func place(_ key: String) -> YAMLPlace? {
    origins.place(of: key, at: level)
  }
}

extension WeightedTargets {
  /// The zone, if there is only one.
  fileprivate var onlyZone: Zone? {
    targets.allSatisfy { $0.zone == targets[0].zone } ? targets[0].zone : nil
  }
}

extension DrillDocument.Values {
  /// These values, and the base's where these say nothing.
  fileprivate func over(_ base: Self) -> Self {
    DrillDocument.Values(
      shots: shots ?? base.shots,
      zones: zones ?? base.zones,
      distance: distance ?? base.distance,
      interval: interval ?? base.interval,
      balls: balls ?? base.balls,
      sets: sets ?? base.sets,
      rest: rest ?? base.rest,
      mirror: mirror ?? base.mirror,
      avoidsRepeats: avoidsRepeats ?? base.avoidsRepeats
    )
  }
}
