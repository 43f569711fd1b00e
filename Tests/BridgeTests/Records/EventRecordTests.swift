import ControlProtocol
import Foundation
import Host
import JSON
import MachineLink
import Safety
import Testing

@testable import Bridge
@testable import Clocks
@testable import CourtLogic
@testable import Positions

struct EventRecordTests {
  private static let now = MonotonicInstant.start.advanced(by: .seconds(12.5))
  private static let decided = MonotonicInstant.start.advanced(by: .seconds(10))

  private func line(_ event: BridgeEvent) throws -> String {
    let record = EventRecord(event, at: Self.now) {
      WallTime(secondsSince1970: 1_795_269_600 + Int($0.seconds))
    }
    return String(decoding: try JSONEncoding.line(record), as: UTF8.self)
  }

  @Test func aCommandIsToldWithItsDecisionAndOutcome() throws {
    let decision = Decision(
      time: Self.decided,
      due: Self.decided,
      position: try PlayerPosition(x: 1.234_56, y: 13),
      sampleCount: 30,
      zone: nil,
      command: try MachineCommand(digits: "110001060014004500")
    )
    var dispatch = DispatchRecord(number: 7, decision: DecisionRecord(decision))
    #expect(
      try line(.record(.dispatch(dispatch), at: Self.decided)) == """
        {"command":"110001060014004500","event":"dispatch","number":7,"samples":30,"t":10,\
        "time":"2026-11-21T14:00:10.000Z","x":1.2346,"y":13,"zone":null}
        """
    )
    dispatch.outcome = OutcomeRecord(.notSent(.expired))
    dispatch.latency = 0.5
    #expect(
      try line(.record(.dispatch(dispatch), at: Self.decided)) == """
        {"command":"110001060014004500","event":"dispatch","latency":0.5,"number":7,\
        "outcome":"notSent","reason":"it was too late to send it","samples":30,"t":10,\
        "time":"2026-11-21T14:00:10.000Z","x":1.2346,"y":13,"zone":null}
        """
    )
  }

  @Test func theLinkIsToldWithTheBeginningOfItsPhase() throws {
    var status = LinkStatus(since: Self.decided)
    status.phase = .ready
    #expect(
      try line(.link(status)) == """
        {"event":"link","since":"2026-11-21T14:00:10Z","state":"ready","t":12.5,\
        "time":"2026-11-21T14:00:12.000Z"}
        """
    )
  }

  /// Whoever writes texts for the codes finds all of them in the schema.
  @Test func theSchemaHasTheCodeOfEachFault() throws {
    let path = "../../../tools/schema/records.json"
    let schema = try Data(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: path)
    )
    let value = try JSONValue(text: Array(schema), deepest: 20, most: 100_000)
    let code = value["$defs"]?["Link"]?["properties"]?["code"]
    guard case .array(let codes) = code?["enum"] else {
      Issue.record("the schema lists no codes")
      return
    }
    let faults = LinkFault.Code.allCases.map(\.rawValue)
    #expect(Set(codes.compactMap(\.string)) == Set(faults + ["commandsNotTaken"]))
  }

  @Test func aMachineThatTakesNoCommandsIsToldWithWhatToDo() throws {
    var status = LinkStatus(since: Self.decided)
    status.phase = .ready
    status.refusals = Refusals(.notSent(.rejected(code: 5)))
    #expect(
      try line(.link(status)) == """
        {"code":"commandsNotTaken","event":"link",\
        "reason":"the machine did not take the last command: the machine refused it \
        (ATT error 0x05, insufficient authentication: the machine wants to be paired)","refused":1,\
        "remedy":"pair the machine: run `bluetoothctl pair ADDRESS` while the machine is in its \
        pairing mode","since":"2026-11-21T14:00:10Z","state":"ready","t":12.5,\
        "time":"2026-11-21T14:00:12.000Z"}
        """
    )
  }

  @Test(
    arguments: [
      (
        .stopped(.confirmed),
        #""event":"stop","outcome":"confirmed","reason":"the machine has acknowledged the stop command""#
      ),
      (
        .positions(.opened(connection: "client 1")),
        #""connection":"client 1","event":"feed","state":"opened""#
      ),
      (.positions(.clientRefused(limit: 16)), #""event":"feed","limit":16,"state":"refused""#),
      (
        .positions(.stoodStill(.milliseconds(2_500))),
        #""event":"feed","seconds":2.5,"state":"stoodStill""#
      ),
      (.positions(.ended), #""event":"feed","state":"ended""#),
    ] as [(BridgeEvent, String)]
  )
  func everythingElseHasItsName(event: BridgeEvent, expected: String) throws {
    let line = try line(event)
    #expect(line == "{\(expected),\"t\":12.5,\"time\":\"2026-11-21T14:00:12.000Z\"}")
  }

  @Test func refusedLinesAreQuotedAndCounted() throws {
    var lines = RefusedLines(
      count: 1,
      last: BadLine(line: 3, reason: .tooLong),
      connection: "stdin",
      time: Self.decided
    )
    #expect(
      try line(.refusedLines(lines)) == """
        {"connection":"stdin","event":"feed","line":3,\
        "reason":"longer than 4096 bytes: skipped to its end","state":"badLine","t":10,\
        "time":"2026-11-21T14:00:10.000Z"}
        """
    )
    lines.last = BadLine(line: 9, text: "{x: 1}", reason: .notJSON)
    lines.count = 7
    #expect(
      try line(.refusedLines(lines)) == """
        {"connection":"stdin","count":7,"event":"feed","line":9,\
        "reason":"not valid JSON (which has no NaN and no Infinity)","state":"badLine","t":10,\
        "text":"{x: 1}","time":"2026-11-21T14:00:10.000Z"}
        """
    )
  }

  @Test func aPositionCanBeReadBackByTheFeed() throws {
    let position = try PlayerPosition(x: 4.1, y: 9.8)
    let source = SourceID(connection: "client 1", id: "left")
    let text = try line(.positions(.position(position, from: source, at: Self.decided)))
    #expect(
      text == """
        {"connection":"client 1","event":"position","id":"left","t":10,\
        "time":"2026-11-21T14:00:10.000Z","x":4.1,"y":9.8}
        """
    )
    var parser = PositionParser(.ofArrival)
    let report = try parser.parse(Array(text.utf8))
    #expect(report?.position == position)
    #expect(report?.id == "left")
  }
}
