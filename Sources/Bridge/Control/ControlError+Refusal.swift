import Clocks
package import ControlProtocol
import JSON
import Safety

extension ControlError {
  static func refused(_ refusal: SafetyRefusal) -> ControlError {
    var data: [String: JSONValue] = ["code": .string(refusal.code)]
    // Rounded up: to wait so long is enough.
    if let wait = refusal.wait {
      data["wait"] = .number((wait.seconds * 1_000).rounded(.up) / 1_000)
    }
    return ControlError(.refused, "\(refusal)", data: data)
  }

  /// The configuration stays as it was.
  package static func reloadRefused(_ reason: String) -> ControlError {
    .refused("reloadRefused", reason)
  }
}
