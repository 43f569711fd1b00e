import DBus

/// The interfaces that every object of gdbus has, as introspection describes them.
enum StandardInterface {
  static let introspectable = ExportedInterface(
    name: "org.freedesktop.DBus.Introspectable",
    methods: [described("Introspect", out: [("xml", "s")])]
  )

  static let properties = ExportedInterface(
    name: "org.freedesktop.DBus.Properties",
    methods: [
      described("Get", in: [("interface", "s"), ("name", "s")], out: [("value", "v")]),
      described("Set", in: [("interface", "s"), ("name", "s"), ("value", "v")]),
      described("GetAll", in: [("interface", "s")], out: [("properties", "a{sv}")]),
    ],
    signals: [
      ExportedSignal(
        "PropertiesChanged",
        [("interface", "s"), ("changed_properties", "a{sv}"), ("invalidated_properties", "as")]
      )
    ]
  )

  static let objectManager = ExportedInterface(
    name: "org.freedesktop.DBus.ObjectManager",
    methods: [described("GetManagedObjects", out: [("objects", "a{oa{sa{sv}}}")])],
    signals: [
      ExportedSignal("InterfacesAdded", [("object", "o"), ("interfaces", "a{sa{sv}}")]),
      ExportedSignal("InterfacesRemoved", [("object", "o"), ("interfaces", "as")]),
    ]
  )

  static let peer = "org.freedesktop.DBus.Peer"

  /// ``ObjectServer`` handles these itself, by name.
  private static func described(
    _ name: String,
    in inputs: [(String, String)] = [],
    out outputs: [(String, String)] = []
  ) -> ExportedMethod {
    ExportedMethod(name, in: inputs, out: outputs) { _ in .later }
  }
}

extension Value {
  /// `a{sa{sv}}`: interfaces with their present properties.
  static func interfaces(_ interfaces: [ExportedInterface]) -> Value {
    var entries: [Value: Value] = [:]
    for interface in interfaces {
      entries[.string(interface.name)] = .properties(interface.presentProperties)
    }
    return .dictionary(
      key: .string,
      value: .dictionary(key: .string, value: .variant),
      entries
    )
  }
}

extension ExportedInterface {
  /// The properties that are present now.
  var presentProperties: [String: Value] {
    var present: [String: Value] = [:]
    for property in properties { present[property.name] = property.value }
    return present
  }
}
