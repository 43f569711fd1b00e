import Testing
import WebPage

/// What a request is taken for.
struct HTTPRequestTests {
  @Test(arguments: [
    "/stop", "/api/stop", "http://192.168.1.20:8081/stop", "http://court-1/api/stop",
    "https://[::1]:1/stop",
    "HTTP://COURT-1.LOCAL/stop", "http://evil.example/stop", "http:///stop",
    "http://me@court-1/stop",
    "/stop/", "//stop", "/api//stop", "http://court-1//stop/",
  ])
  func aStopMayBeAWholeURI(target: String) {
    #expect(HTTPRequest("POST", target, from: nil).isStop)
  }

  @Test(arguments: [
    "", "/", "*", "stop", "court-1:8081", "/STOP", "/stop/x", "/x/stop", "//court-1/stop", "/api",
    "http://court-1", "http://court-1/", "http://stop", "http://court-1/api/arm",
    "http:/court-1/stop",
    "http:court-1/stop", "://court-1/stop", "/http://court-1/stop", "a b://court-1/stop", "http://",
  ])
  func otherTargetsAreNone(target: String) {
    #expect(!HTTPRequest("POST", target, from: nil).isStop)
  }

  @Test func theBoxThatAStopNamesIsClear() {
    var request = HTTPRequest("POST", "/stop", from: nil)
    #expect(request.namedBox == nil)
    request.query = [("a", "b"), ("box", "one")]
    #expect(request.namedBox == "one")
    request.query.append(("box", "two"))
    #expect(request.namedBox == nil)
  }
}
