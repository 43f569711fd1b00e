import ControlProtocol
import JSON
import TestSupport
import Testing

@testable import Host
@testable import WebPage

/// Services that take a request and are silent. Each request holds threads, and a stop needs one.
struct HangingServicesTests {
  private let pairing: TestPairing
  private let page: PageService
  private let cookie: String

  init() throws {
    pairing = try TestPairing()
    let phones = try pairing.start()
    let camera = PhoneCamera(path: pairing.folder("frames.sock")) { true }
    page = try pairing.page(phones, phoneCamera: camera)
    cookie = "ballmachine-8080=\(try phones.pair(phones.newCode(), name: "").token)"
  }

  @Test(
    .mustEnd,
    arguments: [
      ("GET", "/api/camera/still", "camera.sock"), ("POST", "/api/camera/check", "camera.sock"),
      ("POST", "/api/arm", ControlSockets.control),
    ]
  )
  func fewRequestsWait(method: String, path: String, socket: String) async throws {
    let listener = Locked<ListeningSocket?>(try ListeningSocket(path: pairing.folder(socket)))
    let codes = await withTaskGroup(of: String.self) { group in
      for _ in 0..<12 { group.addTask { await ask(method, path) } }
      var codes: [String] = []
      for await code in group {
        codes.append(code)
        // Those that wait end with the service.
        if codes.count == 8 { listener.withLock { $0 = nil } }
      }
      return codes
    }
    #expect(codes.prefix(8) == Array(repeating: "busy", count: 8)[...])
    #expect(!codes.dropFirst(8).contains("busy"))
    #expect(await ask(method, path) != "busy")
  }

  /// - Returns: why it was refused.
  private func ask(_ method: String, _ path: String) async -> String {
    var request = HTTPRequest(method, path, from: nil)
    request.headers = [
      ("host", "court:8080"), ("cookie", cookie), ("content-type", "application/json"),
    ]
    guard case .later(let answer) = page.reply(to: request),
      case .bytes(let bytes) = await answer().body,
      let record = try? JSONValue(text: bytes)
    else { return "-" }
    return record["error"]?["code"]?.string ?? "-"
  }
}
