import Clocks
package import ControlProtocol
import Host
import JSON

/// Answers phones.
package actor PageService {
  private nonisolated let executor = LoopExecutor.ofProgram()
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// The cookie's name with the port, which cookies don't know: two pages may be on one box.
  private nonisolated var cookie: String { "ballmachine-\(box.port)" }
  private static let second = Duration.seconds(1)

  private let box: Box
  private let files: PageFiles
  private let gate: RequestGate
  private let pairing: Pairing
  let bridge: BridgeAccess
  let sessions: SessionReports
  let cameras: CameraRoutes
  private let stops: StopLine
  /// The stops that have come through this program.
  private let stopCount = Locked(0)
  private let viewers = Viewers()
  private var guards = PhoneGuards()
  /// Whether a session goes on, as the service last said.
  private let isArmed = Locked(false)
  private var changes = RequestRate()
  private var looks = RequestRate()
  /// A phone that is the camera sends 15 pictures a second.
  private var pictures = RequestRate(burst: 40, perSecond: 25)
  /// More at once than lock an address, which then hears that it is locked.
  private var attempts = RequestRate(burst: 10, perSecond: 0.1)
  private var moves = 0
  /// Runs while phones watch, or one's absence would pause.
  private var minding: Task<Void, Never>?

  package init(
    _ box: Box,
    gate: RequestGate,
    pairing: Pairing,
    bridge: BridgeAccess,
    sessions: SessionReports,
    camera: CameraAccess,
    phoneCamera: PhoneCamera,
    stops: StopLine
  ) {
    self.box = box
    files = PageFiles(of: box)
    self.gate = gate
    self.pairing = pairing
    self.bridge = bridge
    self.sessions = sessions
    cameras = CameraRoutes(camera: camera, phone: phoneCamera, bridge: bridge)
    self.stops = stops
  }

  /// The reply to a request at the page's port.
  package nonisolated func reply(to request: HTTPRequest) -> HTTPReply {
    if request.isStop { return replyToStop(request) }
    // Its answer is for the page's own script: it is never shown.
    if let phone = request.admitted { return .later { [self] in await take(request, of: phone) } }
    let earlierStops = stopCount.withLock(\.self)
    return .later { [self] in sealed(await answer(request, earlierStops), of: request) }
  }

  /// A phone's pictures are longer than other bodies: only those of the phone that is the camera are
  /// taken, and nothing of what is refused is kept.
  package nonisolated func admission(of request: HTTPRequest) -> HTTPAdmission {
    guard request.method == "POST", request.path == PhoneFrame.path else { return .usual }
    do throws(GateRefusal) {
      try gate.check(request, changes: true, type: PhoneFrame.type)
    } catch {
      return .refused(sealed(.failure(error), of: request))
    }
    guard let phone = request.cookie(cookie).flatMap(pairing.phone) else {
      return .refused(sealed(.notPaired, of: request))
    }
    if let refusal = cameras.phone.refusal(of: PhoneFrame.turn(request) ?? 0, phone.id) {
      return .refused(sealed(.failure(refusal), of: request))
    }
    return .large(PhoneFrame.longest, for: phone.id)
  }

  private nonisolated func sealed(_ answer: HTTPAnswer, of request: HTTPRequest) -> HTTPAnswer {
    var answer = answer
    let isKept = answer.headers.contains { $0.name == "Cache-Control" }
    answer.headers += Self.seal(request, stopPort: box.stopPort, style: files.style)
    if !isKept { answer.headers.append(("Cache-Control", "no-store")) }
    return answer
  }

  /// The reply to a request at the stop's own ports, or to a stop at the page's.
  package nonisolated func replyToStop(_ request: HTTPRequest) -> HTTPReply {
    guard request.isStop else {
      return .now(.failure(404, "notHere", "NOTHING was stopped: here is /stop alone"))
    }
    guard request.method == "POST" else {
      var refusal = HTTPAnswer.failure(405, "notPOST", "NOTHING was stopped: a stop is a POST")
      refusal.headers.append(("Allow", "POST"))
      return .now(refusal)
    }
    // A page's repetition names its box. What is no ID keeps no stop away.
    if let name = request.namedBox, Secret.isOne(name), name != box.id.text {
      return .now(.otherBox)
    }
    stopCount.withLock { $0 += 1 }
    let isForm = request.accepts("text/html")
    return .later { [stops, box] in
      let answer = await stops.stop()
      return isForm ? .stopPage(answer, of: box) : .stop(answer, of: box)
    }
  }

  private func answer(_ request: HTTPRequest, _ earlierStops: Int) async -> HTTPAnswer {
    let isReading = request.method == "GET" || request.method == "HEAD"
    do throws(GateRefusal) {
      try gate.check(request, changes: !isReading)
    } catch {
      return .failure(error)
    }
    let phone = request.cookie(cookie).flatMap(pairing.phone)
    if isReading { return await read(request, phone) }
    guard request.method == "POST" else {
      return .failure(405, "badMethod", "\(request.method.prefix(20)) is neither GET nor POST")
    }
    guard let requester = Requester(phone: phone?.id, request.address),
      changes.allows(requester, at: SystemClock().now)
    else { return .tooOften }
    let parameters: [String: JSONValue]
    switch request.body.isEmpty ? .object([:]) : try? JSONValue(text: request.body) {
    case .object(let members): parameters = members
    default: return .failure(400, "notJSON", "the body is no JSON object")
    }
    if request.path == "/api/pair" { return pair(parameters, request) }
    guard let phone else { return .notPaired }
    return await change(request.path, parameters, Asker(phone: phone, earlierStops: earlierStops))
  }

  /// The phone may not be the camera any more.
  private func take(_ picture: HTTPRequest, of phone: Int) async -> HTTPAnswer {
    guard pictures.allows(.phone(phone), at: SystemClock().now) else { return .tooOften }
    return await cameras.take(picture, of: phone)
  }

  // MARK: Reading

  private func read(_ request: HTTPRequest, _ phone: PairedPhone?) async -> HTTPAnswer {
    if let file = files.answer(request) { return file }
    switch request.path {
    case "/events":
      guard phone != nil || viewers.hasRoom(for: request.address) else { return .full(request) }
      return HTTPAnswer("text/event-stream", stream: viewer(phone, request.address))
    case "/api/me": return .json(Me(paired: phone != nil, phone: phone?.name))
    case "/api/status":
      // Anybody may ask, over the connection that paired phones' requests have.
      guard let requester = Requester(phone: phone?.id, request.address),
        looks.allows(requester, at: SystemClock().now)
      else { return .tooOften }
      return await ask(.status)
    case let path where path.hasPrefix("/api/"):
      guard phone != nil else { return .notPaired }
      return await readPaired(path.dropFirst("/api/".count))
    default: return .notHere
    }
  }

  // MARK: Watching

  private func viewer(_ phone: PairedPhone?, _ address: ClientAddress?) -> Viewer {
    let viewer = Viewer(phone: phone?.id, address: address) { [weak self, viewers] viewer in
      viewers.remove(viewer)
      OneThread.task { [weak self] in await self?.bridge.endFollowing { viewers.isEmpty } }
    }
    let hello = Hello(
      id: box.id.text,
      version: box.version,
      page: files.page,
      paired: phone != nil,
      phone: phone?.name,
      stopPort: box.stopPort,
      box: box.hostname
    )
    if let line = try? JSONEncoding.line(hello) { viewer.send("hello", line) }
    viewers.add(viewer)
    OneThread.task { [bridge, viewers, isArmed] in
      await bridge.follow { news in
        if let state = news.safetyState {
          isArmed.withLock { $0 = state == "pending" || SafetyRecord.isArmed(state) }
        }
        viewers.report(news)
      }
    }
    mind()
    return viewer
  }

  /// Once a second, as long as there is something to mind.
  private func mind() {
    guard minding == nil else { return }
    minding = OneThread.task { [weak self] in
      while (try? await SystemClock().sleep(for: Self.second)) != nil, await self?.look() == true {}
    }
  }

  /// - Returns: whether to look again.
  private func look() -> Bool {
    let watching = viewers.phones
    let paired = watching.filter(pairing.isPaired)
    for phone in watching.subtracting(paired) { viewers.drop(phone: phone) }
    guards.look(watching: paired, isArmed: isArmed.withLock(\.self))
    guard viewers.isEmpty, guards.isEmpty else { return true }
    minding = nil
    return false
  }

  // MARK: Changes

  private func pair(
    _ parameters: [String: JSONValue],
    _ request: HTTPRequest
  ) -> HTTPAnswer {
    guard let address = request.address, attempts.allows(.address(address), at: SystemClock().now)
    else {
      return .failure(429, "tooOften", "too many codes: wait a minute")
    }
    guard let code = parameters["code"]?.string else {
      return .failure(400, "badParameters", "“code” is missing")
    }
    do throws(PairingRefusal) {
      let name = PhoneName.of(userAgent: request.header("user-agent"))
      let new = try pairing.pair(code, name: name, from: address)
      var answer = HTTPAnswer.json(Me(paired: true, phone: new.phone.name))
      answer.headers.append(setCookie(new.token, request))
      return answer
    } catch {
      return .failure(403, error.code, error.description)
    }
  }

  private func setCookie(
    _ token: String,
    _ request: HTTPRequest
  ) -> (name: String, value: String) {
    let seconds = Int(PairedPhones.life.seconds)
    let secure = request.isSecure ? "; Secure" : ""
    return (
      "Set-Cookie",
      "\(cookie)=\(token); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict\(secure)"
    )
  }

  private func change(
    _ path: String,
    _ parameters: [String: JSONValue],
    _ asker: Asker
  ) async -> HTTPAnswer {
    switch path {
    case "/api/arm": return await countDown(.arm, parameters, asker)
    case "/api/resume": return await countDown(.resume, parameters, asker)
    case "/api/reset": return await move(.reset, parameters, asker)
    case let path where path.hasPrefix("/api/camera/"):
      return await cameras.change(path.dropFirst("/api/camera/".count), parameters, asker.phone)
    case "/api/unpair":
      pairing.forget(asker.phone.id)
      viewers.drop(phone: asker.phone.id)
      return .json(Me(paired: false, phone: nil))
    default:
      guard path.hasPrefix("/api/"),
        let method = ControlMethod(rawValue: String(path.dropFirst("/api/".count))),
        [.pause, .disarm, .reload, .drill, .level].contains(method)
      else { return .notHere }
      do throws(ControlError) { return await ask(try ControlRequest(method, parameters)) } catch {
        return .failure(ControlClientError.failed(error))
      }
    }
  }

  /// The countdown from a phone: its player walks from the net to the baseline.
  private static let countdown = 10.0
  private static let countdowns = 3.0...60.0
  /// How long the service may take to answer. With the 5 s of connecting, this ends before a phone
  /// gives up after 15 s.
  private static let patience = Duration.seconds(9)
  /// How often a phone's rights are looked at while an answer is awaited.
  private static let glance = Duration.milliseconds(100)
  /// At once: each has a connection with threads of its own, and a stop needs one, too.
  private static let mostMoves = 4

  private func countDown(
    _ method: ControlMethod,
    _ parameters: [String: JSONValue],
    _ asker: Asker
  ) async -> HTTPAnswer {
    let countdown = parameters["countdown"] ?? .number(Self.countdown)
    guard let seconds = countdown.number, Self.countdowns.contains(seconds) else {
      return .failure(400, "badParameters", "“countdown” is not a number of seconds from 3 to 60")
    }
    return await move(method, parameters.merging(["countdown": countdown]) { $1 }, asker)
  }

  /// Asks the service on a connection of its own, which ends with the call, so that what had no
  /// answer is not done later. `pauseWhenGone` keeps it as long as the phone is there, as does
  /// going on in a session that has had it.
  private func move(
    _ method: ControlMethod,
    _ parameters: [String: JSONValue],
    _ asker: Asker
  ) async -> HTTPAnswer {
    var parameters = parameters
    var guarded: Int?
    switch parameters.removeValue(forKey: "pauseWhenGone") {
    case nil, .boolean(false): break
    case .boolean(true): guarded = asker.phone.id
    default: return .failure(400, "badParameters", "“pauseWhenGone” is not true or false")
    }
    guard parameters["whileConnected"] == nil else {
      return .failure(400, "badParameters", "there is no parameter “whileConnected” here")
    }
    if method == .resume {
      let watching = viewers.phones.filter(pairing.isPaired)
      guarded = guarded ?? guards.phone(watching: watching, else: asker.phone.id)
    }
    if guarded != nil { parameters["whileConnected"] = .boolean(true) }
    guard moves < Self.mostMoves else { return .busy }
    moves += 1
    defer { moves -= 1 }
    do {
      let request = try ControlRequest(method, parameters)
      let client = try await bridge.ownClient()
      guard asker.earlierStops == stopCount.withLock(\.self) else { return .overtaken }
      // What the service has not read when the phone's rights end is not done: the client has gone.
      let watch = OneThread.task { [pairing] in
        while pairing.isPaired(asker.phone.id) { try await SystemClock().sleep(for: Self.glance) }
        client.close()
      }
      defer { watch.cancel() }
      guard pairing.isPaired(asker.phone.id) else { return .notPaired }
      let result: JSONValue
      do { result = try await client.call(request, timeout: Self.patience) } catch {
        // Before the phone hears that it failed: what the service has not read yet is never done.
        client.close()
        throw error
      }
      if let guarded {
        guards.begin(phone: guarded, client)
        mind()
      }
      return .json(result)
    } catch let error as ControlError {
      return .failure(ControlClientError.failed(error))
    } catch {
      return pairing.isPaired(asker.phone.id) ? .failure(error) : .notPaired
    }
  }
}

/// Who asks, and when.
private struct Asker {
  var phone: PairedPhone
  /// The stops that had come through this program.
  var earlierStops: Int
}

private struct Me: Encodable {
  var paired: Bool
  var phone: String?
}

private struct Hello: Encodable {
  /// The box's ID, as the page has it.
  var id: String
  var version: String
  /// What the page's files are, as the page has it: an older page loads again.
  var page: String
  var paired: Bool
  var phone: String?
  var stopPort: Int
  var box: String
}
