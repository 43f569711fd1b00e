import ControlProtocol
import Glibc
import Host
import JSON
import TestSupport
import Testing

@testable import WebPage

/// A phone's pictures, from its request to the camera's program.
@Suite(.mustEnd) struct PhoneCameraTests {
  private static let picture: [UInt8] = [0xFF, 0xD8, 1, 2, 3]
  private let pairing: TestPairing
  private let page: PageService
  private let finder: FakeFinder
  private let cookies: [String]
  private let reloads = Locked(0)

  init() throws {
    pairing = try TestPairing()
    let folder = pairing.folder
    let phones = try pairing.start()
    finder = try FakeFinder(path: folder("frames.sock"))
    let camera = PhoneCamera(path: folder("frames.sock"), settling: .milliseconds(1)) { [reloads] in
      reloads.withLock { count in
        count += 1
        return count == 3
      }
    }
    page = try pairing.page(phones, phoneCamera: camera)
    cookies = try ["Android", "iPhone"].map { name in
      "ballmachine-8080=\(try phones.pair(phones.newCode(), name: name).token)"
    }
  }

  // MARK: What phones ask

  private func request(_ path: String, _ type: String, phone: Int? = 0) -> HTTPRequest {
    var request = HTTPRequest("POST", path, from: ClientAddress(host: 1))
    request.headers = [("host", "court:8080"), ("content-type", type)]
    if let phone { request.headers.append(("cookie", cookies[phone])) }
    return request
  }

  private func frame(
    turn: Int,
    phone: Int? = 0,
    _ changes: [String: String] = [:],
    body: [UInt8] = picture
  ) -> HTTPRequest {
    var request = request("/api/camera/frame", "image/jpeg", phone: phone)
    let usual = [
      "turn": "\(turn)", "age": "0.02", "width": "640", "height": "360", "view": "back-90",
    ]
    request.query = usual.merging(changes) { $1 }.map { ($0.key, $0.value) }
    request.body = body
    return request
  }

  private func answer(_ request: HTTPRequest) async throws -> (status: Int, JSONValue) {
    var request = request
    let reply: HTTPAnswer
    // As the server does.
    switch page.admission(of: request) {
    case .refused(let answer): reply = answer
    case .large(_, let phone):
      request.admitted = phone
      fallthrough
    case .usual:
      guard case .later(let answer) = page.reply(to: request) else { throw StrangeAnswer() }
      reply = await answer()
    }
    return (reply.status, try JSONValue(text: try #require(reply.bytes)))
  }

  private func ask(
    _ what: String,
    _ body: String,
    phone: Int = 0
  ) async throws -> (status: Int, JSONValue) {
    var request = request("/api/camera/\(what)", "application/json", phone: phone)
    request.body = Array(body.utf8)
    return try await answer(request)
  }

  private static let hello = #"{"key": "0123456789abcdef"}"#

  /// Has the phone become the camera.
  private func start(phone: Int = 0) async throws -> (turn: Int, FakeFinder.Feeder) {
    async let answer = ask("start", Self.hello, phone: phone)
    let feeder = await finder.feeder()
    let name = ["Android #1", "iPhone #2"][phone]
    let hello = try #require(await feeder.line())
    #expect(hello["source"] == .string("phone") && hello["name"] == .string(name))
    #expect(hello["id"] == .string("0123456789abcdef"))
    try feeder.say(#"{"accepted": true}"#)
    return (try #require(try await answer.1["turn"]?.integer), feeder)
  }

  private struct StrangeAnswer: Error {}

  /// A look every 50 ms: a phone may send no more pictures than a camera.
  private func until(_ isSo: () async throws -> Bool) async throws {
    for _ in 0..<200 {
      if try await isSo() { return }
      try await Task.sleep(for: .milliseconds(50))
    }
    Issue.record("it did not become so in 10 s")
  }

  private func code(_ answer: (status: Int, JSONValue)) -> String {
    "\(answer.status) \(answer.1["error"]?["code"]?.string ?? "-")"
  }

  // MARK: Pictures

  @Test func aPictureComesOutAsItIs() async throws {
    let (turn, feeder) = try await start()
    let (status, record) = try await answer(frame(turn: turn))
    #expect(status == 200 && record["taken"] == .boolean(true))
    #expect(try #require(record["held"]?.number) >= 0)
    let header = try #require(await feeder.line())
    #expect(header["bytes"] == .integer(5) && header["view"] == .string("back-90"))
    #expect(header["size"] == .array([.integer(640), .integer(360)]))
    // What the request's way took is added.
    #expect((0.02..<5).contains(try #require(header["age"]?.number)))
    #expect(await feeder.bytes(5) == Self.picture)
  }

  @Test(arguments: [
    ["age": "-1"], ["age": "11"], ["age": "nan"], ["width": "0"], ["width": "4097"],
    ["height": "x"], ["view": ""], ["view": "a/b"], ["view": String(repeating: "a", count: 65)],
  ])
  func whatIsNoPictureIsRefused(changes: [String: String]) async throws {
    let (turn, feeder) = try await start()
    #expect(code(try await answer(frame(turn: turn, changes))) == "400 badPicture")
    #expect(code(try await answer(frame(turn: turn, body: [1, 2]))) == "400 badPicture")
    // Nothing of it went on.
    _ = try await answer(frame(turn: turn, ["view": "next"]))
    #expect(await feeder.line()?["view"] == .string("next"))
  }

  @Test func aProgramThatTakesNothingGetsNoMore() async throws {
    let (turn, feeder) = try await start()
    let long = Self.picture + [UInt8](repeating: 7, count: 900_000)
    #expect(try await answer(frame(turn: turn, body: long)).1["taken"] == .boolean(true))
    for _ in 0..<3 {
      let (status, record) = try await answer(frame(turn: turn))
      #expect(status == 200 && record["taken"] == .boolean(false))
    }
    #expect(await feeder.line()?["bytes"] == .integer(Int64(long.count)))
    #expect(await feeder.bytes(long.count) == long)
    try await until { try await answer(frame(turn: turn)).1["taken"] == .boolean(true) }
    // Those between were never begun.
    #expect(await feeder.line()?["bytes"] == .integer(5))
  }

  @Test func theBridgeReadsAPlacesCalibration() async throws {
    let (turn, _) = try await start()
    for _ in 0..<3 { _ = try await answer(frame(turn: turn)) }
    try await until { reloads.withLock(\.self) == 3 }
    // Another place is another calibration's.
    _ = try await answer(frame(turn: turn, ["view": "back-0"]))
    try await until { reloads.withLock(\.self) >= 4 }
  }

  // MARK: Who is the camera

  @Test func aRefusalNamesTheOtherPhone() async throws {
    async let answer = ask("start", Self.hello)
    let feeder = await finder.feeder()
    _ = await feeder.line()
    try feeder.say(#"{"accepted": false, "code": "taken", "reason": "Ben's phone is the camera"}"#)
    let refusal = try await answer
    #expect(code(refusal) == "409 taken")
    #expect(refusal.1["error"]?["message"] == .string("Ben's phone is the camera"))
    #expect(code(try await self.answer(frame(turn: 1))) == "409 notCamera")
  }

  @Test(arguments: [nil, #"{"code": "configured", "reason": "a person chose the other one"}"#])
  func theProgramEndsATurn(word: String?) async throws {
    let (turn, feeder) = try await start()
    if let word { try feeder.say(word) }
    feeder.close()
    try await until { try await answer(frame(turn: turn)).status != 200 }
    let end = code(try await answer(frame(turn: turn)))
    #expect(end == (word == nil ? "409 cameraLost" : "409 configured"))
    // It may begin again.
    let (next, _) = try await start()
    #expect(try await answer(frame(turn: next)).status == 200)
  }

  @Test func onePhoneIsTheCamera() async throws {
    let (first, one) = try await start()
    let (second, _) = try await start(phone: 1)
    #expect(code(try await answer(frame(turn: first))) == "409 replaced")
    #expect(code(try await answer(frame(turn: second))) == "409 notCamera")
    #expect(try await answer(frame(turn: second, phone: 1)).status == 200)
    // Its connection is closed.
    #expect(await one.line() == nil)
  }

  @Test func aPhoneTellsWhyNoPictureComes() async throws {
    let (turn, feeder) = try await start()
    #expect(try await ask("trouble", #"{"turn": \#(turn), "code": "hidden"}"#).status == 200)
    let trouble = await feeder.line()?["trouble"]
    #expect(trouble?["code"] == .string("hidden"))
    #expect(trouble?["reason"] == .string(try #require(PhoneCamera.troubles["hidden"])))
    // Only known words go on.
    _ = try await ask("trouble", #"{"turn": \#(turn), "code": "anything"}"#)
    #expect(code(try await ask("trouble", #"{"turn": 9, "code": "hidden"}"#)) == "409 notCamera")
    #expect(try await ask("end", #"{"turn": \#(turn)}"#).status == 200)
    #expect(await feeder.line()?["end"] == .boolean(true))
    #expect(await feeder.line() == nil)
    #expect(code(try await answer(frame(turn: turn))) == "409 notCamera")
  }

  @Test(arguments: ["", #"{"key": 5}"#, #"{"key": "../0123456789abc"}"#])
  func aKeyIsAPartOfAFilesName(body: String) async throws {
    #expect(code(try await ask("start", body)) == "400 badParameters")
  }

  // MARK: What is let in

  private func admitted(_ request: HTTPRequest) -> String {
    switch page.admission(of: request) {
    case .usual: "usual"
    case .large(let most, let phone): "\(most) of \(phone)"
    case .refused(let answer): "\(answer.status)"
    }
  }

  @Test func onlyTheCamerasPicturesAreLong() async throws {
    #expect(admitted(frame(turn: 1)) == "409")
    let (turn, _) = try await start()
    #expect(admitted(frame(turn: turn)) == "1048576 of 1")
    #expect(admitted(frame(turn: turn, phone: 1)) == "409")
    #expect(admitted(frame(turn: turn, phone: nil)) == "401")
    var foreign = frame(turn: turn)
    foreign.headers.append(("origin", "https://elsewhere"))
    #expect(admitted(foreign) == "403")
    var form = request("/api/camera/frame", "text/plain")
    form.query = frame(turn: turn).query
    #expect(admitted(form) == "415")
    for path in ["/api/camera/check", "/api/arm", "/api/camera/frame/"] {
      #expect(admitted(request(path, "image/jpeg")) == "usual")
    }
    #expect(code(try await answer(request("/api/arm", "image/jpeg"))) == "415 notJSON")
  }

  @Test func aPhoneSendsNoMoreThanACamera() async throws {
    let (turn, _) = try await start()
    var codes: Set<String> = []
    for _ in 0..<200 { codes.insert(code(try await answer(frame(turn: turn)))) }
    #expect(codes == ["200 -", "429 tooOften"])
  }
}
