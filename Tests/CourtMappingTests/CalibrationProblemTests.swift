import CourtLogic
import CourtMapping
import Glibc
import TestSupport
import Testing

/// What is refused, and why.
@Suite struct CalibrationProblemTests {
  static let size = behindBaseline.size

  private func problem(_ marks: [CourtMark: PicturePoint]) -> CalibrationProblem? {
    do throws(CalibrationProblem) {
      _ = try Calibration(marks: marks, size: Self.size)
      return nil
    } catch {
      return error
    }
  }

  private func exchanged(
    _ marks: [CourtMark: PicturePoint],
    _ pairs: [(CourtMark, CourtMark)]
  ) -> [CourtMark: PicturePoint] {
    var exchanged = marks
    for (one, other) in pairs { (exchanged[one], exchanged[other]) = (marks[other], marks[one]) }
    return exchanged
  }

  @Test func leftAndRightExchangedIsAMirror() {
    let four = exchanged(
      behindBaseline.marks(fourMarks),
      [(.netLeft, .netRight), (.baselineLeft, .baselineRight)]
    )
    #expect(problem(four) == .mirrored)
    let eight = exchanged(
      behindBaseline.marks(eightMarks),
      [
        (.netLeft, .netRight), (.baselineLeft, .baselineRight),
        (.singlesLeftService, .singlesRightService),
      ]
    )
    #expect(problem(eight) == .mirrored)
  }

  @Test func netAndBaselineExchangedIsAMirror() {
    let four = exchanged(
      behindBaseline.marks(fourMarks),
      [(.netLeft, .baselineLeft), (.netRight, .baselineRight)]
    )
    #expect(problem(four) == .mirrored)
  }

  @Test func twoCornersExchangedIsCrossed() {
    let four = exchanged(behindBaseline.marks(fourMarks), [(.netLeft, .netRight)])
    #expect(problem(four) == .crossed)
  }

  @Test func aSlipOfOnePointIsNamed() throws {
    for name in sixMarks {
      var marks = behindBaseline.marks(sixMarks)
      marks[name]?.u += 60
      guard case .contradicting(let suspect, let pixels)? = problem(marks) else {
        Issue.record("\(name): \(String(describing: problem(marks)))")
        continue
      }
      #expect(suspect == name)
      #expect(pixels > 5)
    }
  }

  /// The lens of a file bends some places out of any picture.
  @Test func aSlipThatTheLensCantShowIsRefusedInWords() {
    var marks = behindBaseline.marks(eightMarks)
    marks[.netLeft] = PicturePoint(760, 680)
    #expect(throws: CalibrationProblem.contradicting(.netLeft, pixels: .infinity)) {
      try Calibration(marks: marks, size: Self.size, lens: 0.05)
    }
    let problem = CalibrationProblem.contradicting(.netLeft, pixels: .infinity)
    #expect("\(problem)".contains("by 10,000 pixels or more; net-left is probably wrong"))
  }

  @Test func aDoublesCornerForASinglesOneIsNamed() {
    var marks = behindBaseline.marks(sixMarks)
    marks[.baselineLeft] = behindBaseline.picture(CourtMark.doublesBaselineLeft.point)
    guard case .contradicting(.baselineLeft?, _)? = problem(marks) else {
      Issue.record("\(String(describing: problem(marks)))")
      return
    }
  }

  @Test func theNetsTapeForItsFootContradicts() {
    var marks = behindBaseline.marks(sixMarks)
    for name in [CourtMark.netLeft, .netRight] {
      marks[name] = behindBaseline.picture(name.point, above: 1)
    }
    guard case .contradicting? = problem(marks) else {
      Issue.record("\(String(describing: problem(marks)))")
      return
    }
  }

  @Test func threePointsAreTooFew() {
    let three = behindBaseline.marks([.netLeft, .netRight, .baselineLeft])
    #expect(problem(three) == .tooFew(3))
    #expect(problem([:]) == .tooFew(0))
  }

  @Test func fourOfWhichThreeAreOnALineAreRefused() {
    let names: [CourtMark] = [.netLeft, .netCentre, .netRight, .baselineLeft]
    #expect(problem(behindBaseline.marks(names)) == .inLine([.netLeft, .netCentre, .netRight]))
    // On a line in the picture alone.
    var marks = behindBaseline.marks(fourMarks)
    marks[.netRight] = PicturePoint(
      (marks[.netLeft]!.u + marks[.baselineLeft]!.u) / 2,
      (marks[.netLeft]!.v + marks[.baselineLeft]!.v) / 2
    )
    #expect(problem(marks) == .inLine([.baselineLeft, .netLeft, .netRight]))
  }

  @Test func twoMarksAtOnePlaceAreRefused() {
    var marks = behindBaseline.marks(sixMarks)
    marks[.netRight] = marks[.netLeft]
    #expect(problem(marks) == .doubled(.netLeft, .netRight))
  }

  @Test(arguments: [
    Double.nan, .infinity, -.infinity, 1e300, -1, 1281, .greatestFiniteMagnitude,
  ])
  func aPointThatIsNotInThePictureIsRefused(_ u: Double) {
    var marks = behindBaseline.marks(sixMarks)
    marks[.singlesLeftService]?.u = u
    #expect(problem(marks) == .notInPicture(.singlesLeftService))
    marks = behindBaseline.marks(sixMarks)
    marks[.singlesLeftService]?.v = u
    #expect(problem(marks) == .notInPicture(.singlesLeftService))
  }

  @Test func aHalfBehindTheCameraIsRefused() {
    // At the net, over the player's half, looking at the machine's.
    let camera = KnownCamera(at: (4.115, 5, 5), lookingAt: (4.115, -9), fieldOfView: 100)
    #expect(problem(camera.marks()) == .behindCamera)
  }

  @Test(arguments: [Double.nan, .infinity, -1, 0.5])
  func aLensThatNoCameraHasIsRefused(_ k: Double) {
    #expect(throws: CalibrationProblem.self) {
      try Calibration(marks: behindBaseline.marks(), size: Self.size, lens: k)
    }
  }

  @Test func pictureSizesHaveLimits() {
    #expect(PictureSize(width: 1280, height: 720) != nil)
    for side in [0, -1, 15, 16385, .max, .min] {
      #expect(PictureSize(width: side, height: 720) == nil)
      #expect(PictureSize(width: 1280, height: side) == nil)
    }
  }
}
