import ControlProtocol
import JSON
import Safety

extension ControlError {
  static func refused(_ refusal: SafetyRefusal) -> ControlError {
    ControlError(.refused, "\(refusal)", data: ["reason": .string(refusal.code)])
  }

  /// - Parameter group: whose members have the role that is needed.
  static func forbidden(_ method: String, role: ControlRole, group: String) -> ControlError {
    ControlError(
      .forbidden,
      "\(method) is for the group \(group): run `adduser USER \(group)` as root, and log in again",
      data: ["role": .string(role.rawValue), "group": .string(group)]
    )
  }
}
