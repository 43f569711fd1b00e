import Clocks
import CourtMapping
import Glibc
import Host
import Scenes
import TestSupport
import Testing

@testable import Camera

@Suite struct PictureFeederTests {
  /// What stands still for a moment takes positions again afterwards.
  @Test func aBridgeThatReadsAgainIsNoProblem() throws {
    let folder = try TemporaryDirectory()
    let listener = try ListeningSocket(path: folder("positions.sock"))
    var feeder = PictureFeeder(path: folder("positions.sock"))
    let camera = Scene(.dull, seed: 2, size: fullSize).camera
    let marks = camera.marks(in: fullSize, error: 0, seed: 1)
    let picture = SizeLine(fullSize, try Calibration(marks: marks, size: fullSize))
    let foot = FootPoint(
      point: PicturePoint(320, 200),
      picture: picture,
      confidence: 0.9,
      taken: .start
    )
    feeder.send(foot, at: .start)
    #expect(feeder.problem == nil && feeder.sent == 1)
    let client = try #require(try listener.accept())
    while feeder.problem == nil { feeder.send(foot, at: .start) }
    #expect(feeder.problem == "the bridge takes no positions")
    try client.setNonBlocking()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while read(client.number, &buffer, buffer.count) > 0 {}
    let before = feeder.sent
    feeder.send(foot, at: .start)
    #expect(feeder.problem == nil && feeder.sent == before + 1)
  }
}
