package import CourtLogic
import CourtMapping
import Host
import JSON

/// A calibration for people and for programs: where the camera stands, what its points are worth.
package struct CalibrationRecord: Sendable {
  private let path: String
  private let file: CalibrationFile
  private let court: Court

  /// - Parameter court: whose zones the accuracy is for.
  package init(_ file: CalibrationFile, path: String, court: Court = Court()) {
    self.file = file
    self.path = path
    self.court = court
  }

  package var lines: [String] {
    let calibration = file.calibration
    return
      [
        "camera    \(calibration.sentence)",
        "picture   \(calibration.size), lens \(calibration.lens.fixed(3))",
        "points    how far each is off, in pixels",
      ] + misses + ["accuracy  for a foot that is 3 pixels off, in metres"] + accuracy
      + file.warnings.map { "warning   \($0)" } + confirmation
  }

  private var marks: [(mark: CourtMark, miss: Double)] {
    CourtMark.allCases.compactMap { mark in
      file.calibration.residuals[mark].map { (mark, $0) }
    }
  }

  private var misses: [String] {
    let width = marks.map { $0.mark.rawValue.count }.max() ?? 0
    return marks.map { "  \(padded($0.mark.rawValue, to: width))  \($0.miss.fixed(1))" }
  }

  private var accuracy: [String] {
    (0..<Zone.side).map { row in
      let errors = (0..<Zone.side).compactMap { column in
        Zone(row: row, column: column).flatMap { file.calibration.error(in: $0, of: court) }
      }
      let edge = row == 0 ? "  net" : row == Zone.side - 1 ? "  baseline" : ""
      return "  " + errors.map { $0.fixed(2) }.joined(separator: "  ") + edge
    }
  }

  private var confirmation: [String] {
    if file.isConfirmed {
      return ["confirmed " + (file.time.map { "\($0.iso8601)" } ?? "yes")]
    }
    let was = file.confirmed.map { "was       \($0)" }
    return ["confirm   if the camera stands there, write below made, in the file:"]
      + [was].compactMap(\.self) + ["  confirmed: \"\(file.calibration.sentence)\""]
  }
}

extension CalibrationRecord: Encodable {
  private enum Key: String, CodingKey {
    case file, camera, size, lens, points, marks, lines, accuracy, warnings, confirmed, made
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    let calibration = file.calibration
    try object.encode(path, forKey: .file)
    try object.encode(calibration.sentence, forKey: .camera)
    try object.encode([calibration.size.width, calibration.size.height], forKey: .size)
    try object.encode(calibration.lens.rounded(places: 3), forKey: .lens)
    try object.encode(
      Dictionary(
        uniqueKeysWithValues: marks.map { ($0.mark.rawValue, $0.miss.rounded(places: 1)) }
      ),
      forKey: .points
    )
    try object.encode(
      Dictionary(
        uniqueKeysWithValues: calibration.marks.map { ($0.rawValue, [$1.u, $1.v]) }
      ),
      forKey: .marks
    )
    try object.encodeIfPresent(file.lines, forKey: .lines)
    try object.encode(
      Dictionary(
        uniqueKeysWithValues: Zone.allCases.compactMap { zone in
          calibration.error(in: zone, of: court).map { ("\(zone)", $0.rounded(places: 3)) }
        }
      ),
      forKey: .accuracy
    )
    try object.encode(file.warnings.map(\.rawValue), forKey: .warnings)
    try object.encode(file.isConfirmed, forKey: .confirmed)
    try object.encode(file.time?.iso8601, forKey: .made)
  }
}
