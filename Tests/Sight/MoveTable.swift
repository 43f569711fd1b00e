import Camera
import Clocks
import CourtMapping
import Glibc
import Scenes

/// Prints after how many seconds a camera that has moved a little is noticed, and how often one is that
/// hasn't.
struct MoveTable {
  /// How far the picture moves to the right and down, in pixels of one 1280 wide, and by how many degrees
  /// it turns about its middle.
  private struct Move {
    var name: String
    var right = 0.0
    var down = 0.0
    var degrees = 0.0
  }

  private static let moves = [
    Move(name: "3 px aside", right: 3), Move(name: "3 px up", down: -3),
    Move(name: "turned by 0.5°", degrees: 0.5),
  ]
  /// In seconds.
  private static let (still, after) = (60, 15)

  var settings = Setting.allCases

  private let size = PictureSize(width: 640, height: 360).unsafelyUnwrapped
  private let small = PictureSize(width: 320, height: 180).unsafelyUnwrapped

  func print(seed: UInt64) {
    line("\n### A camera that has moved: seed \(seed)\n")
    line(
      "| scene | alarms in \(Self.still) s without a move | "
        + Self.moves.map { "\($0.name): noticed after s" }.joined(separator: " | ") + " |"
    )
    line("| :-- | --: |" + String(repeating: " --: |", count: Self.moves.count))
    for setting in settings where setting != .night && setting != .swinging {
      var row = "| \(setting) |"
      for (index, move) in Self.moves.enumerated() {
        let (alarms, noticed) = watch(setting, seed, move)
        if index == 0 { row += " \(alarms) |" }
        row += " \(noticed.map(String.init) ?? "never") |"
      }
      line(row)
    }
  }

  private func watch(_ setting: Setting, _ seed: UInt64, _ move: Move) -> (Int, Int?) {
    let scene = Scene(setting, seed: seed, size: size, rate: 1)
    let marks = scene.camera.marks(in: size, error: 1.5, seed: seed)
    guard let calibration = try? Calibration(marks: marks, size: size) else {
      fatalError("no calibration of \(setting), seed \(seed)")
    }
    let finder = PlayerFinder(calibration: calibration, size: small)
    var bytes = [UInt8](repeating: 0, count: size.width * size.height * 3)
    var (alarms, noticed): (Int, Int?) = (0, nil)
    for second in 0..<Self.still + Self.after {
      _ = scene.next(into: &bytes)
      let hasMoved = second >= Self.still
      finder.check(grey(bytes, hasMoved ? move : Move(name: "")))
      let picture = ColourPicture(width: small.width, height: small.height)
      guard case .nothing(let doubt) = finder.find(in: picture, at: .start),
        doubt.code == "camera-moved"
      else { continue }
      if hasMoved { noticed = noticed ?? second - Self.still + 1 } else { alarms += 1 }
    }
    return (alarms, noticed)
  }

  /// Bilinear.
  private func grey(_ bytes: [UInt8], _ move: Move) -> GreyPicture {
    var grey = GreyPicture(width: size.width, height: size.height)
    let (width, height) = (size.width, size.height)
    let scale = Double(width) / 1280
    let (sine, cosine) = (sin(move.degrees * .pi / 180), cos(move.degrees * .pi / 180))
    for row in 0..<height {
      for column in 0..<width {
        let x = Double(column - width / 2) - move.right * scale
        let y = Double(row - height / 2) - move.down * scale
        let u = min(max(cosine * x + sine * y + Double(width / 2), 0), Double(width - 2))
        let v = min(max(cosine * y - sine * x + Double(height / 2), 0), Double(height - 2))
        let (left, top) = (Int(u), Int(v))
        let (a, b) = (u - floor(u), v - floor(v))
        func at(_ row: Int, _ column: Int) -> Double {
          Double(bytes[(row * width + column) * 3 + 1])
        }
        let upper = at(top, left) * (1 - a) + at(top, left + 1) * a
        let lower = at(top + 1, left) * (1 - a) + at(top + 1, left + 1) * a
        grey.bytes[row * width + column] = UInt8(upper * (1 - b) + lower * b)
      }
    }
    return grey
  }

  private func line(_ text: String) { Swift.print(text) }
}
