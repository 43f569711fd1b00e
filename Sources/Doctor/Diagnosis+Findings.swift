import BlueZ
import ControlProtocol
import MachineLink
package import Programs

extension Diagnosis {
  /// What the facts mean, in the order of the way to the machine. A finding is left out if it can't
  /// be known because of an earlier problem.
  package var findings: [Finding] {
    let parts: [[Finding]] = [
      [bus], bluetoothd, box, adapters, machineFindings, trialFindings, serviceFindings, [lock],
    ]
    return parts.flatMap(\.self)
  }

  private var bus: Finding {
    guard let fault, case .busUnreachable = fault else {
      return .ok(.busAnswers, "the bus answers")
    }
    return .problem(fault.isRefusal ? .busRefused : .busUnreachable, fault)
  }

  private var bluetoothd: [Finding] {
    switch fault {
    case .busUnreachable: []
    // Source: bluetooth.service, ConditionPathIsDirectory=/sys/class/bluetooth.
    case .serviceAbsent where kernel.controllers == .success([]):
      [
        .problem(
          .bluetoothdAbsent,
          "bluetoothd is not running: systemd does not start it without an adapter",
          nil
        )
      ]
    case .serviceAbsent: [.problem(.bluetoothdAbsent, .serviceAbsent)]
    case let fault? where fault.isRefusal:
      [.ok(.bluetoothdRuns, "bluetoothd is running"), .problem(.permissionRefused, fault)]
    case let fault?: [.problem(.bluetoothdSilent, fault)]
    case nil where isSimulated == true:
      [.note(.bluetoothdSimulated, "a mock replaces bluetoothd: no ball is real"), permission]
    case nil:
      [.ok(.bluetoothdRuns, "bluetoothd \(daemonVersion.map { "\($0) " } ?? "")is running")]
        + [daemonDefect].compactMap(\.self) + [permission]
    }
  }

  private var daemonDefect: Finding? {
    BlueZDefect.of(daemonVersion).map {
      .note(.bluetoothdDefect, "bluetoothd \($0.version) \($0.text)", $0.remedy)
    }
  }

  private var permission: Finding {
    signals == false
      ? .problem(.permissionNoSignals, .signalsMissing)
      : .ok(.permissionGranted, "this user may use bluetoothd")
  }

  /// The version that bluetoothd shows; nil if it isn't known.
  package var daemonVersion: String? { levels.tree?.daemonVersion }

  private var hasControllers: Bool { !controllers.isEmpty }

  private var controllers: [HostController] { (try? kernel.controllers.get()) ?? [] }

  // MARK: The box

  /// The kernel and its switches, which don't matter to a mock's radio.
  private var box: [Finding] {
    isSimulated == true ? [] : controllerFindings + kernelDefect + switchFindings
  }

  private var controllerFindings: [Finding] {
    switch kernel.controllers {
    case .success([]):
      [
        .problem(
          .kernelNoController,
          "the kernel sees no Bluetooth adapter",
          board.isRaspberryPi
            ? "remove `dtoverlay=disable-bt` from /boot/firmware/config.txt, if it is there, and"
              + " reboot; `sudo dmesg` tells what else failed. Or plug in a USB adapter"
            : "plug one in; `lsusb` and `dmesg` show whether the box detects it"
        )
      ]
    case .success(let controllers): controllers.map(finding(on:)) + sharedAntenna(controllers)
    case .failure(.noBluetooth):
      [
        .problem(
          .kernelNoBluetooth,
          "this kernel has no Bluetooth",
          "run `modprobe bluetooth`; in a container, use the host's network"
        )
      ]
    case .failure(.system(let code)):
      [.note(.kernelUnknown, "the kernel does not list its Bluetooth adapters (errno \(code))")]
    }
  }

  private func finding(on controller: HostController) -> Finding {
    let name = controller.name
    guard let address = controller.address else {
      return .note(
        .kernelNoAddress,
        "\(name) (\(controller.bus)) has no address: its firmware may be missing",
        isOnBoard(controller)
          ? "install Debian's package bluez-firmware, and reboot; look for \(name) in `dmesg`"
          : "look for \(name) in `dmesg`"
      )
    }
    let text = "\(name) \(address) (\(controller.bus)) is \(controller.isUp ? "up" : "down")"
    let (received, sent) = (controller.receiveErrors, controller.sendErrors)
    guard received > 0 || sent > 0 else { return .ok(.kernelController, text) }
    return .note(
      .kernelErrors,
      "\(text), with \(received) receive and \(sent) send errors",
      "if they grow, try another USB port, without a hub or an extension"
    )
  }

  private func isOnBoard(_ controller: HostController) -> Bool {
    board.isRaspberryPi && controller.bus == "UART"
  }

  /// Many tries to connect fail then, for days at times, or Wi-Fi drops. Source: the public issues 13 of
  /// RPi-Distro/bluez-firmware and 1444 of raspberrypi/linux.
  private func sharedAntenna(_ controllers: [HostController]) -> [Finding] {
    guard let controller = controllers.first(where: isOnBoard), let wifi = board.wifi.first else {
      return []
    }
    return [
      .note(
        .kernelSharedAntenna,
        "\(controller.name) and Wi-Fi (\(wifi)) share an antenna: on 2.4 GHz each disturbs the other",
        "if the link fails, use a network cable, a network on 5 GHz, or a Bluetooth adapter at USB"
      )
    ]
  }

  private var kernelDefect: [Finding] {
    guard hasControllers, let release = kernel.release, isDefective(release) else { return [] }
    return [
      .note(
        .kernelDefect,
        "Linux \(release) may not survive an adapter that is switched off, blocked or unplugged"
          + " while a connection is being waited for",
        "boot Debian's 6.1.0-54, or end the bridge first; if Bluetooth is stuck after it, reboot"
      )
    ]
  }

  /// Seen with Debian's 6.1.0-56 (6.1.192), each time, and not with its 6.1.0-54 (6.1.190).
  /// 6.1.0-55 has the same source as 56; other series were not tried.
  private func isDefective(_ release: String) -> Bool {
    guard release.hasPrefix("6.1.") else { return false }
    let numbers = release.split { !$0.isNumber }.dropFirst(2).map { Int($0) ?? 0 }
    // Debian's number follows 6.1.0; others count in the third place.
    return switch (numbers.first ?? 0, numbers.dropFirst().first ?? 0) {
    case (0, let debian): debian > 54
    case (let patch, _): patch > 190
    }
  }

  private var switchFindings: [Finding] {
    let blocks = kernel.switches.compactMap { radio in radio.block.map { (radio, $0) } }
    if blocks.isEmpty {
      return kernel.switches.isEmpty ? [] : [.ok(.rfkillClear, "nothing blocks the radio")]
    }
    return blocks.map { radio, block in
      let fault = LinkFault.adapterBlocked(block)
      let isInTheWay = isInTheWay(radio)
      return Finding(
        .rfkillBlocked,
        isInTheWay ? .problem : .note,
        "\(radio.name): \(fault.reason)",
        isInTheWay ? fault.remedy : nil
      )
    }
  }

  /// Whether this switch keeps us from the adapter that a link would use.
  private func isInTheWay(_ radio: RadioSwitch) -> Bool {
    if let adapter { return !adapter.isPowered && radio.controller == adapter.index }
    let wanted = configuration.adapter
    let candidates = controllers.filter { wanted?.means($0) != false }
    // The box's own switch removes controllers, so it doesn't block one that is there.
    guard let index = radio.controller else { return candidates.isEmpty }
    return candidates.contains { $0.index == index }
      && candidates.allSatisfy { kernel.block(ofController: $0.index) != nil }
  }

  // MARK: BlueZ's adapters

  /// The adapter that a link would use, or that the service uses.
  var adapter: Adapter? {
    guard let tree = levels.tree else { return nil }
    let used = tree.adaptersInOrder.first { adapter in
      guard let link = service?.link else { return false }
      return link.adapter == "\(adapter.address)"
        && (link.adapterName ?? adapter.name) == adapter.name
    }
    return used ?? configuration.adapter(in: tree, kernel: radio).adapter
  }

  /// What the kernel says of the adapters; nil for a mock's.
  private var radio: KernelView? { isSimulated == true ? nil : kernel }

  /// What is wrong with an adapter, by the link's own judgement.
  private func defect(of adapter: Adapter) -> String? {
    if let known = service?.link?.passedOver?.first(where: { $0.adapterName == adapter.name }) {
      return known.reason
    }
    let alone = AdapterChoice(
      among: [adapter],
      given: nil,
      allowsOther: true,
      knowing: nil,
      wakesKnowing: false,
      kernel: radio
    )
    return alone.defect?.reason
  }

  private var adapters: [Finding] {
    guard fault == nil, let adapters = levels.tree?.adaptersInOrder else { return [] }
    let missing = adapter == nil ? [missingAdapter] : []
    // Where the service has its link, the choice was right.
    let choice: Finding? =
      adapters.count > 1 && configuration.adapter == nil && readyLink == nil
      ? adapter.map {
        .note(
          .adapterSeveral,
          "there are \(adapters.count) adapters: a link uses \($0.name)",
          "give --adapter \(AdapterReference($0, among: adapters).argument) to use it in any case"
        )
      } : nil
    return missing + adapters.flatMap(findings(on:)) + [choice].compactMap(\.self)
  }

  private var missingAdapter: Finding {
    // No remedy if the kernel's findings have one already. A kernel that can't be asked proves nothing.
    if case .success = kernel.controllers, box.contains(where: { $0.verdict == .problem }) {
      return .problem(.adapterMissing, "bluetoothd shows no adapter either", nil)
    }
    return .problem(.adapterMissing, LinkFault(noAdapter: configuration.adapter, kernel: radio))
  }

  private func findings(on adapter: Adapter) -> [Finding] {
    let label = "\(adapter.name) \(adapter.address)"
    let isUsed = adapter.path == self.adapter?.path
    if isUsed, adapter.roles?.contains("central") == false {
      return [
        .problem(
          .adapterNoCentral,
          "\(label) can't connect to machines: it lacks the LE central role",
          "use another adapter, with Bluetooth 4.0 or newer"
        )
      ]
    }
    if !isUsed, let defect = defect(of: adapter) {
      return [.note(.adapterPassedOver, "\(label) is passed over: \(defect)")]
    }
    if isUsed, adapter.address.isZero, let defect = defect(of: adapter) {
      return [
        .note(
          .adapterNoAddress,
          "\(label) may not serve: \(defect)",
          "look for \(adapter.name) in `dmesg`: its firmware may be missing"
        )
      ]
    }
    guard adapter.isPowered else {
      let isBlocked = isSimulated != true && kernel.block(of: adapter) != nil
      return [isBlocked || !isUsed ? .note(.adapterOff, "\(label) is off") : isOff(label)]
    }
    guard adapter.isDiscovering else { return [.ok(.adapterOn, "\(label) is on")] }
    return [
      controller == nil
        ? .note(
          .adapterScanning,
          "\(label) is on, and another program scans on it: connecting takes longer",
          "end that scan, in `bluetoothctl` or a desktop's Bluetooth settings"
        )
        : .ok(.adapterScanning, "\(label) is on and scans")
    ]
  }

  private func isOff(_ label: String) -> Finding {
    let remedy = "run `bluetoothctl power on`"
    guard controller == nil else {
      return .problem(
        .adapterOff,
        "\(label) was switched off: the bridge waits until it is switched on again",
        remedy
      )
    }
    return .note(
      .adapterOff,
      "\(label) is off: a bridge that starts switches it on, one that runs waits",
      remedy
    )
  }

  /// What other `ballmachine` writes to the machine; nil: none. Some users may not read the lock.
  var controller: String? {
    holder.map { "process \($0)" } ?? (hasService ? "the service" : nil)
  }

  private var hasService: Bool { service != nil || isServed }

  /// The service's own link, with which all is as it should be on the way to the machine.
  var readyLink: LinkRecord? { service?.link.flatMap { $0.isReady ? $0 : nil } }

  private var lock: Finding {
    if hasService {
      let process = holder.map { "process \($0), the service," } ?? "the service"
      return .ok(
        .lockHeld,
        "\(process) controls the machine: `send` goes through it"
      )
    }
    guard let holder else { return .ok(.lockFree, "no other ballmachine controls the machine") }
    return .note(
      .lockHeld,
      "process \(holder), another ballmachine, controls the machine",
      "end it before you send by hand"
    )
  }
}
