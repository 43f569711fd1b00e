/// Why points make no calibration.
package enum CalibrationProblem: Error, Hashable, Sendable {
  case tooFew(Int)
  case notInPicture(CourtMark)
  /// Two marks at one place of the picture.
  case doubled(CourtMark, CourtMark)
  /// All marks but one are on one line, of the court or in the picture.
  case inLine([CourtMark])
  /// A camera sees the marks in no such order.
  case crossed
  case mirrored
  /// A part of the player's half would lie behind the camera.
  case behindCamera
  /// The points contradict each other; the mark is the one without which the others agree best, if
  /// there are enough to say so. The pixels are infinite where the lens of a file can't show a mark.
  case contradicting(CourtMark?, pixels: Double)
  /// The lens term of a file.
  case lens(Double)

  /// The marks that are wrong, if it is known which.
  package var marks: [CourtMark] {
    switch self {
    case .notInPicture(let mark): [mark]
    case .doubled(let one, let other): [one, other]
    case .inLine(let marks): marks
    case .contradicting(let mark, _): mark.map { [$0] } ?? []
    case .tooFew, .crossed, .mirrored, .behindCamera, .lens: []
    }
  }
}

extension CalibrationProblem {
  /// A word for programs.
  package var code: String {
    switch self {
    case .tooFew: "tooFew"
    case .notInPicture: "notInPicture"
    case .doubled: "doubled"
    case .inLine: "inLine"
    case .crossed: "crossed"
    case .mirrored: "mirrored"
    case .behindCamera: "behindCamera"
    case .contradicting: "contradicting"
    case .lens: "lens"
    }
  }
}

extension CalibrationProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooFew(let count):
      "\(count) points are too few: give four or more, better six"
    case .notInPicture(let mark):
      "\(mark.rawValue) is not in the picture"
    case .doubled(let one, let other):
      "\(one.rawValue) and \(other.rawValue) are at the same place in the picture"
    case .inLine(let marks):
      """
      too many points are on one line (\(marks.map(\.rawValue).joined(separator: ", "))): four are \
      needed of which no three are
      """
    case .crossed:
      "the points are in the wrong order, as if the picture was folded: two of them are exchanged"
    case .mirrored:
      "the picture is mirrored: left and right, or net and baseline, are exchanged"
    case .behindCamera:
      "with these points a part of the player's half would lie behind the camera"
    case .contradicting(let mark?, let pixels):
      "the points contradict each other by \(miss(pixels)); \(mark.rawValue) is probably wrong"
    case .contradicting(nil, let pixels):
      """
      the points contradict each other by \(miss(pixels)); with six or more, the wrong one could be \
      named
      """
    case .lens(let k):
      """
      a lens term of \(k) is out of range: \(LensTerm.range.lowerBound) to \
      \(LensTerm.range.upperBound)
      """
    }
  }
}

private func miss(_ pixels: Double) -> String {
  pixels < 10_000 ? "up to \(Int(pixels.rounded())) pixels" : "10,000 pixels or more"
}

/// What a person has to look at although the points fit.
package enum CalibrationWarning: String, CaseIterable, Hashable, Sendable {
  /// With four points, any four, whatever they are, fit.
  case fewPoints = "few-points"
  /// The camera would be lower than ``Calibration/lowCamera``.
  case low
  case tilted
  /// The camera's pixels would not be square, or no camera at all shows the ground like that.
  case unlikelyCamera = "unlikely-camera"
  /// Too few painted lines were seen: only a file can have this.
  case fewLines = "few-lines"
}

extension CalibrationWarning: CustomStringConvertible {
  package var description: String {
    switch self {
    case .fewPoints: "so few points can't be checked: four fit whatever they are; give six or more"
    case .low: "the camera would be less than \(Calibration.lowCamera) m high"
    case .tilted: "the camera would be tilted by more than 30°, or upside down"
    case .unlikelyCamera: "no usual camera shows a court like that: the points may be turned"
    case .fewLines:
      "too few painted lines were seen: a moved camera may not be noticed when its program starts"
    }
  }
}
