import BlueZ
package import Host
package import Programs

extension Finding {
  /// The finding that bluetoothd has ended by itself, and systemd has started it again; nil if that
  /// never was.
  ///
  /// - Parameters:
  ///   - unit: `bluetooth.service`; nil where no systemd answers.
  ///   - version: that of bluetoothd; nil if it isn't known.
  package static func restarts(of unit: SystemdUnit?, version: String?) -> Finding? {
    guard let unit, unit.isInstalled, unit.restarts > 0 else { return nil }
    let times = unit.restarts == 1 ? "once" : "\(unit.restarts) times"
    return .note(
      .bluetoothdRestarted,
      "bluetoothd has ended by itself: systemd has restarted it \(times) since it was last started by hand",
      BlueZDefect.advice(afterEndOf: version)
    )
  }

  /// Whether bluetoothd comes back by itself when it crashes. Debian's unit does not ask for it.
  ///
  /// - Parameter unit: `bluetooth.service`; nil where no systemd answers.
  package static func supervision(of unit: SystemdUnit?) -> Finding {
    guard let unit, unit.isInstalled else {
      return .note(
        .bluetoothdUnsupervised,
        unit == nil
          ? "systemd does not answer: it is not known whether bluetoothd is restarted after a crash"
          : "systemd has no bluetooth.service: it is not known what restarts bluetoothd"
      )
    }
    // `on-success` would not help after a crash.
    guard ["no", "on-success"].contains(unit.restart) else {
      return .ok(
        .bluetoothdRestarts,
        "systemd restarts bluetoothd after a crash (Restart=\(unit.restart))"
      )
    }
    return .note(
      .bluetoothdStaysDown,
      "systemd does not restart bluetoothd after a crash (Restart=\(unit.restart))",
      "run `systemctl edit bluetooth` and write [Service] and below it Restart=on-failure;"
        + " installing the service does it too"
    )
  }
}
