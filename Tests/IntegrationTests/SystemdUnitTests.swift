import DBus
import Host
import MockMachine
import TestSupport
import Testing

/// How systemd is asked: over D-Bus, by properties, here of a fake one on a bus of its own.
@Suite(.mustEnd)
struct SystemdUnitTests {
  private func manager(
    on bus: PrivateBus,
    _ body: (Connection) async throws -> Void
  ) async throws {
    let connection = try await Connection.open(.address(bus.address))
    let server = ObjectServer(connection: connection, managerPath: nil)
    func text(_ name: String, _ value: String) -> ExportedProperty {
      ExportedProperty(name, "s", value: .string(value))
    }
    await server.addSilently(
      try ObjectPath("/org/freedesktop/systemd1/unit/bluetooth_2eservice"),
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
      MethodCall(
        destination: "org.freedesktop.DBus",
        path: try ObjectPath("/org/freedesktop/DBus"),
        interface: "org.freedesktop.DBus",
        member: "RequestName",
        arguments: [.string("org.freedesktop.systemd1"), .uint32(0)]
      ),
      timeout: nil
    )
    try await body(connection)
  }

  @Test func itsPropertiesAreRead() async throws {
    let bus = try PrivateBus.start()
    try await manager(on: bus) { _ in
      // Busy as the box may be.
      let timeout = Duration.seconds(30)
      let unit = await SystemdUnit.named("bluetooth.service", on: bus.address, timeout: timeout)
      #expect(unit == SystemdUnit(restart: "on-failure", restarts: 7))
      #expect(await SystemdUnit.named("other.service", on: bus.address, timeout: timeout) == nil)
    }
  }

  @Test func withoutSystemdNothingIsKnown() async throws {
    let bus = try PrivateBus.start()
    #expect(await SystemdUnit.named("bluetooth.service", on: bus.address) == nil)
    #expect(await SystemdUnit.named("bluetooth.service", on: "unix:path=/nonexistent") == nil)
  }
}
