import BlueZ

extension Diagnosis {
  /// What the facts mean, in the order of the way to the machine. What can't be known for want of
  /// something before it is left out.
  package var findings: [Finding] {
    [bus] + bluetoothd + box + adapters + machine + [lock]
  }

  private var bus: Finding {
    if let fault, case .busUnreachable = fault { return .problem(.bus, fault) }
    return .ok(.bus, "the bus answers")
  }

  private var bluetoothd: [Finding] {
    switch fault {
    case .busUnreachable: []
    // Source: bluetooth.service, ConditionPathIsDirectory=/sys/class/bluetooth.
    case .serviceAbsent where !hasControllers:
      [
        .problem(
          .bluetoothd,
          "bluetoothd is not running: systemd does not start it without an adapter",
          nil
        )
      ]
    case let fault?: [.problem(.bluetoothd, fault)]
    case nil where isSimulated == true:
      [.note(.bluetoothd, "a mock plays bluetoothd: no ball is real")]
    case nil:
      [.ok(.bluetoothd, "bluetoothd \(daemonVersion.map { "\($0) " } ?? "")is running")]
    }
  }

  private var daemonVersion: String? {
    levels.tree?.adaptersInOrder.lazy.compactMap(\.daemonVersion).first
  }

  private var hasControllers: Bool { !controllers.isEmpty }

  private var controllers: [HostController] { (try? kernel.controllers.get()) ?? [] }

  // MARK: The box

  /// The kernel and its switches, which have no part in a mock's radio.
  private var box: [Finding] { isSimulated == true ? [] : controllerFindings + switchFindings }

  private var controllerFindings: [Finding] {
    switch kernel.controllers {
    case .success([]):
      [
        .problem(
          .kernel,
          "the kernel sees no Bluetooth adapter",
          "plug one in; `lsusb` and `dmesg` tell whether the box notices it"
        )
      ]
    case .success(let controllers): controllers.map(finding(on:))
    case .failure(.noBluetooth):
      [
        .problem(
          .kernel,
          "this kernel has no Bluetooth",
          "run `modprobe bluetooth`; in a container, use the host's network"
        )
      ]
    case .failure(.system(let code)):
      [.note(.kernel, "the kernel does not tell its Bluetooth adapters (errno \(code))")]
    }
  }

  private func finding(on controller: HostController) -> Finding {
    let name = controller.name
    guard let address = controller.address else {
      return .note(
        .kernel,
        "\(name) (\(controller.bus)) has no address: its firmware may be missing",
        "look for \(name) in `dmesg`"
      )
    }
    let text = "\(name) \(address) (\(controller.bus)) is \(controller.isUp ? "up" : "down")"
    let (received, sent) = (controller.receiveErrors, controller.sendErrors)
    guard received > 0 || sent > 0 else { return .ok(.kernel, text) }
    return .note(
      .kernel,
      "\(text), with \(received) receive and \(sent) send errors",
      "if they grow, try another USB port, without a hub or an extension"
    )
  }

  private var switchFindings: [Finding] {
    let blocks = kernel.switches.compactMap { radio in radio.block.map { (radio, $0) } }
    if blocks.isEmpty {
      return kernel.switches.isEmpty ? [] : [.ok(.rfkill, "nothing blocks the radio")]
    }
    return blocks.map { radio, block in
      let fault = LinkFault.adapterBlocked(block)
      let isInTheWay = isInTheWay(radio)
      return Finding(
        subject: .rfkill,
        verdict: isInTheWay ? .problem : .note,
        text: "\(radio.name): \(fault.reason)",
        remedy: isInTheWay ? fault.remedy : nil
      )
    }
  }

  /// Whether this switch keeps us from the adapter that a link would use.
  private func isInTheWay(_ radio: RadioSwitch) -> Bool {
    if let adapter { return !adapter.isPowered && radio.controller == adapter.index }
    let wanted = configuration.adapter
    let candidates = controllers.filter { wanted == nil || $0.address == wanted }
    // A switch of the box's own takes controllers away; one that is there is not its.
    guard let index = radio.controller else { return candidates.isEmpty }
    return candidates.contains { $0.index == index }
      && candidates.allSatisfy { kernel.block(ofController: $0.index) != nil }
  }

  // MARK: BlueZ's adapters

  /// The adapter that a link would use.
  private var adapter: Adapter? {
    levels.tree.flatMap { configuration.adapter(among: $0.adaptersInOrder) }
  }

  private var adapters: [Finding] {
    guard fault == nil, let adapters = levels.tree?.adaptersInOrder else { return [] }
    let missing = adapter == nil ? [missingAdapter] : []
    let choice: Finding? =
      adapters.count > 1 && configuration.adapter == nil
      ? adapter.map {
        .note(
          .adapter,
          "there are \(adapters.count) adapters: a link uses \($0.name)",
          "give --adapter \($0.address) to hold on to it"
        )
      } : nil
    return missing + adapters.flatMap(findings(on:)) + [choice].compactMap(\.self)
  }

  private var missingAdapter: Finding {
    // Where the kernel's findings have told what to do, once is enough.
    if box.contains(where: { $0.verdict == .problem }) {
      return .problem(.adapter, "bluetoothd shows no adapter either", nil)
    }
    let kernel = isSimulated == true ? nil : kernel
    return .problem(.adapter, LinkFault(noAdapter: configuration.adapter, kernel: kernel))
  }

  private func findings(on adapter: Adapter) -> [Finding] {
    let label = "\(adapter.name) \(adapter.address)"
    let isUsed = adapter.path == self.adapter?.path
    if isUsed, adapter.roles?.contains("central") == false {
      return [
        .problem(
          .adapter,
          "\(label) can't connect to machines: it lacks the LE central role",
          "use another adapter; Bluetooth 4.0 is the least"
        )
      ]
    }
    guard adapter.isPowered else {
      let isBlocked = isSimulated != true && kernel.block(of: adapter) != nil
      return [
        isBlocked || !isUsed
          ? .note(.adapter, "\(label) is off")
          : .note(
            .adapter,
            "\(label) is off: a bridge that starts switches it on, one that runs waits",
            "run `bluetoothctl power on`"
          )
      ]
    }
    guard adapter.isDiscovering else { return [.ok(.adapter, "\(label) is on")] }
    return [
      holder == nil
        ? .note(
          .adapter,
          "\(label) is on, and another program scans on it: connecting takes longer",
          "end that scan, in `bluetoothctl` or a desktop's Bluetooth settings"
        )
        : .ok(.adapter, "\(label) is on and scans")
    ]
  }

  // MARK: The machine

  private var machine: [Finding] {
    guard let adapter, let devices = levels.tree?.devices.values else { return [] }
    let identity = MachineIdentity(
      among: devices.filter { $0.adapter == adapter.path },
      configuration: configuration,
      remembered: remembered,
      acceptsNewAddress: false,
      // Without a scan nobody knows; those that BlueZ remembers will do.
      isInRange: { _ in true }
    )
    switch identity {
    case .none: return [unknownMachine]
    case .ambiguous(let devices):
      let list = devices.map { "\($0.address) \($0.name ?? "without a name")" }
      return [
        .note(
          .machine,
          "BlueZ knows \(devices.count) machines: \(list.joined(separator: ", "))",
          "choose one with --address"
        )
      ]
    case .one(let recognised):
      return [finding(on: recognised.device), bearerFinding(on: recognised.device, adapter)]
        .compactMap(\.self)
    }
  }

  /// The machine of an earlier good link, if that says which one is meant.
  private var remembered: RememberedMachine? {
    configuration.remembered.first {
      $0.isLasting && $0.counts(for: configuration, isSimulated: isSimulated)
    }
  }

  private var unknownMachine: Finding {
    if configuration.address == nil, configuration.name == nil, let remembered {
      return .note(
        .machine,
        "BlueZ does not know \(remembered.address) (remembered): a link scans for it and no other",
        "give --forget-machine to `serve` or `send` if it is another machine now"
      )
    }
    let wanted = configuration.address.map { "\($0)" } ?? configuration.name ?? "a machine"
    return .note(
      .machine,
      "BlueZ does not know \(wanted) yet: a link begins with a scan",
      "`ballmachine scan` lists the machines in range"
    )
  }

  private func finding(on device: Device) -> Finding {
    let label =
      (device.name.map { "\($0) " } ?? "") + "\(device.address)"
      + (remembered?.isSame(as: device) == true ? " (remembered)" : "")
    guard device.isConnected else { return .ok(.machine, "\(label) is known, not connected") }
    guard holder == nil else { return .ok(.machine, "\(label) is connected") }
    return .note(
      .machine,
      "\(label) is connected, by another program or a bridge that died: a link takes it over"
    )
  }

  /// Source: BlueZ 5.66 src/device.c, select_conn_bearer.
  private func bearerFinding(on device: Device, _ adapter: Adapter) -> Finding? {
    guard device.addressType == .public, adapter.classOfDevice != 0 else { return nil }
    return .note(
      .machine,
      "\(device.address) is public: BlueZ may try classic Bluetooth first, which takes longer",
      "set `ControllerMode = le` in /etc/bluetooth/main.conf, then restart bluetoothd"
    )
  }

  private var lock: Finding {
    guard let holder else { return .ok(.lock, "no other ballmachine controls the machine") }
    return .note(
      .lock,
      "process \(holder), another ballmachine, controls the machine",
      "end it before you send by hand"
    )
  }
}
