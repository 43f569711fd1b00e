import DBus

extension BlueZClient {
  /// The signals that a client of that scope needs.
  static func rules(for scope: ObservationScope) -> [MatchRule] {
    let owner = MatchRule(
      sender: Bus.name,
      interface: Bus.name,
      member: "NameOwnerChanged",
      argument0: service
    )
    switch scope {
    case .everything:
      return [
        owner,
        MatchRule(sender: service, interface: Interface.objectManager),
        MatchRule(
          sender: service,
          interface: Interface.properties,
          member: "PropertiesChanged",
          pathNamespace: blueZPath
        ),
        // Says why a link has ended, from 5.83 on.
        MatchRule(
          sender: service,
          interface: Interface.device,
          member: "Disconnected",
          pathNamespace: blueZPath
        ),
      ]
    case .device(let device):
      let adapter = device.parent ?? blueZPath
      return [
        owner,
        // An argument path that ends in a slash matches all paths below it.
        MatchRule(
          sender: service,
          interface: Interface.objectManager,
          argument0Path: device.string + "/"
        ),
        MatchRule(
          sender: service,
          interface: Interface.objectManager,
          argument0Path: device.string
        ),
        MatchRule(
          sender: service,
          interface: Interface.objectManager,
          argument0Path: adapter.string
        ),
        // Where the mock's marker comes and goes.
        MatchRule(
          sender: service,
          interface: Interface.objectManager,
          argument0Path: blueZPath.string
        ),
        changes(of: adapter),
        changes(of: device),
        MatchRule(
          sender: service,
          interface: Interface.device,
          member: "Disconnected",
          path: device
        ),
      ]
    }
  }

  static func changes(of object: ObjectPath) -> MatchRule {
    MatchRule(
      sender: service,
      interface: Interface.properties,
      member: "PropertiesChanged",
      path: object
    )
  }
}
