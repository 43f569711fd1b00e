import CourtLogic
import CourtMapping
import JSON

extension PositionParser {
  /// - Returns: nil for a declaration alone.
  mutating func object(_ line: [UInt8]) throws(PositionLineError) -> PositionReport? {
    let members: [String: JSONValue]
    do throws(JSONTextError) {
      guard case .object(let read) = try JSONValue(text: line) else { throw .notJSON }
      members = read
    } catch {
      throw PositionLineError(error)
    }
    noteKeys(members.keys.filter { !PositionKey.known.contains($0) })
    let isFrameDeclared = try declareFrame(members)
    if let size = members["size"] {
      try mapping.declare(try Self.size(size), calibration: try members.label("calibration"))
    }
    if isFrameDeclared || members["size"] != nil,
      PositionKey.places.allSatisfy({ members.value($0) == nil })
    {
      return nil
    }
    let confidence = try members.number(.confidence)
    let id = try Self.id(try members.label(.id))
    var report = try place(members, confidence: confidence)
    report.id = id
    if let key = PositionKey.time.names(times).first(where: { members[$0] != nil }),
      let text = try members.label(key)
    {
      report.time = try time(text, number: members[key]?.number, CSVColumns.Time(key))
      report.noteStamp(text)
    }
    return report
  }

  private mutating func place(
    _ members: [String: JSONValue],
    confidence: Double?
  ) throws(PositionLineError) -> PositionReport {
    let isInMetres = members["x"] != nil || members["y"] != nil
    if members["u"] != nil || members["v"] != nil {
      guard !isInMetres else { throw .metresAndPixels }
      let point = PicturePoint(try members.coordinate("u"), try members.coordinate("v"))
      return try pictured(point, confidence: confidence)
    }
    if !isInMetres {
      if let keypoints = members["keypoints"] {
        return try pictured(try Self.foot(ofKeypoints: keypoints), confidence: confidence)
      }
      if let box = members["box"] {
        return try pictured(try Self.foot(ofBox: box), confidence: confidence)
      }
    }
    let x = try members.coordinate("x")
    let y = try members.coordinate("y")
    return PositionReport(position: try position(x: x, y: y, confidence: confidence))
  }

  // MARK: Points of the picture

  /// The lower middle of `[x, y, width, height]`, whose x and y are the upper left corner's.
  private static func foot(ofBox value: JSONValue) throws(PositionLineError) -> PicturePoint {
    guard let box = numbers(value), box.count == 4, box[2] > 0, box[3] > 0 else { throw .badBox }
    return PicturePoint(box[0] + box[2] / 2, box[1] + box[3])
  }

  /// The middle of the ankles that are sure enough.
  ///
  /// Source: COCO's person keypoints: 17 of x, y and a score, the ankles last.
  private static func foot(
    ofKeypoints value: JSONValue
  ) throws(PositionLineError) -> PicturePoint {
    let flat: [Double]?
    if case .array(let points) = value, case .array? = points.first {
      flat = points.reduce([]) { (all: [Double]?, point) in
        guard let all, let point = numbers(point), point.count == 3 else { return nil }
        return all + point
      }
    } else {
      flat = numbers(value)
    }
    guard let flat, flat.count == 3 * 17 else { throw .badKeypoints }
    let sure = [15, 16].map { Array(flat[(3 * $0)..<(3 * $0 + 3)]) }
      .filter { $0[2] >= PlayerPosition.leastConfidence }
    guard !sure.isEmpty else { throw .noAnkle }
    let count = Double(sure.count)
    return PicturePoint(
      sure.reduce(0) { $0 + $1[0] } / count,
      sure.reduce(0) { $0 + $1[1] } / count
    )
  }

  private static func numbers(_ value: JSONValue) -> [Double]? {
    guard case .array(let values) = value else { return nil }
    let numbers = values.compactMap(\.number)
    return numbers.count == values.count ? numbers : nil
  }

  private static func size(_ value: JSONValue) throws(PositionLineError) -> PictureSize {
    guard case .array(let sides) = value, sides.count == 2,
      let width = sides[0].number.flatMap(Int.init(exactly:)),
      let height = sides[1].number.flatMap(Int.init(exactly:)),
      let size = PictureSize(width: width, height: height)
    else { throw .badSize }
    return size
  }

  // MARK: The frame

  /// Notes what the source's numbers mean: what it doesn't name is the court's own.
  ///
  /// - Returns: whether the line declares it.
  private mutating func declareFrame(
    _ members: [String: JSONValue]
  ) throws(PositionLineError) -> Bool {
    guard PositionKey.frame.contains(where: { members.value($0) != nil }) else { return false }
    // Until a good one comes, positions are not used.
    frame = nil
    var new = CourtFrame.court
    new.unit = try members.part("units", CourtFrame.Unit.init(rawValue:)) ?? new.unit
    new.origin = try members.part("origin", CourtFrame.Origin.init(text:)) ?? new.origin
    new.axes = try members.part("axes", CourtFrame.Axes.init(text:)) ?? new.axes
    new.scale = try members.part("scale", CourtFrame.Scale.init(text:)) ?? new.scale
    frame = new
    return true
  }
}

extension JSONValue {
  /// A text, a number or numbers as options write them, with commas between.
  fileprivate var listed: String? {
    switch self {
    case .string(let text): text
    case .array(let values):
      values.allSatisfy { $0.number != nil }
        ? values.compactMap { $0.number.map { "\($0)" } }.joined(separator: ",") : nil
    default: number.map { "\($0)" }
    }
  }
}

extension [String: JSONValue] {
  /// What the line says by the first of the key's names that it has.
  fileprivate func value(_ key: PositionKey) -> JSONValue? {
    key.names.lazy.compactMap { self[$0] }.first
  }

  /// A part of a frame; nil if the line doesn't have it.
  ///
  /// - Parameter read: nil for a text that is no such part.
  fileprivate func part<Part>(
    _ key: String,
    _ read: (String) -> Part?
  ) throws(PositionLineError) -> Part? {
    guard let value = self[key] else { return nil }
    guard let part = value.listed.flatMap(read) else { throw .badFrame(key: key) }
    return part
  }

  /// - Returns: nil if it is missing, or null.
  fileprivate func number(_ key: PositionKey) throws(PositionLineError) -> Double? {
    for name in key.names {
      if let value = self[name], value != .null { return try coordinate(name) }
    }
    return nil
  }

  fileprivate func coordinate(_ key: String) throws(PositionLineError) -> Double {
    guard let value = self[key] else { throw .missing(key: key) }
    guard let number = value.number else { throw .wrongType(key: key, expected: "a number") }
    return number
  }

  fileprivate func label(_ key: PositionKey) throws(PositionLineError) -> String? {
    for name in key.names {
      if let label = try label(name) { return label }
    }
    return nil
  }

  /// A string, or a number as text; nil if it is missing, or null.
  fileprivate func label(_ key: String) throws(PositionLineError) -> String? {
    switch self[key] {
    case nil, .null: nil
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .boolean, .array, .object:
      throw .wrongType(key: key, expected: "a string or a number")
    }
  }
}

extension PositionLineError {
  fileprivate init(_ error: JSONTextError) {
    self =
      switch error {
      case .notUTF8: .notUTF8
      case .notJSON: .notJSON
      case .doubledKey, .numberOutOfRange, .nul, .tooMuch: .json(error)
      }
  }
}
