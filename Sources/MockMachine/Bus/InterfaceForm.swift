import DBus

/// What bluetoothd exports under an interface's name.
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
    /// Whether there are versions without it: there it has no value.
    var isNew = false

    init(_ name: String, _ signature: String, isWritable: Bool = false, isNew: Bool = false) {
      self.name = name
      self.signature = signature
      self.isWritable = isWritable
      self.isNew = isNew
    }
  }

  var methods: [Method] = []
  var properties: [Property]
  /// The signals that all versions have.
  var signals: [ExportedSignal] = []

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
        Property("Connectable", "b", isNew: true), Property("Manufacturer", "q", isNew: true),
        Property("PowerState", "s", isNew: true), Property("Version", "y", isNew: true),
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
        Property("AdvertisingFlags", "ay", isNew: true), Property("CablePairing", "b", isNew: true),
      ]
    ),
    BlueZInterface.bearer: InterfaceForm(properties: [], signals: [disconnected]),
    BlueZInterface.service: InterfaceForm(
      properties: [
        Property("UUID", "s"), Property("Device", "o"), Property("Primary", "b"),
        Property("Includes", "ao"), Property("Handle", "q", isNew: true),
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
        Property("Handle", "q", isNew: true),
      ]
    ),
    BlueZInterface.descriptor: InterfaceForm(
      properties: [
        Property("UUID", "s"), Property("Characteristic", "o"),
        Property("Handle", "q", isNew: true),
      ]
    ),
  ]

  /// Says why a link has ended, in the versions that have bearers.
  private static let disconnected = ExportedSignal(
    "Disconnected",
    [("name", "s"), ("message", "s")]
  )

  /// The signals of an interface with these properties.
  func signals(with values: [String: Value]) -> [ExportedSignal] {
    signals + (values["CablePairing"] == nil ? [] : [Self.disconnected])
  }
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
      properties: form.properties.filter {
        !$0.isNew || interface.properties[$0.name] != nil
      }.map { property in
        ExportedProperty(
          property.name,
          property.signature,
          value: interface.properties[property.name],
          set: property.isWritable ? Self.setter(property.name, receive) : nil
        )
      },
      signals: form.signals(with: interface.properties)
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
