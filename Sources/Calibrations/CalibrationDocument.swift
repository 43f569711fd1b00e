package import CourtMapping
import Host
package import YAML

/// What a calibration's file may say.
struct CalibrationDocument: YAMLDocument {
  var size: PictureSize?
  var lens: Double?
  var marks: [CourtMark: PicturePoint] = [:]
  var time: WallTime?
  var source: String?
  var lines: Double?
  var confirmed: String?

  subscript(mark: CourtMark) -> PicturePoint? {
    get { marks[mark] }
    set { marks[mark] = newValue }
  }

  static let schema = YAMLSchema<Self>(
    of: "a calibration",
    typicalKey: "points",
    [picture, points, made]
  )

  private static let picture = YAMLSection<Self>(
    "picture",
    "The camera's picture in which the points are",
    effect: .atOnce,
    keys: [
      .value(
        "size",
        .size,
        \.size,
        example: "[1280, 720]",
        "Width and height, in pixels."
      ),
      .value(
        "lens",
        .number("a number", unit: "", in: Calibration.lenses),
        \.lens,
        example: "-0.05",
        """
        How the lens bends the picture: a perfect one would show at r what is shown at d, \
        r = d / (1 + lens × d²), both in halves of the picture's diagonal from its middle. Without \
        it: found from the points if there are eight or more, else 0.
        """
      ),
    ]
  )

  private static let points = YAMLSection<Self>(
    "points",
    "Where marks of the court are in the picture: four or more, better six or eight",
    effect: .atOnce,
    keys: CourtMark.allCases.map { mark in
      .value(
        mark.rawValue,
        .picturePoint,
        \.[mark],
        example: "[640, 512.5]",
        "[u, v], in pixels from the upper left corner, of the point at \(mark.place)."
      )
    }
  )

  private static let made = YAMLSection<Self>(
    "made",
    "How it was made, and that a person has compared it with the camera",
    effect: .atOnce,
    keys: [
      .value("at", .time, \.time, example: "\"2026-11-23T10:25:51Z\"", "When."),
      .value(
        "lines",
        .number("a share", unit: "", in: 0...1),
        \.lines,
        example: "0.72",
        """
        The share of the court's lines that was seen where the points put them, across the court or \
        along it, whichever is less. The camera's program sends nothing where it sees less than half of \
        that: then the camera was moved.
        """
      ),
      .value("by", .text("a text"), \.source, example: "\"ballmachine camera\"", "By what."),
      .value(
        "confirmed",
        .text("the sentence that `ballmachine check-calibration` prints"),
        \.confirmed,
        example: "\"3.0 m high, 8.0 m behind the player's baseline, looking at the net\"",
        """
        Where the camera stands, as the points say and as a person has seen that it is true. A \
        court that is turned by half fits any points: without this the calibration isn't used.
        """
      ),
    ]
  )
}

extension CourtMark {
  /// `x 0, y 11.885`.
  fileprivate var place: String { "x \(point.x), y \(point.y)" }
}

extension YAMLKind where Value == PicturePoint {
  static var picturePoint: YAMLKind {
    let greatest = Double(PictureSize.range.upperBound)
    return YAMLKind<Double>.number("a number of pixels", unit: "px", in: 0...greatest)
      .list(
        "[u, v], two numbers of pixels",
        count: 2...2,
        to: { PicturePoint($0[0], $0[1]) },
        from: { [$0.u, $0.v] }
      )
  }
}

extension YAMLKind where Value == PictureSize {
  package static var size: YAMLKind<PictureSize> {
    YAMLKind<Int>.integer("a whole number of pixels", unit: "px", in: PictureSize.range)
      .list(
        "[WIDTH, HEIGHT], two whole numbers of pixels",
        count: 2...2,
        to: { (sides) throws(YAMLListProblem) in
          guard let size = PictureSize(width: sides[0], height: sides[1]) else {
            throw YAMLListProblem(item: 0, text: "\(sides[0]) × \(sides[1]) is no picture")
          }
          return size
        },
        from: { [$0.width, $0.height] }
      )
  }
}

extension YAMLKind where Value == WallTime {
  static var time: YAMLKind {
    YAMLKind(
      form: "a time such as \"2026-11-23T10:25:51Z\"",
      yaml: { "\"\($0.iso8601)\"" },
      read: { WallTime(iso8601: $0) }
    )
  }
}
