import Clocks
import ControlProtocol
import CourtLogic
import Host
import JSON
import MachineLink
import TestSupport
import Testing

@testable import Bridge
@testable import Positions
@testable import Safety

struct FeedersRecordTests {
  private static let wallTime = Duration.seconds(1_795_269_600)

  private static func at(_ seconds: Double) -> MonotonicInstant {
    .start.advanced(by: .seconds(seconds))
  }

  /// As a feeder's reader reads them.
  private func lines(_ texts: String...) -> [PositionLine] {
    var decoder = PositionDecoder(.ofArrival)
    var lines: [PositionLine] = []
    Array((texts.joined(separator: "\n") + "\n").utf8).withUnsafeBytes { bytes in
      decoder.decode(bytes) { lines.append($0) }
    }
    return lines
  }

  /// A camera that sees two persons, and a feeder that has sent nothing that can be used.
  private func feeders() -> [FeederFigures] {
    let wallTime = Self.wallTime
    let queue = PositionEventQueue { wallTime }
    let camera = queue.open("client 1")
    for tenth in 0...20 {
      queue.append(
        lines(
          #"{"x":4.1,"y":9.8,"id":7,"t":1795269599.\#(900 - tenth)}"#,
          #"{"x":4.12345,"y":16,"id":"guest"}"#
        ),
        at: Self.at(97.9 + Double(tenth) / 10),
        to: camera
      )
    }
    queue.append(lines("1,2", #"{"y":3}"#), at: Self.at(99), to: queue.open("client 2"))
    return queue.figures
  }

  /// Live, with a player of the camera who isn't seen any more.
  private var snapshot: BridgeSnapshot {
    var safety = SafetyStatus(state: .live, since: .start)
    safety.holds = [.stopOnItsWay, .notSeen]
    var snapshot = BridgeSnapshot(
      time: Self.at(100),
      link: LinkStatus(since: .start),
      safety: safety,
      summary: BridgeSummary()
    )
    snapshot.link.isSimulated = false
    snapshot.followed = SourceID(connection: "client 1", id: "7")
    return snapshot
  }

  private func answer(_ feed: FeedSnapshot) -> String {
    let texts = ControlTexts(version: "1.2.3", clock: SystemClock()) { nil }
    let line = texts.response(.integer(7), .feed(feed), mode: nil)
    let text = String(decoding: line, as: UTF8.self)
    PrintedRecords.add(text)
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  @Test func theAnswer() {
    #expect(
      answer(FeedSnapshot(bridge: snapshot, feeders: feeders())) == #"""
        {"id":7,"jsonrpc":"2.0","result":{"feeders":[{"badLines":0,"connection":"client 1",\#
        "droppedPositions":0,"sources":[{"age":0.1,"delay":0.12,"followed":true,\#
        "greatestDelay":0.12,"id":"7","perSecond":9.5,"positions":21,"stamp":"wallClock",\#
        "x":4.1,"y":9.8,"zone":"3-1"},{"age":0.1,"followed":false,"id":"guest",\#
        "perSecond":9.5,"positions":21,"stamp":"none","x":4.1235,"y":16,"zone":null}]},\#
        {"badLines":2,"connection":"client 2","droppedPositions":0,\#
        "lastBadLine":{"connection":"client 2","line":2,"reason":"“x” is missing","t":99,\#
        "text":"{\"y\":3}"},"sources":[]}],"mode":"REAL","safety":{"balls":0,\#
        "holds":[{"code":"stopOnItsWay",\#
        "reason":"a stop command is on its way to the machine"},{"code":"notSeen",\#
        "reason":"no player is seen"}],"state":"live"},"t":100}}
        """#
    )
  }

  @Test func theAnswerWithoutFeeders() {
    var bridge = snapshot
    bridge.followed = nil
    bridge.link.isSimulated = nil
    let bad = BadLine(line: 1, text: "x", reason: .unknownFormat)
    bridge.lastRefused = RefusedLines(
      count: 1,
      last: bad,
      connection: "client 9",
      time: Self.at(3)
    )
    #expect(
      answer(FeedSnapshot(bridge: bridge, feeders: [])) == #"""
        {"id":7,"jsonrpc":"2.0","result":{"feeders":[],\#
        "lastBadLine":{"connection":"client 9","line":1,\#
        "reason":"neither a JSON object such as {\"x\": 4.1, \"y\": 9.8} nor CSV timestamp,x,y",\#
        "t":3,"text":"x"},"mode":null,"safety":{"balls":0,"holds":[{"code":"stopOnItsWay",\#
        "reason":"a stop command is on its way to the machine"},{"code":"notSeen",\#
        "reason":"no player is seen"}],"state":"live"},"t":100}}
        """#
    )
  }

  /// A hold of a later version, too.
  @Test func aHoldIsOfThePlayerUnlessItIsOfAStopOrOfNothingThatFeeds() {
    let codes = ["notSeen", "nearNet", "feedTooFar", "stopOnItsWay", "stopOwed", "levelLost"]
    let holds = codes.map { SafetyRecord.Hold(code: $0, reason: "") }
    #expect(holds.filter(\.isOfPlayer).map(\.code) == ["notSeen", "nearNet", "feedTooFar"])
  }
}
