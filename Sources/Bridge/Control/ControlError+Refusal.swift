import ControlProtocol
import JSON
import Safety

extension ControlError {
  static func refused(_ refusal: SafetyRefusal) -> ControlError {
    ControlError(.refused, "\(refusal)", data: ["code": .string(refusal.code)])
  }

  static func noMethod(_ name: String) -> ControlError {
    let names = ControlMethod.allCases.map(\.rawValue).joined(separator: ", ")
    return ControlError(
      .methodNotFound,
      "there is no method “\(name.prefix(40))”: there are \(names)"
    )
  }
}
