import Testing

@testable import Camera

@Suite struct PictureStampsTests {
  private func add(_ text: String, to stamps: inout PictureStamps) {
    Array(text.utf8).withUnsafeBytes { stamps.add($0) }
  }

  /// What ffmpeg 5.1 prints.
  private let printed = """
    frame:0    pts:0       pts_time:0
    k=v
    frame:1    pts:6030    pts_time:0.067
    k=v
    frame:2    pts:NOPTS   pts_time:NOPTS
    k=v

    """

  @Test func eachPictureHasALine() {
    for cut in 0...printed.utf8.count {
      var stamps = PictureStamps()
      add(String(printed.prefix(cut)), to: &stamps)
      add(String(printed.dropFirst(cut)), to: &stamps)
      #expect(stamps.next() == .zero && stamps.next() == .seconds(0.067))
      #expect(stamps.next() == .zero && stamps.next() == nil)
    }
  }

  @Test func moreThanPicturesFollowAreOfNoUse() {
    var stamps = PictureStamps()
    for _ in 0..<400 { add(printed, to: &stamps) }
    #expect(stamps.next() == nil)
  }
}
