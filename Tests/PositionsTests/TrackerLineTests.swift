import CourtLogic
import CourtMapping
import Testing

@testable import Positions

/// Lines as trackers write them.
struct TrackerLineTests {
  private func lines(
    _ text: String,
    _ times: PositionTimes = .ofArrival,
    frame: CourtFrame = .court,
    calibration: Calibration? = nil
  ) -> [PositionLine] {
    var decoder = PositionDecoder(times, frame: frame)
    decoder.use(calibration)
    var lines: [PositionLine] = []
    Array((text + "\n").utf8).withUnsafeBytes { decoder.decode($0) { lines.append($0) } }
    return lines
  }

  private func reports(_ lines: [PositionLine]) -> [PositionReport] {
    lines.compactMap { if case .report(let report, _) = $0 { report } else { nil } }
  }

  private func errors(_ lines: [PositionLine]) -> [PositionLineError] {
    lines.compactMap { if case .bad(let bad) = $0 { bad.reason } else { nil } }
  }

  private func hints(_ lines: [PositionLine]) -> [FeedHint] {
    lines.compactMap { if case .hint(let hint, _) = $0 { hint } else { nil } }
  }

  // MARK: Names

  @Test(arguments: ["confidence", "score", "conf", "prob", "visibility"])
  func aConfidenceHasManyNames(name: String) throws {
    let found = lines(
      """
      {"x": 4, "y": 9, "\(name)": 0.1}
      {"x": 4, "y": 9, "\(name)": 0.9}
      """
    )
    #expect(errors(found) == [.position(.lowConfidence(0.1))])
    #expect(reports(found).map(\.position.confidence) == [0.9])
  }

  @Test(arguments: ["id", "track_id", "player"])
  func anIDHasManyNames(name: String) throws {
    #expect(reports(lines(#"{"x": 4, "y": 9, "\#(name)": 7}"#)).map(\.id) == ["7"])
  }

  @Test(
    arguments: [
      ("confidance", "confidence"), ("Confidence", "confidence"), ("trackId", "track_id"),
      ("track-id", "track_id"), ("player_id", "id"), ("bbox", "box"), ("probability", "prob"),
      ("Score", "score"), ("scoer", "score"), ("unit", "units"), ("X", "x"),
    ]
  )
  func anUnknownKeyThatLooksLikeOneIsToldOnce(key: String, likely: String) {
    let line = #"{"x": 4, "y": 9, "\#(key)": 1}"#
    let found = lines([line, line, line].joined(separator: "\n"))
    #expect(hints(found) == [.unknownKey(key, likely: likely)])
    #expect(reports(found).count == 3)
  }

  @Test(arguments: ["z", "speed", "team", "frame_rate", "confidence", "a", "vx", "extra", "ball"])
  func otherKeysAreNobodysBusiness(key: String) {
    #expect(hints(lines(#"{"x": 4, "y": 9, "\#(key)": 0.9}"#)).isEmpty)
  }

  /// Whatever a feeder makes up, what is kept of it is bounded.
  @Test func keysThatAreKeptAreBounded() {
    let text = (0..<1000).map {
      #"{"x": 4, "y": 9, "Trackid\#(String(repeating: "_", count: $0 % 500))": 1}"#
    }
    #expect(hints(lines(text.joined(separator: "\n"))).count == 64)
  }

  // MARK: What numbers mean

  @Test func aFeederDeclaresWhatItsNumbersMean() {
    let found = lines(
      """
      {"units": "feet", "origin": "centre"}
      {"x": 0, "y": 36}
      {"scale": [8.23, 11.885], "axes": "x,y"}
      {"x": 0.5, "y": 1}
      {"units": "metres"}
      {"x": 4, "y": 9}
      """
    )
    #expect(errors(found).isEmpty)
    let places = reports(found).map { ($0.position.x, $0.position.y) }
    let expected = [(4.115, 36 * 0.3048), (4.115, 11.885), (4.0, 9.0)]
    #expect(places.count == 3)
    for (place, expected) in zip(places, expected) { #expect(place == expected) }
  }

  /// What was meant is not known: no position may be taken for something else.
  @Test(
    arguments: [
      (#"{"units": "yards"}"#, "units"), (#"{"units": 3}"#, "units"),
      (#"{"origin": "middle"}"#, "origin"), (#"{"origin": [1]}"#, "origin"),
      (#"{"origin": [1, "a"]}"#, "origin"), (#"{"axes": "x,x"}"#, "axes"),
      (#"{"scale": 0}"#, "scale"), (#"{"scale": [1, 2, 3]}"#, "scale"),
      (#"{"units": "feet", "scale": -1, "x": 1, "y": 2}"#, "scale"),
    ]
  )
  func aDeclarationThatMakesNoSenseStopsPositions(line: String, key: String) {
    let found = lines(
      """
      \(line)
      {"x": 4, "y": 9}
      {"units": "metres"}
      {"x": 4, "y": 9}
      """
    )
    #expect(errors(found) == [.badFrame(key: key), .noFrame])
    #expect(reports(found).count == 1)
  }

  @Test func theConfiguredFrameComesAgainWithTheNextFeeder() {
    var decoder = PositionDecoder(.ofArrival, frame: CourtFrame(.feet))
    var found: [PositionLine] = []
    func feed(_ text: String) {
      Array(text.utf8).withUnsafeBytes { decoder.decode($0) { found.append($0) } }
    }
    feed("{\"x\": 10, \"y\": 30}\n{\"units\": \"metres\"}\n{\"x\": 4, \"y\": 9}\n")
    decoder.finish(mayBeCut: true) { found.append($0) }
    feed("{\"x\": 10, \"y\": 30}\n")
    #expect(reports(found).map(\.position.x) == [3.048, 4, 3.048])
  }

  @Test func aFeedThatMayBeFeetIsToldOnce() throws {
    let text = Array(repeating: #"{"x": 13.4, "y": 36}"#, count: 300).joined(separator: "\n")
    let found = hints(lines(text))
    #expect(found.count == 1)
    let hint = try #require(found.first)
    #expect(hint.description.contains(#"they look like feet (send {"units": "feet"} first)"#))
  }

  // MARK: Points of a picture

  private static let calibration = PictureMappingTests.calibration

  @Test func aBoxIsItsLowerMiddle() throws {
    let found = lines(
      """
      {"size": [1280, 720]}
      {"box": [600, 300, 80, 193], "conf": 0.9, "track_id": 2}
      {"u": 640, "v": 493}
      """,
      calibration: Self.calibration
    )
    let reports = reports(found)
    #expect(reports.count == 2 && reports[0].position.x == reports[1].position.x, "\(found)")
    #expect(reports[0].point == PicturePoint(640, 493))
  }

  private static func pose(_ left: [Double], _ right: [Double]) -> [[Double]] {
    Array(repeating: [1, 2, 0.9], count: 15) + [left, right]
  }

  @Test(
    arguments: [
      ("\(pose([620, 490, 0.9], [660, 496, 0.8]))", PicturePoint(640, 493)),
      ("\(pose([620, 490, 0.9], [660, 496, 0.4]))", PicturePoint(620, 490)),
      ("\(pose([620, 490, 0.9], [660, 496, 0.8]).flatMap(\.self))", PicturePoint(640, 493)),
    ]
  )
  func keypointsAreTheirAnkles(keypoints: String, point: PicturePoint) {
    let text = "{\"size\": [1280, 720]}\n{\"keypoints\": \(keypoints)}"
    #expect(reports(lines(text, calibration: Self.calibration)).map(\.point) == [point])
  }

  @Test(
    arguments: [
      (#"{"box": [1, 2, 3]}"#, PositionLineError.badBox),
      (#"{"box": [600, 300, 0, 10]}"#, .badBox), (#"{"box": "600"}"#, .badBox),
      (#"{"keypoints": [[1, 2, 0.9]]}"#, .badKeypoints),
      (#"{"keypoints": [1, "a"]}"#, .badKeypoints),
      (#"{"keypoints": \#(pose([1, 2, 0.4], [1, 2, 0.1]))}"#, .noAnkle),
      (#"{"x": 1, "y": 2, "u": 3, "v": 4}"#, .metresAndPixels),
    ]
  )
  func aBadPointSaysWhy(line: String, error: PositionLineError) {
    #expect(
      errors(lines("{\"size\": [1280, 720]}\n" + line, calibration: Self.calibration)) == [error]
    )
  }

  /// A tracker that has both has done the work already.
  @Test func metresComeBeforeABox() {
    #expect(reports(lines(#"{"x": 4, "y": 9, "box": [1, 2, 3, 4]}"#)).map(\.point) == [nil])
  }

  // MARK: CSV

  @Test func aHeaderNamesTheColumns() throws {
    let found = lines(
      """
      "frame", Track_ID ,team, X,Y,conf
      30,7,a,4.1,11,0.9
      60,8,b,4.2,11,0.1
      90,9,c,4.3,"11",
      """,
      .recorded(.frames(rate: 30))
    )
    #expect(errors(found) == [.position(.lowConfidence(0.1))])
    let reports = reports(found)
    #expect(reports.map(\.id) == ["7", "9"])
    #expect(reports.map(\.time) == [.seconds(1), .seconds(3)])
    #expect(reports.map(\.position.x) == [4.1, 4.3])
  }

  @Test(
    arguments: [
      ("ms,x,y\n1500,4,9", nil, Duration.milliseconds(1500)),
      ("t,x,y\n1500,4,9", .milliseconds, .milliseconds(1500)),
      ("frame,t,x,y\n45,99,4,9", .frames(rate: 30), .milliseconds(1500)),
      ("frame,t,x,y\n45,99,4,9", nil, .seconds(99)),
      (#"{"frame": 45, "x": 4, "y": 9}"#, .frames(rate: 30), .milliseconds(1500)),
      (#"{"timestamp": "2026-05-01T10:00:00Z", "x": 4, "y": 9}"#, nil, .seconds(1_777_629_600)),
    ] as [(String, TrackTime?, Duration)]
  )
  func timesCountWhatTheirNameSays(text: String, time: TrackTime?, expected: Duration) {
    #expect(reports(lines(text, .recorded(time))).map(\.time) == [expected])
  }

  @Test(arguments: ["frame,x,y\n0,4,9", #"{"frame": 0, "x": 4, "y": 9}"#])
  func numbersOfPicturesAreNoTimes(text: String) {
    #expect(errors(lines(text, .recorded())) == [.frameNumbers])
    // Live, the time of arrival counts.
    #expect(reports(lines(text)).map(\.stamp) == ["0"])
  }

  /// A damaged row must not give the columns another meaning.
  @Test func aHeaderComesFirstOrNotAtAll() {
    let found = lines("0,4,9\nt,y,x\n1,4,9\ntimestamp,x,y\n2,4,9")
    #expect(errors(found) == [.notANumber(column: "x", text: "y")])
    #expect(reports(found).map(\.position.x) == [4, 4, 4])
  }
}
