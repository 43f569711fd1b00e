import DBus

/// What bluetoothd 5.66 exports under an interface's name.
struct InterfaceForm: Sendable {
  struct Method: Sendable {
    var name: String
    var inputs: [(String, String)] = []
    var outputs: [(String, String)] = []
  }

  struct Property: Sendable {
    var name: String
    var signature: String
    var isWritable = false

    init(_ name: String, _ signature: String, isWritable: Bool = false) {
      self.name = name
      self.signature = signature
      self.isWritable = isWritable
    }
  }

  var methods: [Method] = []
  var properties: [Property]

  static let all: [String: InterfaceForm] = [
    BlueZInterface.simulation: InterfaceForm(properties: [Property("Simulated", "b")]),
    BlueZInterface.adapter: InterfaceForm(
      methods: [
        Method(name: "StartDiscovery"),
        Method(name: "SetDiscoveryFilter", inputs: [("properties", "a{sv}")]),
        Method(name: "StopDiscovery"),
        Method(name: "RemoveDevice", inputs: [("device", "o")]),
        Method(name: "GetDiscoveryFilters", outputs: [("filters", "as")]),
      ],
      properties: [
        Property("Address", "s"), Property("AddressType", "s"), Property("Name", "s"),
        Property("Alias", "s"), Property("Class", "u"),
        Property("Powered", "b", isWritable: true), Property("Discoverable", "b"),
        Property("DiscoverableTimeout", "u"), Property("Pairable", "b"),
        Property("PairableTimeout", "u"), Property("Discovering", "b"), Property("UUIDs", "as"),
        Property("Modalias", "s"), Property("Roles", "as"),
      ]
    ),
    BlueZInterface.device: InterfaceForm(
      methods: [Method(name: "Disconnect"), Method(name: "Connect")],
      properties: [
        Property("Address", "s"), Property("AddressType", "s"), Property("Name", "s"),
        Property("Alias", "s", isWritable: true), Property("Paired", "b"),
        Property("Bonded", "b"), Property("Trusted", "b", isWritable: true),
        Property("Blocked", "b"), Property("LegacyPairing", "b"), Property("RSSI", "n"),
        Property("Connected", "b"), Property("UUIDs", "as"), Property("Adapter", "o"),
        Property("ManufacturerData", "a{qv}"), Property("ServicesResolved", "b"),
      ]
    ),
    BlueZInterface.service: InterfaceForm(
      properties: [
        Property("UUID", "s"), Property("Device", "o"), Property("Primary", "b"),
        Property("Includes", "ao"),
      ]
    ),
    BlueZInterface.characteristic: InterfaceForm(
      methods: [
        Method(name: "ReadValue", inputs: [("options", "a{sv}")], outputs: [("value", "ay")]),
        Method(name: "WriteValue", inputs: [("value", "ay"), ("options", "a{sv}")]),
        Method(name: "StartNotify"),
        Method(name: "StopNotify"),
      ],
      properties: [
        Property("UUID", "s"), Property("Service", "o"), Property("Value", "ay"),
        Property("Notifying", "b"), Property("Flags", "as"), Property("WriteAcquired", "b"),
        Property("NotifyAcquired", "b"), Property("MTU", "q"),
      ]
    ),
    BlueZInterface.descriptor: InterfaceForm(
      properties: [Property("UUID", "s"), Property("Characteristic", "o")]
    ),
  ]
}

extension ExportedInterface {
  /// Takes a call, or a property's Set, that is answered later.
  typealias Receiver =
    @Sendable (_ method: String, _ arguments: [Value], _ call: IncomingCall) async -> Void

  init(_ interface: ObjectInterface, receive: @escaping Receiver) {
    let form = InterfaceForm.all[interface.name] ?? InterfaceForm(properties: [])
    self.init(
      name: interface.name,
      methods: form.methods.map { method in
        ExportedMethod(method.name, in: method.inputs, out: method.outputs) { call in
          await receive(method.name, call.arguments, call)
          return .later
        }
      },
      properties: form.properties.map { property in
        ExportedProperty(
          property.name,
          property.signature,
          value: interface.properties[property.name],
          set: property.isWritable ? Self.setter(property.name, receive) : nil
        )
      }
    )
  }

  private static func setter(
    _ property: String,
    _ receive: @escaping Receiver
  ) -> ExportedProperty.Setter {
    { value, call in
      await receive("Set \(property)", [value], call)
      return .later
    }
  }
}
