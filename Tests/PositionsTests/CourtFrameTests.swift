import CourtLogic
import Foundation
import Testing

@testable import Positions

/// What trackers' numbers mean, and what is made of them.
struct CourtFrameTests {
  typealias Origin = CourtFrame.Origin
  typealias Axes = CourtFrame.Axes

  /// A player of this court who walks about behind the middle of the baseline.
  static let walk: [(x: Double, y: Double)] = (0..<100).map { step in
    let time = Double(step)
    let x: Double = 4.1 + 2.5 * sin(time / 20)
    let y: Double = 11.5 + 1.5 * cos(time / 15)
    return (x, y)
  }

  private static func frame(
    _ unit: CourtFrame.Unit = .metres,
    _ origin: String = "corner",
    _ axes: String = "x,y",
    scale: String = "1"
  ) -> CourtFrame {
    var frame = CourtFrame(unit, Origin(text: origin)!, Axes(text: axes)!)
    frame.scale = CourtFrame.Scale(text: scale)!
    return frame
  }

  /// What a tracker with this frame writes for a place of the court.
  private static func written(_ place: (x: Double, y: Double), in frame: CourtFrame) -> (
    x: Double, y: Double
  ) {
    let across = (place.x - frame.origin.x) * (frame.axes.isXReversed ? -1 : 1)
    let along = (place.y - frame.origin.y) * (frame.axes.isYReversed ? -1 : 1)
    let (x, y) = frame.axes.isSwapped ? (along, across) : (across, along)
    return (x / frame.unit.metres / frame.scale.x, y / frame.unit.metres / frame.scale.y)
  }

  @Test(
    arguments: [
      (frame(), 4.1, 11.0, 4.1, 11.0),
      (frame(.feet), 13.5, 36.0, 4.1148, 10.9728),
      (frame(.centimetres), 410, 1100, 4.1, 11.0),
      (frame(.metres, "centre"), -0.015, 11.0, 4.1, 11.0),
      (frame(.metres, "far-left"), 5.47, 22.885, 4.1, 11.0),
      (frame(.metres, "near-left", "x,-y"), 5.47, 0.885, 4.1, 11.0),
      (frame(.metres, "centre", "y,x"), 11.0, -0.015, 4.1, 11.0),
      (frame(.metres, "centre", "-y,-x"), -11.0, 0.015, 4.1, 11.0),
      (frame(scale: "8.23,11.885"), 0.5, 1, 4.115, 11.885),
      (frame(.metres, "-1.37,0"), 5.47, 11, 4.1, 11.0),
      (frame(scale: "2"), 2, 5.5, 4, 11),
    ]
  )
  func numbersBecomeMetres(
    frame: CourtFrame,
    x: Double,
    y: Double,
    metresX: Double,
    metresY: Double
  ) {
    let metres = frame.metres(x, y)
    #expect(abs(metres.x - metresX) < 1e-9 && abs(metres.y - metresY) < 1e-9, "\(metres)")
  }

  @Test func whatIsWrittenIsReadAgain() {
    for (_, origin) in Origin.named { #expect(Origin(text: origin.text) == origin) }
    for axes in Axes.all { #expect(Axes(text: axes.text) == axes) }
    #expect(Set(Axes.all.map(\.text)).count == 8)
    for text in ["1.0", "8.23,11.885"] { #expect(CourtFrame.Scale(text: text)?.text == text) }
    #expect(Origin(text: "-1.5,2.0")?.text == "-1.5,2.0")
    for text in ["frames@30", "frames@29.97", "ms", "seconds"] {
      #expect(TrackTime(text: text)?.text == text)
    }
    for text in ["", "0", "-1", "1,0", "1,2,3", "nan", "1e9", "x"] {
      #expect(CourtFrame.Scale(text: text) == nil, "\(text)")
    }
    for text in ["", "middle", "1", "101,0", "0,nan"] { #expect(Origin(text: text) == nil) }
    for text in ["", "x", "x,x", "x,z", "y,y", "--x,y"] { #expect(Axes(text: text) == nil) }
    for text in ["frames", "frames@", "frames@0", "frames@-1", "frames@nan", "s", "MS"] {
      #expect(TrackTime(text: text) == nil)
    }
  }

  // MARK: Guesses

  @Test(
    arguments: [
      frame(.feet), frame(.centimetres), frame(.metres, "far-left"), frame(.feet, "far-left"),
      frame(.metres, "centre", "y,x"), frame(.metres, "near-left", "x,-y"),
      frame(scale: "8.23,11.885"),
    ]
  )
  func whatATrackerWritesIsRecognised(frame: CourtFrame) throws {
    let guess = FrameGuess(Self.walk.map { Self.written($0, in: frame) }, as: .court)
    #expect(guess.fit != .good)
    // One that is like it in a mirror is as likely.
    #expect(guess.others.prefix(2).contains(frame), "\(guess)")
    #expect(FrameGuess(Self.walk.map { Self.written($0, in: frame) }, as: frame).fit == .good)
  }

  /// As metres they may be right, so they are told of, and used.
  @Test func anOriginInTheMiddleIsDoubtful() {
    let frame = Self.frame(.metres, "centre")
    let guess = FrameGuess(Self.walk.map { Self.written($0, in: frame) }, as: .court)
    #expect(guess.fit == .doubtful)
    #expect(guess.others.first == frame)
  }

  @Test func playersOfThisCourtAreNotDoubted() {
    #expect(FrameGuess(Self.walk, as: .court).fit == .good)
    // In one place, far behind the baseline, beside the court.
    for place in [(4.0, 9.0), (1.0, 1.0), (4.0, 17.5), (-1.2, 12.0), (9.5, 12.0)] {
      #expect(FrameGuess(Array(repeating: place, count: 100), as: .court).fit == .good, "\(place)")
    }
  }

  @Test func pixelsAreRecognised() {
    let points = (0..<100).map { (x: 600 + Double($0), y: 420 + Double($0 / 3)) }
    let guess = FrameGuess(points, as: .court)
    #expect(guess.isInPixels && guess.fit == .impossible)
  }

  // MARK: What holds balls back

  private static func position(_ x: Double, _ y: Double) -> PlayerPosition {
    try! PlayerPosition(x: x, y: y)
  }

  @Test(
    arguments: [
      (position(0.4, 0.9), FrameMisfit.fractions, position(0.5, 1.4), position(0.5, 2.1)),
      (position(5.4, 22.9), .farAway, position(5.4, 22), position(5.4, 21.8)),
      (position(-10.1, 5), .farAway, position(-11, 5), position(-9.9, 5)),
    ]
  )
  func aHundredPositionsDecide(
    first: PlayerPosition,
    misfit: FrameMisfit,
    same: PlayerPosition,
    other: PlayerPosition
  ) {
    var watch = FrameWatch()
    for _ in 0..<99 { #expect(watch.judge(first) == nil) }
    #expect(watch.judge(first) == misfit)
    #expect(watch.judge(same) == misfit)
    // It is over for good: a player may be anywhere later.
    #expect(watch.judge(other) == nil)
    for _ in 0..<200 { #expect(watch.judge(first) == nil) }
  }

  @Test func wholeNumbersAreNoParts() {
    var watch = FrameWatch()
    for step in 0..<500 { #expect(watch.judge(Self.position(Double(step % 2), 1)) == nil) }
  }

  @Test func onePositionOfTheFirstHundredIsEnough() {
    var watch = FrameWatch()
    _ = watch.judge(Self.position(4, 9))
    for _ in 0..<500 { #expect(watch.judge(Self.position(0.5, 0.5)) == nil) }
  }

  /// Behind the baseline it is a fallback ball, and no hold.
  @Test func behindTheBaselineIsNoMisfit() {
    var watch = FrameWatch()
    for _ in 0..<500 { #expect(watch.judge(Self.position(4, 21)) == nil) }
  }
}
