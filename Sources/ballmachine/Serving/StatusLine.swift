import Bridge
import ControlProtocol
import Host
import MachineLink
import Safety

/// What `systemctl status` shows of the bridge: the mode, whether balls may fly, and the link.
struct StatusLine: Equatable {
  private var link: LinkStatus?
  private var safety: SafetyStatus?

  mutating func take(_ event: BridgeEvent) {
    switch event {
    case .link(let status): link = status
    case .safety(let status): safety = status
    case .dispatched, .held, .manual, .stopped, .positions, .dropped: break
    }
  }

  var text: String {
    let state = safety?.state
    let arming = [state?.word, state?.reason].compactMap(\.self).joined(separator: ": ")
    let trouble = link?.phase == .ready ? nil : link?.trouble
    return [
      link?.mode, arming, link.map { "link \($0.phase.words)" }, link?.machineText, trouble,
    ].compactMap(\.self).joined(separator: "; ")
  }

  /// Sends the line to systemd until the service ends.
  static func follow(_ service: BridgeService, telling notifier: ServiceNotifier) async {
    var line = StatusLine()
    var told = ""
    for await event in await service.subscribe() {
      if case .link(let status) = event, status.phase == .shuttingDown { notifier.stopping() }
      line.take(event)
      guard line.text != told else { continue }
      told = line.text
      notifier.status(told)
    }
  }
}
