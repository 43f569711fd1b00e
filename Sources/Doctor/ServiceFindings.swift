import ControlProtocol
package import Host
package import Programs

/// The state of the service: facts, and what they mean.
package struct ServiceDiagnosis: Hashable, Sendable {
  /// `ballmachine.service`; nil where no systemd answers.
  package var unit: SystemdUnit?
  package var answer: ServiceAnswer
  /// The version of this program.
  package var version: String

  package init(unit: SystemdUnit?, answer: ServiceAnswer, version: String) {
    self.unit = unit
    self.answer = answer
    self.version = version
  }

  package var isInstalled: Bool { unit?.isInstalled == true }

  package var finding: Finding {
    switch answer {
    case .state(let state): finding(on: state)
    case .refused(let path):
      Finding(
        .serviceRefused,
        .note,
        "a service runs, but this user may not connect to \(path)",
        "run it as root, or as the user who started the bridge",
        isRefusal: true
      )
    case .failed(let text):
      .problem(.serviceSilent, text, "run `systemctl restart ballmachine`: it starts disarmed")
    case .noListener(let path): finding(onNoListenerAt: path)
    }
  }

  /// What the player's detector does; nil where there is nothing to say.
  package var detectorFinding: Finding? {
    guard case .state(let state) = answer, let seconds = state.repeats else { return nil }
    return .note(
      .serviceDetectorRepeats,
      "the detector has said the same position for \(Int(seconds)) s",
      "look whether it still works, unless the player stands still"
    )
  }

  private func finding(on state: ServiceAnswer.State) -> Finding {
    let hello = state.hello
    let condition = [
      hello.mode, state.arming, state.link.map { "link \($0.state)" },
      hello.role == .none ? "this user has no role" : "this user is \(hello.role.rawValue)",
    ].compactMap(\.self).joined(separator: ", ")
    guard hello.version == version else {
      return .note(
        .serviceOtherVersion,
        "the service has version \(hello.version), this program \(version): \(condition)",
        "run `systemctl restart ballmachine`: it starts disarmed"
      )
    }
    // Without a link, that is a finding on the connection.
    if let link = state.link, link.state == "ready", let trouble = link.reason {
      return .problem(
        .serviceCommandsRefused,
        "the service runs: \(condition); \(trouble)",
        link.remedy
      )
    }
    return .ok(.serviceRuns, "the service runs: \(condition)")
  }

  private func finding(onNoListenerAt path: String) -> Finding {
    guard let unit, unit.isInstalled else {
      return .note(
        .serviceNotInstalled,
        "no service runs, and " + (unit == nil ? "systemd does not answer" : "none is installed"),
        "run `ballmachine serve`, or install the service with tools/install"
      )
    }
    let why = "`journalctl -u ballmachine -e` shows why"
    if unit.load == "masked" {
      return .note(
        .serviceDisabled,
        "the service is masked, so it can't be started",
        "run `systemctl unmask ballmachine`, then `systemctl enable --now ballmachine`"
      )
    }
    guard unit.load == "loaded" else {
      return .problem(
        .serviceFailed,
        "systemd can't use the service's unit (\(unit.load))",
        "`systemctl status ballmachine` shows why"
      )
    }
    if unit.active == "deactivating" {
      return .note(.serviceStopped, "the service is stopping", "look again in half a minute")
    }
    let isRestarting = unit.active == "activating" && unit.restarts > 0
    if unit.active == "failed" || unit.sub == "auto-restart" || isRestarting {
      // While it starts, systemd no longer says how it ended before.
      let result = unit.result == "success" ? "ends at once" : unit.result
      let restarts = unit.restarts > 0 ? ", restarted \(unit.restarts) times" : ""
      return .problem(.serviceFailed, "the service fails (\(result)\(restarts))", why)
    }
    if ["active", "activating", "reloading"].contains(unit.active) {
      return .problem(
        .serviceSilent,
        "systemd says that the service is \(unit.active), but no process listens on \(path)",
        why
      )
    }
    return unit.file == "enabled"
      ? .note(.serviceStopped, "the service is stopped", "run `systemctl start ballmachine`")
      : .note(
        .serviceDisabled,
        "the service is stopped, and does not start at boot",
        "run `systemctl enable --now ballmachine`"
      )
  }
}
