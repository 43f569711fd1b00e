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

  func still() async -> HTTPAnswer {
    await answer { client throws(LineClientError) in
      let result: JSONValue = try client.ask(Self.request("still", nil))
      guard let count = result["bytes"]?.integer, (1...Self.longestStill).contains(count) else {
        throw client.strange
      }
      return HTTPAnswer(200, "image/jpeg", try client.bytes(count))
    }
  }

  func check(_ parameters: [String: JSONValue]) async -> HTTPAnswer {
    await ask("check", .object(parameters))
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
    let saved = await ask("calibrate", .object(parameters))
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

  private func ask(_ method: String, _ parameters: JSONValue? = nil) async -> HTTPAnswer {
    await answer { client throws(LineClientError) in
      let result: JSONValue = try client.ask(Self.request(method, parameters))
      return .json(result)
    }
  }

  private func answer(
    _ body: @escaping @Sendable (inout LineClient) throws(LineClientError) -> HTTPAnswer
  ) async -> HTTPAnswer {
    guard talks < Self.mostTalks else { return .busy }
    talks += 1
    defer { talks -= 1 }
    do throws(LineClientError) {
      return try await LineClient.talk(to: Self.service, path: path, body)
    } catch {
      let status =
        switch error.code {
        case .refused: 409
        case .silent: 504
        case .unreachable, .noPermission, .lost, .strange: 503
        }
      return .failure(status, "\(error.code)", error.description)
    }
  }

  private static func request(_ method: String, _ parameters: JSONValue?) -> JSONValue {
    var request: [String: JSONValue] = ["method": .string(method)]
    request["params"] = parameters
    return .object(request)
  }
}
