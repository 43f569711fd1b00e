import BlueZ
import ControlProtocol
import MachineLink
import Programs

extension Diagnosis {
  /// What BlueZ knows of our machine. Without a scan it is unknown whether the machine is there, so
  /// devices that BlueZ remembers count.
  private var identity: MachineIdentity? {
    guard levels.tree != nil, adapter != nil else { return nil }
    return MachineIdentity(
      among: devices,
      configuration: configuration,
      expected: remembered,
      acceptsNewAddress: false,
      memoryDecides: true,
      isSimulated: isSimulated,
      isInRange: { _ in true }
    )
  }

  /// The devices that BlueZ lists on the link's adapter.
  private var devices: [Device] {
    guard let adapter, let devices = levels.tree?.devices.values else { return [] }
    return devices.filter { $0.adapter == adapter.path }
  }

  /// The machine of an earlier good link, if it decides which machine is meant.
  private var remembered: RememberedMachine? {
    configuration.rememberedMachine(isSimulated: isSimulated)
  }

  /// The machine that the service has its link to. Its command line may name another than the files.
  private var servedMachine: Device? {
    guard let address = readyLink?.machine, let adapter else { return nil }
    return levels.tree?.devices.values.first {
      $0.adapter == adapter.path && "\($0.address)" == address
    }
  }

  var machineFindings: [Finding] {
    if let servedMachine { return [finding(on: servedMachine)] }
    guard let adapter, let identity else { return [] }
    switch identity {
    case .none: return [unknownMachine(among: devices)]
    case .ambiguous(let devices):
      let list = devices.map(\.title)
      return [
        .note(
          .machineAmbiguous,
          "BlueZ knows \(devices.count) machines: \(list.joined(separator: ", "))",
          "choose one with --address"
        )
      ]
    case .one(let recognised):
      return [finding(on: recognised.device), bearerFinding(on: recognised.device, adapter)]
        .compactMap(\.self)
    }
  }

  private func unknownMachine(among devices: [Device]) -> Finding {
    let likeness = configuration.likeness(
      among: devices,
      remembered: remembered,
      isSimulated: isSimulated
    )
    if let likeness { return .note(.machineUnknown, likeness) }
    if configuration.address == nil, configuration.name == nil, let remembered {
      return .note(
        .machineUnknown,
        "BlueZ does not know \(remembered.address) (remembered): a link scans for it and no other",
        "give --forget-machine to `serve` or `send` if it is another machine now"
      )
    }
    let wanted = configuration.address.map { "\($0)" } ?? configuration.name ?? "a machine"
    return .note(
      .machineUnknown,
      "BlueZ does not know \(wanted) yet: a link begins with a scan",
      "`ballmachine scan` lists the machines in range"
    )
  }

  private func finding(on device: Device) -> Finding {
    let label =
      (device.name.map { "\($0) " } ?? "") + "\(device.address)"
      + (remembered?.isSame(as: device) == true ? " (remembered)" : "")
    guard !device.isBlocked || device.isConnected else {
      return .problem(.machineBlocked, .machineBlocked(device.address))
    }
    guard device.isConnected else {
      // BlueZ reports a signal strength only while a program scans.
      let heard = device.strength.map { ", heard just now at \($0) dBm" } ?? ""
      return .ok(.machineKnown, "\(label) is known, not connected\(heard)")
    }
    guard controller == nil else { return .ok(.machineConnected, "\(label) is connected") }
    return .note(
      .machineHeld,
      "\(label) is connected, by another program or a bridge that died: a link takes it over"
    )
  }

  /// Source: BlueZ 5.66 src/device.c, select_conn_bearer.
  private func bearerFinding(on device: Device, _ adapter: Adapter) -> Finding? {
    guard readyLink == nil, device.addressType == .public, adapter.classOfDevice != 0 else {
      return nil
    }
    return .note(
      .machineDualMode,
      "\(device.address) is public: BlueZ may try classic Bluetooth first, which takes longer",
      "set `ControllerMode = le` in /etc/bluetooth/main.conf, then restart bluetoothd"
    )
  }

  // MARK: A connection

  /// Why a connection can't be tried now without harm; nil when it can.
  package var obstacleToTrial: String? {
    if findings.contains(where: { $0.verdict == .problem }) {
      return "a problem above prevents it"
    }
    if let controller { return "\(controller) controls the machine" }
    guard let adapter, adapter.isPowered else { return "the adapter is off" }
    if case .one(let recognised)? = identity, recognised.device.isConnected {
      return "another program is connected to the machine"
    }
    return nil
  }

  var trialFindings: [Finding] {
    // A bridge that runs tries all the time.
    if let link = service?.link, link.state != "ready", let trouble = link.reason {
      return [
        .problem(
          .connectionFailed,
          "the service has no link: \(trouble)",
          link.remedy ?? "if it does not come back soon, check that the machine is on and near"
        )
      ]
    }
    return switch trial {
    case nil: []
    case .left(let reason):
      [.note(.connectionUntried, "no connection was tried: \(reason)")]
    case .made(let trial): trial.findings
    }
  }

  /// The machine's characteristics for commands, as far as BlueZ has read them.
  var serviceFindings: [Finding] {
    if let served = servedFinding { return [served] }
    let levels = if case .made(let trial)? = trial { trial.levels } else { levels }
    var linked = self
    linked.levels = levels
    guard case .one(let recognised)? = linked.identity, recognised.device.isConnected,
      recognised.device.areServicesResolved, let tree = levels.tree
    else { return [] }
    let table = tree.table(of: recognised.device.path)
    do throws(CommandCharacteristic.Absence) {
      let chosen = try CommandCharacteristic(
        from: table,
        profiles: configuration.profiles,
        trust: configuration.trust(
          in: recognised.device,
          by: recognised.by,
          isSimulated: isSimulated
        )
      )
      return [finding(on: chosen, tree.characteristics[chosen.path])]
    } catch {
      switch error {
      case .noneUsable(let found):
        return [.problem(.servicesUnknown, .noUsableCharacteristic(found))]
      case .ambiguous(let found):
        return [.problem(.servicesAmbiguous, .ambiguousCharacteristics(found))]
      case .needsAdoption(let found):
        return [.problem(.servicesUnknown, .needsAdoption(recognised.device, found))]
      }
    }
  }

  /// The service has chosen, perhaps by UUIDs of its command line; nil where it has no link, or the
  /// choice would be the same.
  private var servedFinding: Finding? {
    guard let servedMachine, let profile = readyLink?.profile, let tree = levels.tree else {
      return nil
    }
    let table = tree.table(of: servedMachine.path)
    let chosen = try? CommandCharacteristic(
      from: table,
      profiles: configuration.profiles,
      trust: configuration.trust(in: servedMachine, by: .address, isSimulated: isSimulated)
    )
    guard chosen?.profile.name != profile else { return nil }
    return .ok(.servicesFound, "profile \(profile): the service sends its commands there")
  }

  private func finding(
    on chosen: CommandCharacteristic,
    _ characteristic: Characteristic?
  ) -> Finding {
    if characteristic?.isWriteAcquired == true {
      return .problem(
        .servicesAcquired,
        "another program has acquired the command characteristic \(chosen.uuid)",
        "end the program that called AcquireWrite, such as `bluetoothctl`"
      )
    }
    let writes = chosen.takesRequests ? "acknowledged" : "unacknowledged"
    let mtu = characteristic?.mtu.map { ", MTU \($0)" } ?? ""
    return .ok(
      .servicesFound,
      "profile \(chosen.profile.name): commands go to \(chosen.uuid), \(writes)\(mtu)"
    )
  }
}
