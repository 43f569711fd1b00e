import Host
import Testing

@testable import WebPage

/// What a phone that watches is sent.
struct ViewerTests {
  private let viewer = Viewer(phone: nil) { _ in }

  private func text() -> String {
    guard case .bytes(let bytes) = viewer.next() else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func eventsComeInOrderAndOfAStateTheNewest() {
    #expect(text() == "retry: 1000\n\n")
    viewer.send(.status, Array(#"{"n":1}"#.utf8))
    viewer.send("dispatch", Array(#"{"n":2}"#.utf8))
    viewer.send("safety", Array(#"{"n":3}"#.utf8))
    viewer.send(.status, Array(#"{"n":4}"#.utf8))
    let events = [
      #"event: dispatch\#ndata: {"n":2}"#, #"event: safety\#ndata: {"n":3}"#,
      #"event: status\#ndata: {"n":4}"#,
    ]
    #expect(text() == events.map { $0 + "\n\n" }.joined())
    #expect(text() == "")
  }

  /// It says less than the event behind which it would be sent.
  @Test(arguments: ["safety", "link", "training"])
  func aStatusBeforeAnEventOfTheSameStateIsNotSent(_ name: String) {
    _ = text()
    viewer.send(.status, Array("1".utf8))
    viewer.send(name, Array("2".utf8))
    #expect(text() == "event: \(name)\ndata: 2\n\n")
    viewer.send(.status, Array("3".utf8))
    viewer.send("dispatch", Array("4".utf8))
    #expect(text() == "event: dispatch\ndata: 4\n\nevent: status\ndata: 3\n\n")
  }

  @Test func aServiceThatIsAwayHasNoStatus() {
    _ = text()
    viewer.send(.status, Array("1".utf8))
    viewer.send(.service, Array("2".utf8))
    #expect(text() == "event: service\ndata: 2\n\n")
    viewer.send(.service, Array("3".utf8))
    viewer.send(.status, Array("4".utf8))
    #expect(text() == "event: status\ndata: 4\n\n")
  }

  @Test func aPhoneThatReadsNothingIsDroppedAndTakesNoMoreRoom() {
    let line = [UInt8](repeating: UInt8(ascii: "7"), count: 1000)
    for _ in 0..<1000 { viewer.send(.status, line) }
    // The newest alone is kept.
    #expect(text().utf8.count < 1100)
    for _ in 0..<100 { viewer.send("dispatch", line) }
    var size = 0
    while case .bytes(let bytes) = viewer.next() { size += bytes.count }
    #expect(size < 65_536)
    guard case .end = viewer.next() else {
      Issue.record("it is not dropped")
      return
    }
  }

  @Test func itWakesTheServerAndSaysOnceThatItHasLeft() {
    let woken = Locked(0)
    let left = Locked(0)
    let viewer = Viewer(phone: 3) { _ in left.withLock { $0 += 1 } }
    viewer.send("a", [])
    #expect(woken.withLock(\.self) == 0)
    viewer.begin { woken.withLock { $0 += 1 } }
    viewer.send("a", [])
    viewer.drop()
    #expect(woken.withLock(\.self) == 2)
    viewer.end()
    viewer.send("a", [])
    #expect(woken.withLock(\.self) == 2 && left.withLock(\.self) == 1)
  }

  /// What counts as one IPv6 address may be the phones of a whole Wi-Fi.
  @Test func unpairedPhonesLeaveRoomForOthers() {
    let viewers = Viewers()
    let ends: [[UInt8]] = [[10, 0, 0, 1], [0xFD] + Array(repeating: 0, count: 15), [10, 0, 0, 2]]
    let taken = ends.map { bytes in
      let address = ClientAddress(bytes: bytes)
      return (0..<50).count { _ in
        guard viewers.hasRoom(for: address) else { return false }
        viewers.add(Viewer(phone: nil, address: address) { _ in })
        return true
      }
    }
    #expect(taken == [8, 32, 0])
  }
}
