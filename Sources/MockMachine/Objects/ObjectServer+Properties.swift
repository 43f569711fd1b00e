import DBus

// org.freedesktop.DBus.Properties with gdbus's errors. Source: BlueZ gdbus/object.c
// (properties_get, properties_get_all, properties_set).
extension ObjectServer {
  /// The signature has been compared already.
  func answerAsProperties(_ call: IncomingCall) async -> MethodOutcome {
    let interfaceName = call.arguments.first?.string ?? ""
    let ownInterfaces = objects[call.path] ?? []
    guard let interface = ownInterfaces.first(where: { $0.name == interfaceName }) else {
      return .failure(.invalid("No such interface '\(interfaceName)'"))
    }
    if call.member == "GetAll" { return .reply([.properties(interface.presentProperties)]) }

    let name = call.arguments[1].string ?? ""
    let property = interface.properties.first { $0.name == name }
    if call.member == "Get" {
      guard let value = property?.value else {
        return .failure(.invalid("No such property '\(name)'"))
      }
      return .reply([.variant(value)])
    }
    return await set(property, name, call)
  }

  private func set(
    _ property: ExportedProperty?,
    _ name: String,
    _ call: IncomingCall
  ) async -> MethodOutcome {
    func failure(_ error: String, _ message: String) -> MethodOutcome {
      .failure(DBusError(name: error, message: message))
    }
    guard let property else {
      return failure(DBusError.unknownProperty, "No such property '\(name)'")
    }
    guard let setter = property.setter else {
      return failure(DBusError.propertyReadOnly, "Property '\(name)' is not writable")
    }
    guard property.value != nil else {
      return failure(DBusError.unknownProperty, "No such property '\(name)'")
    }
    guard case .variant(let value)? = call.arguments.last, value.type == property.type else {
      return failure(DBusError.invalidSignature, "Invalid signature for '\(name)'")
    }
    return await setter(value, call)
  }
}
