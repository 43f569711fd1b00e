import Host

/// What a line of positions can say, and the names that trackers give it.
package enum PositionKey: CaseIterable {
  case x, y, u, v, box, keypoints, confidence, id, time
  case size, calibration, units, origin, axes, scale

  /// If a line has several, the first one counts.
  package var names: [String] {
    switch self {
    case .x: ["x"]
    case .y: ["y"]
    case .u: ["u"]
    case .v: ["v"]
    case .box: ["box"]
    case .keypoints: ["keypoints"]
    case .confidence: ["confidence", "score", "conf", "prob", "visibility"]
    case .id: ["id", "track_id", "player"]
    case .time: ["t", "time", "timestamp", "seconds", "ms", "frame"]
    case .size: ["size"]
    case .calibration: ["calibration"]
    case .units: ["units"]
    case .origin: ["origin"]
    case .axes: ["axes"]
    case .scale: ["scale"]
    }
  }

  /// The same; the name of the unit that a track's times are said to have comes first.
  func names(_ times: PositionTimes) -> [String] {
    guard self == .time else { return names }
    return switch times {
    case .recorded(.frames?): ["frame"] + names
    case .recorded(.milliseconds?): ["ms"] + names
    case .recorded, .ofArrival: names
    }
  }

  static let places: [PositionKey] = [.x, .y, .u, .v, .box, .keypoints]
  static let frame: [PositionKey] = [.units, .origin, .axes, .scale]

  static let known: Set<String> = Set(allCases.flatMap(\.names))

  /// Other names that people use, in the form of ``plain(_:)``.
  private static let others = [
    "unit": "units", "bbox": "box", "bbxywh": "box", "xywh": "box", "pose": "keypoints",
    "probability": "prob", "personid": "id", "playerid": "id", "trackerid": "id",
    "objectid": "id", "trackid": "track_id", "framenumber": "frame", "frameid": "frame",
    "timestampms": "ms", "timems": "ms",
  ]

  private static let longNames = known.filter { $0.utf8.count > 4 }.sorted()

  private static let byPlainName = Dictionary(
    known.map { (plain($0), $0) },
    uniquingKeysWith: { min($0, $1) }
  )

  /// The known key that an unknown one looks like; nil for a known one, and for one that looks like none.
  static func likely(for key: String) -> String? {
    guard !known.contains(key) else { return nil }
    let plain = plain(key)
    if let found = others[plain] ?? byPlainName[plain] { return found }
    // Short names are near to too many.
    guard plain.utf8.count > 4 else { return nil }
    return nearest(to: plain, among: longNames, atMost: 1)
  }

  /// Small letters and digits alone.
  private static func plain(_ key: String) -> String {
    key.lowercased().filter { $0.isLetter || $0.isNumber }
  }
}
