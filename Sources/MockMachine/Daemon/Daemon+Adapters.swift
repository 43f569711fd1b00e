import DBus

// Power, and controllers that come and go.
extension Daemon {
  mutating func setPowered(_ call: Call, _ name: String) {
    guard let adapter = adapters[name], let isOn = call.arguments.first?.bool else { return }
    if adapter.powerChange != nil {
      fail(call, BlueZFailure.powerBusy)
    } else if adapter.isPowered == isOn {
      reply(call)
    } else if isOn, blocked.contains(name) {
      // Kernel 6.1 says Failed, not Blocked. Observed.
      fail(call, BlueZFailure.blocked)
    } else {
      if !isOn { removeTemporaryDevices(name) }
      show(name, powerState: isOn ? "off-enabling" : "on-disabling")
      adapters[name]?.powerChange = Adapter.PowerChange(call: call, isOn: isOn)
      alarms.set(.power(name), at: now + timings.power)
    }
  }

  mutating func finishPowerChange(_ name: String) {
    guard let change = adapters[name]?.powerChange else { return }
    adapters[name]?.powerChange = nil
    alarms.cancel(.power(name))
    let isOn = change.isOn
    if let call = change.call, version.answersBeforeLinksEnd { reply(call) }
    if !isOn {
      for id in deviceIDs(on: name) {
        cancelAttempt(id, answer: { .failure(BlueZFailure.abortByLocal) })
        linkDown(id, .adapterOff)
      }
    }
    if let call = change.call, !version.answersBeforeLinksEnd { reply(call) }
    // Both levels come in one signal.
    if !isOn { endAllSessions(name) }
    guard adapters[name]?.isPowered != isOn else { return }
    adapters[name]?.isPowered = isOn
    self.change(adapter: name, ["Powered": .boolean(isOn)])
    show(name, powerState: powerState(of: name, isOn: isOn))
    // BlueZ signals the end of scans that never were, too.
    if !isOn { self.change(adapter: name, ["Discovering": .boolean(false)]) }
    publish(.powered(adapterName: name, on: isOn))
  }

  private mutating func show(_ name: String, powerState: String) {
    if version.showsMore { change(adapter: name, ["PowerState": .string(powerState)]) }
  }

  /// Another program, or rfkill, switches.
  mutating func switchPower(_ name: String, _ power: MockPowerSwitch) {
    switch power {
    case .blocked: blocked.insert(name)
    case .unblocked: blocked.remove(name)
    case .on, .off: break
    }
    let isOn = power == .on || power == .unblocked
    guard let adapter = adapters[name] else { return }
    if power == .off, adapter.isPowered { removeTemporaryDevices(name) }
    if isOn, !adapter.isPowered {
      show(name, powerState: "off-enabling")
      outbox.append(.flush)
    }
    adapters[name]?.powerChange = Adapter.PowerChange(call: adapter.powerChange?.call, isOn: isOn)
    finishPowerChange(name)
  }

  private mutating func removeTemporaryDevices(_ name: String) {
    for id in deviceIDs(on: name) where devices[id]?.isTemporary == true { remove(id) }
  }

  mutating func plugIn(_ adapter: MockAdapter) {
    pluggedIn[adapter.name] = adapter
    // Before bluetoothd has its objects there is nothing to add to.
    if isUp, !alarms.contains(.objects) { export(adapter, silently: false) }
  }

  mutating func unplug(_ name: String, _ answer: MockUnplugAnswer) {
    pluggedIn[name] = nil
    blocked.remove(name)
    guard let adapter = adapters[name] else { return }
    if adapter.isPowered, version.tellsUnpluggingFirst {
      change(adapter: name, ["Powered": .boolean(false)])
      outbox.append(.flush)
    }
    for id in deviceIDs(on: name) {
      cancelAttempt(id) {
        switch answer {
        case .success: .success(())
        case .error: .failure(BlueZFailure.abortByLocal)
        case .nothing: nil
        }
      }
      linkDown(id, .adapterGone)
    }
    endAllSessions(name)
    for id in deviceIDs(on: name) { remove(id) }
    if let call = adapter.powerChange?.call { abandon(call) }
    alarms.cancel(.power(name))
    if adapter.isPowered {
      change(adapter: name, ["Powered": .boolean(false), "Discovering": .boolean(false)])
      // bluetoothd still signals "on" here. Observed.
      show(name, powerState: "on")
    }
    outbox.append(.remove(.adapter(name)))
    adapters[name] = nil
  }

  // MARK: Device properties

  mutating func setTrusted(_ call: Call, _ id: DeviceID) {
    guard let device = devices[id], let isTrusted = call.arguments.first?.bool else { return }
    if device.isTrusted != isTrusted {
      devices[id]?.isTrusted = isTrusted
      change(id, ["Trusted": .boolean(isTrusted)])
      settleKeeping(id)
    }
    reply(call)
  }

  mutating func setPaired(_ id: DeviceID, _ isPaired: Bool) {
    guard let device = devices[id], device.isPaired != isPaired else { return }
    devices[id]?.isPaired = isPaired
    change(id, ["Paired": .boolean(isPaired), "Bonded": .boolean(isPaired)])
    settleKeeping(id)
  }

  private mutating func settleKeeping(_ id: DeviceID) {
    if isKept(id) {
      makePermanent(id)
    } else if devices[id]?.link == nil, devices[id]?.attempt == nil {
      makeTemporary(id)
    }
    store(id)
  }

  mutating func setAlias(_ call: Call, _ id: DeviceID) {
    guard let device = devices[id], let alias = call.arguments.first?.string else { return }
    devices[id]?.alias = alias.isEmpty ? nil : alias
    if let new = devices[id], self.alias(of: id, new) != self.alias(of: id, device) {
      change(id, ["Alias": .string(self.alias(of: id, new))])
    }
    store(id)
    reply(call)
  }
}
