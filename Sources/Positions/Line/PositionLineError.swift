package import CourtLogic
package import CourtMapping
import Host
package import JSON

/// Why a line of a position stream was refused.
package enum PositionLineError: Error, Hashable, Sendable {
  case tooLong
  /// The stream ended before the line's end.
  case cut
  case notUTF8
  /// A line that begins like an object but isn't one.
  case notJSON
  /// JSON that is refused for another reason than its form.
  case json(JSONTextError)
  /// Neither an object nor three columns.
  case unknownFormat
  /// A row of so many numbers, more than are known by a name.
  case columns(Int)
  /// A JSON array, where each line is to be an object.
  case array
  /// CSV's header names no place.
  case unknownColumns(String)
  /// CSV's header is that of a tracker of the ball.
  case ofTheBall
  case missing(key: String)
  case wrongType(key: String, expected: String)
  /// A column of CSV that is not a decimal number.
  case notANumber(column: String, text: String)
  case notATimestamp(String)
  /// A recorded time is the number of a picture, and how many there are a second is not known.
  case frameNumbers
  case longID
  /// Metres and pixels in one line.
  case metresAndPixels
  /// A size that is no picture's.
  case badSize
  /// A picture point from a feeder that has not declared its picture's size.
  case noSize
  /// A picture point, or a picture's size, while there is no calibration.
  case noCalibration
  /// The feeder looks for the player with another calibration than the bridge has.
  case otherCalibration
  /// The sides' ratio is not that of the calibration's picture.
  case otherShape(PictureSize, calibrated: PictureSize)
  case notInPicture(u: Double, v: Double)
  /// A box that is not four numbers with a width and a height.
  case badBox
  /// Keypoints that are not COCO's 17.
  case badKeypoints
  /// Keypoints of which neither ankle is sure.
  case noAnkle
  /// The point is above the horizon, or too far away to be on a court.
  case notOnTheGround(u: Double, v: Double)
  /// A declaration of what numbers mean that makes no sense.
  case badFrame(key: String)
  /// What the numbers mean was declared, and not understood.
  case noFrame
  /// A well-formed line whose position can't be used.
  case position(PositionError)
}

extension PositionLineError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooLong:
      "longer than \(LineSplitter.longestLine) bytes: skipped to its end"
    case .cut:
      "the stream ended in the middle of this line, or its line feed is missing"
    case .notUTF8:
      "not UTF-8 text"
    case .notJSON:
      "not valid JSON (which has no NaN and no Infinity)"
    case .json(let error):
      error.description
    case .unknownFormat:
      #"neither a JSON object such as {"x": 4.1, "y": 9.8} nor CSV timestamp,x,y"#
    case .columns(let count):
      "\(count) columns, and no first line names them, as timestamp,id,x,y would"
        + (Self.columnsOfMOT.contains(count)
          ? "; of a file of the MOT challenge, from-mot.awk of the examples makes lines" : "")
    case .array:
      "an array: give one object a line, as `jq -c '.[]'` makes it"
    case .unknownColumns(let header):
      "no column is named x and none y, or u and v: \(CSVColumns.advice(header))"
    case .ofTheBall:
      "these columns are TrackNet's, and of the ball, not of a player"
    case .missing(let key):
      "“\(key)” is missing"
    case .wrongType(let key, let expected):
      "“\(key)” is not \(expected)"
    case .notANumber(let column, let text):
      "\(column) “\(text.excerpt)” is not a number"
    case .notATimestamp(let text):
      "timestamp “\(text.excerpt)” is neither seconds nor yyyy-MM-dd HH:mm:ss"
    case .frameNumbers:
      "the time is a picture's number, and how many pictures there are a second isn't said"
    case .longID:
      "“id” is longer than \(PositionParser.longestID) bytes"
    case .metresAndPixels:
      "give either “x” and “y”, in metres, or “u” and “v”, in pixels"
    case .badSize:
      #"“size” is not [WIDTH, HEIGHT], whole numbers of pixels from 16 to 16384"#
    case .noSize:
      #"“u” and “v” need the picture's size before: {"size": [1280, 720]}"#
    case .noCalibration:
      "“u” and “v” need a calibration, and court.calibration names none"
    case .otherCalibration:
      "the feeder has another calibration than court.calibration: name the same file, and reload"
    case .otherShape(let size, let calibrated):
      """
      a picture of \(size) has another shape than the calibration's, \(calibrated)
      """
    case .badBox:
      "“box” is not [x, y, width, height] in pixels, from the upper left corner"
    case .badKeypoints:
      "“keypoints” is not 17 times x, y and score, in COCO's order"
    case .noAnkle:
      "neither ankle of the “keypoints” has a score of \(PlayerPosition.leastConfidence) or more"
    case .badFrame(let key):
      "“\(key)” is not \(Self.frameForms[key] ?? "known"): positions wait for a right one"
    case .noFrame:
      "what its numbers mean was declared in a line that can't be used"
    case .notInPicture(let u, let v):
      "u \(u), v \(v) is not in the picture"
    case .notOnTheGround(let u, let v):
      "u \(u), v \(v) is not on the ground near the court"
    case .position(let error):
      error.description
    }
  }
}

extension PositionLineError {
  /// Source: MOTChallenge's format: frame, id, left, top, width, height, confidence, and two or three more.
  private static let columnsOfMOT = 9...10
  private static let frameForms = [
    "units": CourtFrame.Unit.allCases.map { "“\($0.rawValue)”" }.joined(separator: ", "),
    "origin": CourtFrame.Origin.named.map { "“\($0.name)”" }.joined(separator: ", ")
      + ", or [X, Y] in metres of the court",
    "axes": "two of x and y such as “y,x” or “-x,-y”",
    "scale": "a number above 0, or [NX, NY]",
  ]
}

/// A refused line of a position stream.
package struct BadLine: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line's number in its stream, from 1.
  package let line: Int
  /// The beginning of what it says; nil for one that is too long.
  package let text: String?
  package let reason: PositionLineError

  package init(line: Int, text: String? = nil, reason: PositionLineError) {
    self.line = line
    self.text = text
    self.reason = reason
  }

  package var description: String { "line \(line): \(reason)" }
}
