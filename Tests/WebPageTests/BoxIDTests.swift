import ControlProtocol
import Host
import JSON
import TestSupport
import Testing

@testable import WebPage

extension PageService.Box {
  static let test = PageService.Box(
    id: BoxID(),
    version: "1",
    hostname: "court-1.example",
    port: 8080,
    stopPort: 8081
  )
}

/// How a page knows that another box has its address.
struct BoxIDTests {
  @Test func itLastsUntilTheBoxStartsAgain() throws {
    let (run, other) = (try TemporaryDirectory(), try TemporaryDirectory())
    let first = BoxID.load(in: run.path) { Issue.record("\($0)") }
    #expect(BoxID.load(in: run.path) { Issue.record("\($0)") } == first)
    #expect(BoxID.load(in: other.path) { Issue.record("\($0)") } != first)
  }

  @Test(arguments: ["", "<b>", String(repeating: "\"", count: 43), "\(BoxID().text)\n"])
  func whatIsNoneIsReplaced(text: String) throws {
    let run = try TemporaryDirectory()
    _ = try run.write(text, to: "id")
    let new = BoxID.load(in: run.path) { Issue.record("\($0)") }
    #expect(new.text != text && BoxID.load(in: run.path) { Issue.record("\($0)") } == new)
  }

  @Test func oneThatIsNotKeptServes() throws {
    let run = try TemporaryDirectory()
    var reports: [String] = []
    #expect(!BoxID.load(in: run("none")) { reports.append("\($0)") }.text.isEmpty)
    #expect(reports.count == 1)
  }

  @Test func whatThePageHearsHasIt() async throws {
    let box = PageService.Box.test
    let page = try #require(PageFiles(of: box).answer(HTTPRequest("GET", "/", from: nil))?.bytes)
    #expect(String(decoding: page, as: UTF8.self).contains("data-id=\"\(box.id.text)\""))
    let stop = StopRecord(outcome: "confirmed", reason: "words", mode: "SIM")
    let answer = try JSONValue(text: try #require(HTTPAnswer.stop(stop, of: box).bytes))
    #expect(answer["id"]?.string == box.id.text && answer["mode"]?.string == "SIM")
    #expect(answer["outcome"]?.string == "confirmed")
    let form = try #require(HTTPAnswer.stopPage(stop, of: box).bytes)
    #expect(String(decoding: form, as: UTF8.self).contains("court-1: "))
  }
}
