import ControlProtocol
import JSON
import Safety

extension ControlError {
  static func refused(_ refusal: SafetyRefusal) -> ControlError {
    ControlError(.refused, "\(refusal)", data: ["reason": .string(refusal.code)])
  }

  /// - Parameter group: whose members have the role that is needed.
  static func forbidden(_ method: ControlMethod, group: String) -> ControlError {
    ControlError(
      .forbidden,
      "\(method.rawValue) is for the group \(group): run `adduser USER \(group)` as root, and log in again",
      data: ["role": .string(method.role.rawValue), "group": .string(group)]
    )
  }

  static func noMethod(_ name: String) -> ControlError {
    let names = ControlMethod.allCases.map(\.rawValue).joined(separator: ", ")
    return ControlError(
      .methodNotFound,
      "there is no method “\(name.prefix(40))”: there are \(names)"
    )
  }
}
