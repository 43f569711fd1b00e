import Bridge
import ControlProtocol
import Host
import Reports

/// What `systemctl status` shows of the bridge: the mode, whether balls may fly, and the link.
struct StatusLine: Equatable {
  private var link: LinkRecord?
  private var safety: SafetyRecord?

  mutating func receive(_ record: EventRecord) {
    switch record.event {
    case .link(let link): self.link = link
    case .safety(let safety): self.safety = safety
    default: break
    }
  }

  var text: String {
    let arming = [safety?.state, safety?.reason].compactMap(\.self).joined(separator: ": ")
    return [
      link?.mode, arming, link.map { "link \($0.phaseText)" }, link?.machineText, link?.trouble,
    ].compactMap(\.self).joined(separator: "; ")
  }

  /// Sends the line to systemd until the service ends.
  static func follow(
    _ service: BridgeService,
    clock: SystemClock,
    with notifier: ServiceNotifier
  ) async {
    var line = StatusLine()
    var last = ""
    for await event in await service.subscribe() where [.link, .safety].contains(event.kind) {
      let record = EventRecord(event, at: clock.now, on: clock)
      if case .link(let link) = record.event, link.isEnding { notifier.stopping() }
      line.receive(record)
      guard line.text != last else { continue }
      last = line.text
      notifier.status(last)
    }
  }
}
