import Configuration
import ControlProtocol

extension ControlSettings {
  /// The groups by the words of their roles.
  var groups: [String: String] {
    let groups = ControlRole.allCases.compactMap { role in
      group(for: role).map { (role.rawValue, $0) }
    }
    return Dictionary(uniqueKeysWithValues: groups)
  }

  /// The group whose members have a role; nil where no group is needed. Root and the service's own
  /// user are technicians.
  func group(for role: ControlRole) -> String? {
    switch role {
    case .none: nil
    case .reader: readerGroup
    case .operator: operatorGroup
    case .technician: technicianGroup
    }
  }
}
