import CourtLogic
import Training
import YAML

extension YAMLKind where Value == ClosedRange<Double> {
  static var distances: YAMLKind {
    YAMLKind<Double>.number("a number of metres", unit: "m", in: Drill.distances).list(
      "[LEAST, GREATEST], two numbers of metres",
      count: 2...2,
      to: { (ends) throws(YAMLListProblem) in
        guard ends[0] <= ends[1] else {
          throw YAMLListProblem(item: 0, text: "the range is empty: write the least value first")
        }
        return ends[0]...ends[1]
      },
      from: { [$0.lowerBound, $0.upperBound] }
    )
  }
}

extension YAMLKind where Value == WeightedTargets {
  private static var allowed: String {
    "a zone such as 3-0, a list of zones, or zones with weights such as {3-0: 3, 3-3: 2}"
  }

  static var weightedTargets: YAMLKind {
    YAMLKind(allowed, yaml: \.yaml) { (node, _) throws(YAMLProblem) in
      try node.weightedTargets(allowed)
    }
  }
}

extension YAMLKind where Value == [AimingStrategy.PlannedShot] {
  static var plannedShots: YAMLKind {
    let allowed = "a list of shots, each with a zone: and, if it is repeated, a repeat:"
    return YAMLKind(
      allowed,
      yaml: { shots in "[" + shots.map(\.yaml).joined(separator: ", ") + "]" },
      parse: { (node, _) throws(YAMLProblem) in
        guard case .sequence(let items) = node.content, (1...mostShots).contains(items.count) else {
          throw node.isNot(allowed)
        }
        var shots: [AimingStrategy.PlannedShot] = []
        for item in items { shots.append(try item.plannedShot()) }
        return shots
      }
    )
  }

  private static var mostShots: Int { 200 }
}

extension WeightedTargets {
  fileprivate var yaml: String {
    if items.allSatisfy({ $0.weight == 1 }) {
      let list = targets.map(\.description).joined(separator: ", ")
      return items.count == 1 ? list : "[\(list)]"
    }
    return "{" + items.map { "\($0.target): \($0.weight)" }.joined(separator: ", ") + "}"
  }
}

extension AimingStrategy.PlannedShot {
  fileprivate var yaml: String {
    let times =
      balls.count == 1 ? "\(balls.lowerBound)" : "[\(balls.lowerBound), \(balls.upperBound)]"
    return "{zone: \(targets.yaml)" + (balls == 1...1 ? "" : ", repeat: \(times)") + "}"
  }
}

extension YAMLNode {
  fileprivate func weightedTargets(_ allowed: String) throws(YAMLProblem) -> WeightedTargets {
    var items: [WeightedTargets.Item] = []
    func add(_ text: String?, weight: Int = 1, at node: YAMLNode) throws(YAMLProblem) {
      guard let text, let target = Target(text) else {
        throw node.isNot("a zone such as 3-0 or 3-0 topspin", Self.spinHint(text))
      }
      guard !items.contains(where: { $0.target == target }) else {
        throw YAMLProblem(
          mark: node.mark,
          text: "\(target) is given twice: give it a weight instead, {\(target): 2}"
        )
      }
      items.append(WeightedTargets.Item(target, weight: weight))
    }
    switch content {
    case .sequence(let nodes) where !nodes.isEmpty:
      for node in nodes { try add(node.text, at: node) }
    case .mapping(let entries) where !entries.isEmpty:
      for entry in entries {
        let key = YAMLNode(content: .plain(entry.key), mark: entry.mark)
        let weight = try YAMLKind<Int>.integer(
          "a weight, a whole number",
          in: WeightedTargets.weights
        ).parse(entry.value, "")
        try add(entry.key, weight: weight, at: key)
      }
    case .plain, .quoted: try add(text, at: self)
    case .sequence, .mapping, .unusable: throw isNot(allowed)
    }
    return WeightedTargets(items)
  }

  private static func spinHint(_ text: String?) -> String? {
    guard let text, text.utf8.contains(UInt8(ascii: " ")) else { return nil }
    return "the spins are " + Spin.allCases.map(\.rawValue).joined(separator: ", ")
  }

  fileprivate func plannedShot() throws(YAMLProblem) -> AimingStrategy.PlannedShot {
    let allowed = "a zone such as 3-0, or alternatives such as {3-1: 1, 3-2: 1}"
    guard case .mapping(let entries) = content, entries.contains(where: { $0.key == "zone" }) else {
      return AimingStrategy.PlannedShot(try weightedTargets(allowed))
    }
    var shot: WeightedTargets?
    var balls = 1...1
    for entry in entries {
      switch entry.key {
      case "zone": shot = try entry.value.weightedTargets(allowed)
      case "repeat": balls = try entry.value.repeats()
      default:
        throw YAMLProblem(
          mark: entry.mark,
          text: "a shot has no `\(entry.key)`; there are zone, repeat"
        )
      }
    }
    guard let shot else { throw isNot(allowed) }
    return AimingStrategy.PlannedShot(shot, balls: balls)
  }

  private func repeats() throws(YAMLProblem) -> ClosedRange<Int> {
    if case .sequence = content {
      return try YAMLKind<ClosedRange<Int>>.bounds(in: Drill.repeats).parse(self, "")
    }
    let count = try YAMLKind<Int>.integer("a number of balls", in: Drill.repeats).parse(self, "")
    return count...count
  }
}
