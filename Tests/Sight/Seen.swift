import Calibrations
import Camera
import Clocks
import CourtMapping
import Host

/// What the finder makes of a film of JPEGs, frame by frame, as `ballmachine camera run --fast` works on
/// it: for tools/bench/sight --real.
enum Seen {
  static let usage = "seen FILM COURT RATE, or places COURT U,V…"

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Prints a line for each frame: the foot in pixels of the frame and in metres on the court, or the
  /// doubt's code.
  static func write(_ arguments: [String]) throws {
    guard arguments.count == 3, let rate = Double(arguments[2]), rate > 0 else {
      throw Failure(description: "usage: \(usage)")
    }
    let film = try FrameFile(
      arguments[0],
      .mjpeg,
      rate: rate,
      isPaced: false,
      clock: SystemClock()
    )
    let calibration = try court(arguments[1]).scaled(to: film.layout.size)
    let decoder = FrameDecoder()
    var small = ColourPicture(width: film.layout.smallWidth, height: film.layout.smallHeight)
    var grey = GreyPicture(width: 0, height: 0)
    guard let size = PictureSize(width: small.width, height: small.height) else {
      throw Failure(description: "the picture is too small")
    }
    let finder = PlayerFinder(calibration: calibration, size: size)
    var lastCheck: MonotonicInstant?
    while let frame = try film.takeNewest() {
      try decoder.readSmall(frame, into: &small)
      if lastCheck.map({ $0.duration(to: frame.time) >= .seconds(1) }) ?? true {
        lastCheck = frame.time
        try decoder.readGrey(frame, into: &grey)
        finder.check(grey)
      }
      switch finder.find(in: small, at: frame.time) {
      case .nothing(let doubt): print(doubt.code)
      case .player(let foot, _):
        guard let place = calibration.court(foot) else { continue }
        print("player", foot.u, foot.v, place.x, place.y)
      }
    }
  }

  /// Prints where on the court picture points of the calibration are, in metres.
  static func places(_ arguments: [String]) throws {
    guard let path = arguments.first else { throw Failure(description: "usage: \(usage)") }
    let calibration = try court(path)
    for argument in arguments.dropFirst() {
      let numbers = argument.split(separator: ",").compactMap { Double($0) }
      guard numbers.count == 2,
        let place = calibration.court(PicturePoint(numbers[0], numbers[1]))
      else { throw Failure(description: "no place on the court: \(argument)") }
      print(place.x, place.y)
    }
  }

  private static func court(_ path: String) throws -> Calibration {
    let file = try CalibrationFile(path: path)
    try file.requireConfirmation(at: path)
    return file.calibration
  }
}
