package import Host

extension Finding {
  /// Whether bluetoothd comes back by itself when it crashes. Debian's unit does not ask for it.
  ///
  /// - Parameter unit: `bluetooth.service`; nil where no systemd answers.
  package static func supervision(of unit: SystemdUnit?) -> Finding {
    guard let unit, unit.isInstalled else {
      return .note(
        .bluetoothdUnsupervised,
        unit == nil
          ? "no systemd answers: whether a bluetoothd that crashes comes back is not known"
          : "systemd has no bluetooth.service: who restarts bluetoothd is not known"
      )
    }
    // `on-success` would not help after a crash.
    guard ["no", "on-success"].contains(unit.restart) else {
      return .ok(
        .bluetoothdRestarts,
        "systemd restarts a bluetoothd that crashes (Restart=\(unit.restart))"
      )
    }
    return .note(
      .bluetoothdStaysDown,
      "systemd does not restart a bluetoothd that crashes (Restart=\(unit.restart))",
      "run `systemctl edit bluetooth` and write [Service] and below it Restart=on-failure;"
        + " installing the service does it too"
    )
  }
}
