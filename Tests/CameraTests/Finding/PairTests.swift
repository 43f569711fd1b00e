import CourtMapping
import Scenes
import Testing

@testable import Camera

/// Whether one blob is two persons.
@Suite struct PairTests {
  private let calibration: Calibration

  init() throws {
    let marks = Scene(.high, seed: 7, size: smallSize).camera.marks(in: fullSize, error: 0, seed: 1)
    calibration = try Calibration(marks: marks, size: fullSize)
  }

  /// Judges white shapes on a grey court.
  ///
  /// - Parameter boxes: in heights of a person, from where the feet of a person at the middle of the
  ///   baseline are: left, right, lower and upper end.
  private func candidates(_ boxes: [[Double]]) throws -> [Candidate] {
    let (width, height) = (smallSize.width, smallSize.height)
    var judge = CandidateJudge(calibration: calibration, scale: 4, rules: FinderRules())
    let place = CourtPoint(4.115, 11)
    let foot = try #require(calibration.picture(place))
    let want = try #require(judge.wanted(at: place))
    let background = Background(width: width, height: height)
    let stirs = StirMeter(width: width, height: height)
    var scanner = BlobScanner(width: width, height: height)
    var picture = [UInt8](repeating: 100, count: width * height * 3)
    for _ in 0..<30 { background.update(picture, rate: 0.1, kept: nil, nil) }
    for box in boxes {
      let columns = Int(foot.u / 4 + box[0] * want)...Int(foot.u / 4 + box[1] * want)
      for row in Int(foot.v / 4 - box[3] * want)...Int(foot.v / 4 - box[2] * want) {
        for column in columns {
          for channel in 0..<3 { picture[(row * width + column) * 3 + channel] = 240 }
        }
      }
    }
    background.update(picture, rate: 0.005, kept: nil, nil)
    scanner.scan(background.mask)
    judge.judge(scanner.blobs, background, stirs, picture)
    return judge.candidates
  }

  private static let left = [-0.35, -0.1, 0, 1]
  private static let right = [0.15, 0.4, 0, 0.95]

  @Test func twoWhoseArmsMeetAreAPair() throws {
    let arms = [-0.1, 0.15, 0.7, 0.75]
    #expect(try candidates([Self.left, Self.right, arms]).map(\.isPair) == [true])
  }

  /// A player alone who is as broad: with both arms out, in a lunge, with a racket, or before a person far
  /// away, who has no feet beside the player's.
  @Test(arguments: [
    [[-0.1, 0.15, 0, 1], [-0.4, 0.4, 0.7, 0.8]],
    [[-0.15, 0.15, 0.4, 1], [-0.4, -0.1, 0, 0.45], [0.1, 0.4, 0, 0.45]],
    [[-0.35, -0.1, 0, 1], [-0.1, 0.3, 0.6, 0.65], [0.25, 0.4, 0.5, 0.8]],
    [[-0.35, -0.1, 0, 1], [-0.1, 0.3, 0.75, 0.8], [0.15, 0.4, 0.6, 1.2]],
  ])
  func oneWhoIsBroadIsNoPair(_ boxes: [[Double]]) throws {
    #expect(try candidates(boxes).map(\.isPair) == [false])
  }
}
