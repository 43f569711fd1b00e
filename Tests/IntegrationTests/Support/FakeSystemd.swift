import DBus
import MockMachine
import TestSupport

/// systemd on a bus of its own, as far as it is asked: one unit.
enum FakeSystemd {
  /// - Parameter unit: its name as D-Bus paths have it: `bluetooth_2eservice`.
  static func with(_ unit: String, _ body: (PrivateBus) async throws -> Void) async throws {
    let bus = try PrivateBus.start()
    let connection = try await Connection.open(.address(bus.address))
    let server = ObjectServer(connection: connection, managerPath: nil)
    func text(_ name: String, _ value: String) -> ExportedProperty {
      ExportedProperty(name, "s", value: .string(value))
    }
    await server.addSilently(
      try ObjectPath("/org/freedesktop/systemd1/unit/\(unit)"),
      [
        ExportedInterface(
          name: "org.freedesktop.systemd1.Unit",
          properties: [
            text("LoadState", "loaded"), text("ActiveState", "active"), text("SubState", "running"),
            text("UnitFileState", "enabled"),
          ]
        ),
        ExportedInterface(
          name: "org.freedesktop.systemd1.Service",
          properties: [
            text("Restart", "on-failure"), text("Result", "success"),
            ExportedProperty("NRestarts", "u", value: .uint32(7)),
          ]
        ),
      ]
    )
    let service = Task { await server.run() }
    defer { service.cancel() }
    _ = try await connection.call(
      Bus.call("RequestName", [.string("org.freedesktop.systemd1"), .uint32(0)])
    )
    try await body(bus)
  }
}
