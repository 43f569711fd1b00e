import DBus

// Connect, Disconnect and RemoveDevice (src/device.c, src/adapter.c).
extension Daemon {
  mutating func connect(_ call: Call, _ id: DeviceID) {
    guard let device = devices[id] else { return }
    if device.link != nil {
      reply(call)
      return
    }
    guard device.attempt == nil else {
      fail(
        call,
        version.namesPendingConnect ? BlueZFailure.inProgress : BlueZFailure.connectPending
      )
      return
    }
    guard adapters[id.adapter]?.isPowered == true else {
      fail(call, BlueZFailure.adapterDown)
      return
    }
    makePermanent(id)
    let plan = planAttempt(id)
    devices[id]?.attempt = ConnectAttempt(call: call, startedAt: now, end: plan.end)
    if let duration = plan.duration { alarms.set(.attempt(id), at: now + duration) }
  }

  private mutating func planAttempt(
    _ id: DeviceID
  ) -> (end: ConnectAttempt.End, duration: Duration?) {
    let timings = timings
    let fault = faults.strike(id.address) { kind -> (ConnectAttempt.End, Duration?)? in
      switch kind {
      case .refuseConnect(let error, let after): (.refusal(error), after ?? timings.connectFails)
      case .connectWithoutReply: (.silence, nil)
      case .connectWithoutLink: (.successWithoutLink, timings.connect)
      case .flap: (.flap(flapped: false), timings.connect)
      case .drop(.connecting): (.lossBeforeReply, timings.connect)
      default: nil
      }
    }
    if let fault { return fault }
    return isHeard(id) ? (.linkUp, timings.connect) : (.givingUp, timings.connectGivesUp)
  }

  /// The machine that a Connect was about to reach fell silent: BlueZ waits for it to the end.
  mutating func awaitMachine(_ id: DeviceID) {
    guard let attempt = devices[id]?.attempt else { return }
    devices[id]?.attempt?.end = .givingUp
    alarms.set(.attempt(id), at: max(now, attempt.startedAt + timings.connectGivesUp))
  }

  mutating func endAttempt(_ id: DeviceID) {
    guard let attempt = devices[id]?.attempt else { return }
    if attempt.end == .linkUp, !isHeard(id) {
      awaitMachine(id)
      return
    }
    if attempt.end == .flap(flapped: false) {
      setConnected(id, true)
      devices[id]?.attempt?.end = .flap(flapped: true)
      alarms.set(.attempt(id), at: now + timings.connectFails)
      return
    }
    devices[id]?.attempt = nil
    switch attempt.end {
    case .linkUp: linkUp(id, answering: attempt.call)
    case .givingUp: fail(attempt.call, BlueZFailure.abortByLocal)
    case .refusal(let error):
      fail(attempt.call, error)
      // MGMT Connect Failed takes an untrusted device's object at once
      // (`connect_failed_callback` in src/adapter.c).
      if error == BlueZFailure.abortByLocal, !isKept(id) { remove(id) }
    case .flap:
      setConnected(id, false)
      fail(attempt.call, BlueZFailure.abortByLocal)
      makeTemporary(id)
    case .lossBeforeReply:
      setConnected(id, true)
      setConnected(id, false)
      fail(attempt.call, BlueZFailure.canceled)
      makeTemporary(id)
    case .successWithoutLink: reply(attempt.call)
    case .silence: break
    }
  }

  mutating func disconnect(_ call: Call, _ id: DeviceID) {
    guard let device = devices[id] else { return }
    let ending = Device.Ending(call: call, removes: false)
    if device.link != nil {
      end(id, ending, after: timings.disconnect)
    } else if device.attempt != nil {
      cancelAttempt(id, answer: { .failure(BlueZFailure.canceled) })
      end(id, ending, after: timings.cancelConnect)
    } else if device.endings.isEmpty {
      // A device without a link is disconnected already.
      reply(call)
    } else {
      devices[id]?.endings.append(ending)
    }
  }

  mutating func removeDevice(_ call: Call, _ adapter: String) {
    guard adapters[adapter]?.isPowered == true else {
      fail(call, BlueZFailure.notReady)
      return
    }
    guard let path = call.arguments.first?.objectPath, case .device(let id) = Target(path),
      id.adapter == adapter, let device = devices[id]
    else {
      fail(call, BlueZFailure.doesNotExist)
      return
    }
    if device.link != nil {
      end(id, Device.Ending(call: call, removes: true), after: timings.disconnect)
    } else {
      devices[id]?.isPaired = false
      devices[id]?.isTrusted = false
      store(id)
      remove(id)
      reply(call)
    }
  }

  private mutating func end(_ id: DeviceID, _ ending: Device.Ending, after delay: Duration) {
    devices[id]?.endings.append(ending)
    if !alarms.contains(.disconnect(id)) { alarms.set(.disconnect(id), at: now + delay) }
  }

  mutating func finishDisconnect(_ id: DeviceID) {
    if devices[id]?.link != nil {
      linkDown(id, .local)
    } else {
      for ending in devices[id]?.endings ?? [] { reply(ending.call) }
      devices[id]?.endings = []
    }
  }

  /// Ends a pending Connect; one that a fault keeps silent stays so.
  mutating func cancelAttempt(_ id: DeviceID, answer: () -> Result<Void, DBusError>?) {
    guard let attempt = devices[id]?.attempt else { return }
    devices[id]?.attempt = nil
    alarms.cancel(.attempt(id))
    if devices[id]?.isConnected == true { setConnected(id, false) }
    guard attempt.end != .silence, let answer = answer() else {
      abandon(attempt.call)
      return
    }
    switch answer {
    case .success: reply(attempt.call)
    case .failure(let error): fail(attempt.call, error)
    }
  }

  /// Signals the level in a signal of its own.
  mutating func setConnected(_ id: DeviceID, _ isConnected: Bool) {
    devices[id]?.isConnected = isConnected
    outbox.append(.flush)
    change(id, ["Connected": .boolean(isConnected)])
  }
}
