import CSystemd
import Glibc

/// What systemd knows of a service.
package struct SystemdUnit: Hashable, Sendable {
  /// `loaded`, or `not-found` when it is not installed.
  package var load = "loaded"
  /// `active`, `inactive`, `failed`, `activating` and more.
  package var active = "active"
  /// The detailed state: `running`, `auto-restart` and more.
  package var sub = "running"
  /// `enabled` when it starts with the box.
  package var file = "enabled"
  /// When systemd restarts it: `no`, `on-failure`, `always` and more.
  package var restart = "no"
  /// The unit's last result: `success`, `exit-code`, `watchdog` and more.
  package var result = "success"
  /// How often systemd has restarted it since its last manual start.
  package var restarts: UInt32 = 0

  package var isInstalled: Bool { load != "not-found" }

  /// Asks systemd, which answers at once unless it is busy. Needs no privilege and starts nothing.
  ///
  /// - Parameters:
  ///   - name: such as `bluetooth.service`.
  ///   - bus: the address of systemd's bus; nil: the system's.
  ///   - timeout: how long to wait for each answer: systemd is slow while it reads its units.
  /// - Returns: nil if no systemd answers.
  package static func named(
    _ name: String,
    on bus: String? = nil,
    timeout: Duration = .seconds(10)
  ) async -> SystemdUnit? {
    // libsystemd waits for the answers.
    try? await WaitingThread.value {
      Manager(on: bus, timeout: timeout).flatMap { SystemdUnit(name, $0) }
    }
  }
}

extension SystemdUnit {
  private init?(_ name: String, _ manager: Manager) {
    // systemd loads the unit when asked for a property of it.
    guard let path = Manager.path(ofUnit: name),
      let load = manager.text(path, "Unit", "LoadState"),
      let active = manager.text(path, "Unit", "ActiveState"),
      let sub = manager.text(path, "Unit", "SubState"),
      let file = manager.text(path, "Unit", "UnitFileState"),
      let restart = manager.text(path, "Service", "Restart"),
      let result = manager.text(path, "Service", "Result")
    else { return nil }
    self.init(
      load: load,
      active: active,
      sub: sub,
      file: file,
      restart: restart,
      result: result,
      restarts: manager.number(path, "Service", "NRestarts") ?? 0
    )
  }
}

/// systemd on a bus.
private final class Manager {
  private static let name = "org.freedesktop.systemd1"
  private let bus: OpaquePointer

  init?(on address: String?, timeout: Duration) {
    var made: OpaquePointer?
    guard sd_bus_new(&made) >= 0, let bus = made else { return nil }
    let standard = getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) }
    let address = address ?? standard ?? "unix:path=/run/dbus/system_bus_socket"
    guard sd_bus_set_address(bus, address) >= 0, sd_bus_set_bus_client(bus, 1) >= 0,
      sd_bus_set_method_call_timeout(bus, UInt64(timeout / .microseconds(1))) >= 0,
      sd_bus_start(bus) >= 0
    else {
      sd_bus_unref(bus)
      return nil
    }
    self.bus = bus
  }

  deinit { sd_bus_flush_close_unref(bus) }

  static func path(ofUnit name: String) -> String? {
    var encoded: UnsafeMutablePointer<CChar>?
    guard sd_bus_path_encode("/org/freedesktop/systemd1/unit", name, &encoded) >= 0,
      let path = encoded
    else { return nil }
    defer { free(path) }
    return String(cString: path)
  }

  func text(_ path: String, _ interface: String, _ property: String) -> String? {
    var value: UnsafeMutablePointer<CChar>?
    let status = sd_bus_get_property_string(
      bus,
      Self.name,
      path,
      "\(Self.name).\(interface)",
      property,
      nil,
      &value
    )
    guard status >= 0, let text = value else { return nil }
    defer { free(text) }
    return String(cString: text)
  }

  func number(_ path: String, _ interface: String, _ property: String) -> UInt32? {
    var number: UInt32 = 0
    let status = sd_bus_get_property_trivial(
      bus,
      Self.name,
      path,
      "\(Self.name).\(interface)",
      property,
      nil,
      CChar(UInt8(ascii: "u")),
      &number
    )
    return status >= 0 ? number : nil
  }
}
