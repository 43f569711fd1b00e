import ControlProtocol
import Host
import JSON

/// Asks the camera's service for a phone.
package actor CameraAccess {
  /// At once: each holds a thread as long as the camera is silent, and a stop needs one, too.
  private static let mostTalks = 4
  private static let service = "the camera's service"
  /// A picture of 4K in JPEG has less.
  private static let longestStill = 64 << 20

  private let path: String
  private var talks = 0

  /// - Parameter path: of the camera's socket.
  package init(path: String) { self.path = path }

  func status() async -> HTTPAnswer { await ask("status") }

  /// Each camera that can be one, and which is.
  func sources() async -> HTTPAnswer { await ask("sources") }

  /// Ends a phone's turn: the camera that the configuration names is the camera again.
  func useConfigured() async -> HTTPAnswer { await ask("use", ["kind": .string("configured")]) }

  func still() async -> HTTPAnswer {
    await ask("still") { (client, result) throws(LineClientError) in
      guard let count = result["bytes"]?.integer, (1...Self.longestStill).contains(count) else {
        throw client.strange
      }
      return HTTPAnswer(200, "image/jpeg", try client.bytes(count))
    }
  }

  func check(_ parameters: [String: JSONValue]) async -> HTTPAnswer {
    await ask("check", parameters)
  }

  /// While balls may fly, nothing is changed.
  func calibrate(
    _ parameters: [String: JSONValue],
    _ bridge: BridgeAccess
  ) async -> HTTPAnswer {
    do {
      let state = try await bridge.call(.status)["safety"]?["state"]?.string ?? ""
      guard ["disarmed", "stopped"].contains(state) else {
        return .failure(409, "armed", "balls may fly: disarm or stop the machine first")
      }
    } catch {
      return .failure(error)
    }
    let parameters = parameters.merging(["source": .string("the page")]) { $1 }
    let saved = await ask("calibrate", parameters)
    guard saved.status == 200 else { return saved }
    // It says whether the bridge uses what was saved.
    do { return .json(try await bridge.call(.reload())) } catch {
      return .failure(
        409,
        "notReloaded",
        "saved, and the camera uses it; the bridge may still have the old one: \(error)",
        data: .object(["reason": .string("\(error)")])
      )
    }
  }

  /// - Parameter answer: what a phone gets of a result.
  private func ask(
    _ method: String,
    _ parameters: [String: JSONValue] = [:],
    _ answer:
      @escaping @Sendable (inout LineClient, JSONValue) throws(LineClientError) -> HTTPAnswer = {
        .json($1)
      }
  ) async -> HTTPAnswer {
    guard talks < Self.mostTalks else { return .busy }
    talks += 1
    defer { talks -= 1 }
    do throws(LineClientError) {
      return try await LineClient.talk(to: Self.service, path: path) {
        (client) throws(LineClientError) in
        switch try client.answer(method, parameters) {
        case .success(let result): return try answer(&client, result)
        case .failure(let error): return .failure(error)
        }
      }
    } catch {
      let status = error.code == .silent ? 504 : 503
      return .failure(status, "\(error.code)", error.description)
    }
  }
}
