import Clocks
import ControlProtocol
import Host
import JSON

/// What phones ask of the camera, and send as the camera.
struct CameraRoutes: Sendable {
  let camera: CameraAccess
  let phone: PhoneCamera
  let bridge: BridgeAccess

  func read(_ what: Substring) async -> HTTPAnswer {
    switch what {
    case "": await camera.status()
    case "still": await camera.still()
    case "sources": await camera.sources()
    default: .notHere
    }
  }

  func change(
    _ what: Substring,
    _ parameters: [String: JSONValue],
    _ asker: PairedPhone
  ) async -> HTTPAnswer {
    switch what {
    case "check": return await camera.check(parameters)
    case "calibrate": return await camera.calibrate(parameters, bridge)
    case "use":
      let answer = await camera.useConfigured()
      // Its calibration is in force again; while balls may fly the bridge keeps its own, and takes no points.
      if answer.status == 200 { _ = try? await bridge.call(.reload()) }
      return answer
    case "start": return await start(parameters, asker)
    case "trouble", "end":
      guard let turn = parameters["turn"]?.integer else { return .noTurn }
      do throws(PhoneRefusal) {
        if what == "end" {
          try await phone.end(turn, of: asker.id)
        } else {
          try await phone.trouble(parameters["code"]?.string ?? "", in: turn, of: asker.id)
        }
        return .json(JSONValue.object([:]))
      } catch {
        return .failure(error)
      }
    default: return .notHere
    }
  }

  private func start(_ parameters: [String: JSONValue], _ asker: PairedPhone) async -> HTTPAnswer {
    guard let key = parameters["key"]?.string, Self.isKey(key) else {
      return .failure(400, "badParameters", "“key” is not 16 hexadecimal digits")
    }
    do throws(PhoneRefusal) {
      // Its number is what `ballmachine phones' lists.
      let name = "\(asker.name) #\(asker.id)"
      let turn = try await phone.start(asker.id, key: key, name: name)
      return .json(["turn": turn])
    } catch {
      return .failure(error)
    }
  }

  /// It is a part of a file's name.
  private static func isKey(_ text: String) -> Bool {
    text.utf8.count == 16 && text.allSatisfy { $0.isASCII && $0.isHexDigit && !$0.isUppercase }
  }

  func take(_ request: HTTPRequest, of asker: Int) async -> HTTPAnswer {
    let now = SystemClock().now
    guard let frame = PhoneFrame(request, at: now) else {
      return .failure(400, "badPicture", "this is no picture of a phone's camera")
    }
    do throws(PhoneRefusal) {
      let isTaken = try await phone.take(frame, of: asker)
      let held = request.began.duration(to: SystemClock().now) / .seconds(1)
      // For so many seconds the box has had the request: the rest of its time is the network's. Written here: 15
      // a second come.
      let text = "{\"taken\": \(isTaken), \"held\": \(held)}"
      return .json(text: Array(text.utf8))
    } catch {
      return .failure(error)
    }
  }
}

extension HTTPAnswer {
  fileprivate static let noTurn = failure(400, "badParameters", "“turn” is missing")
}
