import CourtLogic
import Testing

struct PlayerPositionTests {
  @Test func theLimitsThemselvesAreFine() throws {
    _ = try PlayerPosition(x: -50, y: 50)
    _ = try PlayerPosition(x: 50, y: -50, confidence: 1)
    #expect(try PlayerPosition(x: 1, y: 2, confidence: 0.5).confidence == 0.5)
  }

  @Test(
    arguments: [
      (.nan, 1, nil, .notFinite(.x), "x is not a finite number"),
      (1, -.infinity, nil, .notFinite(.y), "y is not a finite number"),
      (
        10_000, 1, nil, .tooFar(.x, metres: 10_000),
        "x is 10000.0 m: more than 50 m away (are these metres?)"
      ),
      (
        1, -50.1, nil, .tooFar(.y, metres: -50.1),
        "y is -50.1 m: more than 50 m away (are these metres?)"
      ),
      (1, 1, 0.49, .lowConfidence(0.49), "confidence is 0.49: less than 0.5"),
      (1, 1, 1.01, .confidenceOutOfRange(1.01), "confidence is 1.01: it must be from 0 to 1"),
      (1, 1, -0.1, .confidenceOutOfRange(-0.1), "confidence is -0.1: it must be from 0 to 1"),
      (1, 1, .nan, .confidenceNotANumber, "confidence is not a number"),
    ] as [(Double, Double, Double?, PositionError, String)]
  )
  func anUnusablePositionSaysWhy(
    x: Double,
    y: Double,
    confidence: Double?,
    error: PositionError,
    text: String
  ) {
    #expect(throws: error) { try PlayerPosition(x: x, y: y, confidence: confidence) }
    #expect("\(error)" == text)
  }
}
