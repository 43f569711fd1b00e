/// The names by which lines say things, as trackers write them.
enum PositionKey: CaseIterable {
  case x, y, u, v, box, keypoints, confidence, id, time
  case size, calibration, units, origin, axes, scale

  /// The first one that a line has counts.
  var names: [String] {
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

  /// The names in the order in which they count: what a track's times are said to be comes first.
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

  /// What people write instead, in the form of ``plain(_:)``.
  private static let others = [
    "unit": "units", "bbox": "box", "bbxywh": "box", "xywh": "box", "pose": "keypoints",
    "probability": "prob", "personid": "id", "playerid": "id", "trackerid": "id",
    "objectid": "id", "trackid": "track_id", "framenumber": "frame", "frameid": "frame",
    "timestampms": "ms", "timems": "ms",
  ]

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
    return known.sorted().first {
      $0.utf8.count > 4 && isOneEdit(Array($0.utf8), Array(plain.utf8))
    }
  }

  /// Small letters and digits alone.
  private static func plain(_ key: String) -> String {
    key.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  /// Whether one letter more, less or another makes one of the other, or two that have changed places.
  private static func isOneEdit(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    let (short, long) = a.count <= b.count ? (a, b) : (b, a)
    guard long.count - short.count <= 1 else { return false }
    let start = zip(short, long).prefix { $0 == $1 }.count
    if long.count > short.count { return short[start...] == long[(start + 1)...] }
    guard start < short.count else { return false }
    if short[(start + 1)...] == long[(start + 1)...] { return true }
    return start + 1 < short.count && short[start] == long[start + 1]
      && short[start + 1] == long[start] && short[(start + 2)...] == long[(start + 2)...]
  }
}
