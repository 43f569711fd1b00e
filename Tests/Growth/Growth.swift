import Foundation
import Glibc

/// Measures what must not grow, for `tools/bench/growth`, whose arguments it takes but `--write`: prints a
/// table for each curve, and ends with 1 when something grows.
@main enum Growth {
  static func main() async throws {
    var (scale, json, wanted): (Scale, String?, Set<String>) = (.full, nil, [])
    var arguments = CommandLine.arguments.dropFirst()
    while let argument = arguments.popFirst() {
      switch argument {
      case "--quick": scale = .quick
      case "--json": json = arguments.popFirst()
      default: wanted.insert(argument)
      }
    }
    let all: [(name: String, measure: (Scale) async throws -> Curve)] = [
      ("feeders", FeederCurve.measure), ("positions", PositionCurve.measure),
      ("session", SessionCurve.measure), ("devices", DeviceCurve.measure),
    ]
    var curves: [Curve] = []
    for (name, measure) in all where wanted.isEmpty || wanted.contains(name) {
      let curve = try await measure(scale)
      curves.append(curve)
      try print("### \(curve.title)\n\n\(curve.table)\n\n\(curve.verdict)\n")
    }
    if let json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try encoder.encode(curves).write(to: URL(fileURLWithPath: json))
    }
    exit(curves.allSatisfy(\.findings.isEmpty) ? 0 : 1)
  }

  /// At once, whoever reads.
  private static func print(_ text: String) throws {
    try FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
  }
}

/// How long is measured.
enum Scale {
  case full, quick

  /// At each point of a curve in real time.
  var seconds: Int { self == .full ? 10 : 3 }
  var positions: [Int] {
    self == .full ? [1_000, 10_000, 100_000, 1_000_000] : [1_000, 10_000, 100_000]
  }
  var hours: Int { self == .full ? 8 : 2 }
}
