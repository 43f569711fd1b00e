import DBus

// The XML of Introspect's answer. Names have only letters, digits, dots and underscores, and
// signatures have no XML characters either: nothing needs escaping.
extension ObjectServer {
  func introspect(_ path: ObjectPath) -> String {
    let interfaces = allInterfaces(of: path).map(\.introspection).joined()
    let children = childNames(of: path).map { " <node name=\"\($0)\"/>\n" }.joined()
    return """
      <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
      "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
      <node>
      \(interfaces)\(children)</node>

      """
  }

  /// The direct children: the next element of each path below.
  private func childNames(of path: ObjectPath) -> [String] {
    let depth = path == .root ? 0 : path.string.split(separator: "/").count
    let names = objects.keys
      .filter { $0.isDescendant(of: path) }
      .map { String($0.string.split(separator: "/")[depth]) }
    return Set(names).sorted()
  }
}

extension ExportedInterface {
  fileprivate var introspection: String {
    " <interface name=\"\(name)\">\n"
      + methods.map(\.introspection).joined()
      + signals.map(\.introspection).joined()
      + properties.map(\.introspection).joined()
      + " </interface>\n"
  }
}

extension ExportedMethod {
  fileprivate var introspection: String {
    "  <method name=\"\(name)\">\n"
      + inputs.map { $0.introspection(direction: "in") }.joined()
      + outputs.map { $0.introspection(direction: "out") }.joined()
      + "  </method>\n"
  }
}

extension ExportedSignal {
  fileprivate var introspection: String {
    "  <signal name=\"\(name)\">\n"
      + arguments.map { $0.introspection(direction: nil) }.joined()
      + "  </signal>\n"
  }
}

extension ExportedProperty {
  fileprivate var introspection: String {
    let access = setter == nil ? "read" : "readwrite"
    return "  <property name=\"\(name)\" type=\"\(type.code)\" access=\"\(access)\"/>\n"
  }
}

extension ExportedArgument {
  fileprivate func introspection(direction: String?) -> String {
    let direction = direction.map { " direction=\"\($0)\"" } ?? ""
    return "   <arg name=\"\(name)\" type=\"\(type.code)\"\(direction)/>\n"
  }
}
