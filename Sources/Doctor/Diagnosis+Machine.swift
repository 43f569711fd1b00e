import BlueZ
import ControlProtocol
import MachineLink

extension Diagnosis {
  /// What BlueZ knows of our machine. Without a scan it is unknown whether the machine is there, so
  /// devices that BlueZ remembers count.
  private var identity: MachineIdentity? {
    guard let adapter, let devices = levels.tree?.devices.values else { return nil }
    return MachineIdentity(
      among: devices.filter { $0.adapter == adapter.path },
      configuration: configuration,
      expected: remembered,
      acceptsNewAddress: false,
      memoryDecides: true,
      isInRange: { _ in true }
    )
  }

  /// The machine of an earlier good link, if it decides which machine is meant.
  private var remembered: RememberedMachine? {
    configuration.rememberedMachine(isSimulated: isSimulated)
  }

  var machineFindings: [Finding] {
    guard let adapter, let identity else { return [] }
    switch identity {
    case .none: return [unknownMachine]
    case .ambiguous(let devices):
      let list = devices.map { "\($0.address) \($0.name ?? "without a name")" }
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

  private var unknownMachine: Finding {
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
    guard device.isConnected else {
      // BlueZ reports a signal strength only while a program scans.
      let heard = device.rssi.map { ", heard just now at \($0) dBm" } ?? ""
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
    guard device.addressType == .public, adapter.classOfDevice != 0 else { return nil }
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
    let levels = if case .made(let trial)? = trial { trial.levels } else { levels }
    var linked = self
    linked.levels = levels
    guard case .one(let recognised)? = linked.identity, recognised.device.isConnected,
      recognised.device.areServicesResolved, let tree = levels.tree
    else { return [] }
    let profiles = recognised.by.allowed(of: configuration.profiles)
    let table = tree.table(of: recognised.device.path)
    do throws(CommandCharacteristic.Absence) {
      let chosen = try CommandCharacteristic(from: table, profiles: profiles)
      return [finding(on: chosen, tree.characteristics[chosen.path])]
    } catch {
      switch error {
      case .noneUsable(let found):
        return [.problem(.servicesUnknown, .noUsableCharacteristic(found))]
      case .ambiguous(let found):
        return [.problem(.servicesAmbiguous, .ambiguousCharacteristics(found))]
      }
    }
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
