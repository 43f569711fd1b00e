import DBus

// Subscriptions (src/gatt-client.c), and what a machine sends by them.
extension Daemon {
  /// It is answered once the machine has taken the subscription. Without a link it succeeds at once,
  /// and counts from the next link on.
  mutating func startNotify(_ call: Call, _ id: DeviceID, _ handle: UInt16) {
    guard let device = devices[id],
      let characteristic = device.exported?.characteristic(handle)
    else { return }
    guard device.endings.isEmpty else {
      fail(call, BlueZFailure.notConnected)
      return
    }
    guard characteristic.canNotify else {
      fail(call, BlueZFailure.notSupported)
      return
    }
    switch (device.link != nil, device.notifySessions[handle]?.contains(call.sender) == true) {
    case (false, true): fail(call, BlueZFailure.inProgress)
    case (false, false): subscribe(call, id, handle)
    case (true, true): reply(call)
    case (true, false):
      let number = UInt64(nextNumber())
      subscriptions[number] = PendingSubscription(
        call: call,
        device: id,
        handle: handle,
        error: faults.strike(id.address) {
          if case .failNotify(let error) = $0 { error } else { nil }
        }
      )
      let delay = subscriptionDelay(id)
      alarms.set(.subscription(number), at: now + timings.writeRoundTrip + delay)
    }
  }

  mutating func finishSubscription(_ number: UInt64) {
    // A machine that is out of range answers nothing.
    guard let pending = subscriptions[number], devices[pending.device]?.link?.isDead == false else {
      return
    }
    subscriptions[number] = nil
    if let error = pending.error {
      fail(pending.call, error)
    } else {
      subscribe(pending.call, pending.device, pending.handle)
    }
  }

  private mutating func subscribe(_ call: Call, _ id: DeviceID, _ handle: UInt16) {
    devices[id]?.notifySessions[handle, default: []].insert(call.sender)
    if devices[id]?.link != nil { showNotifying(true, id, handle) }
    reply(call)
  }

  /// How long the machine takes for the subscriptions that a new link begins with. They come before
  /// all else that a client may ask for.
  mutating func renewalTime(_ id: DeviceID) -> Duration {
    guard let device = devices[id], device.notifySessions.values.contains(where: { !$0.isEmpty })
    else { return .zero }
    return subscriptionDelay(id)
  }

  /// How much longer the machine takes for its next subscription.
  private mutating func subscriptionDelay(_ id: DeviceID) -> Duration {
    faults.strike(id.address) { if case .slowNotify(let delay) = $0 { delay } else { nil } }
      ?? .zero
  }

  /// bluetoothd renews its clients' subscriptions. One that the machine refuses is over, without a
  /// sign: `Notifying` stays as it is.
  mutating func renewSubscriptions(_ id: DeviceID) {
    for (handle, clients) in (devices[id]?.notifySessions ?? [:]).sorted(by: { $0.key < $1.key })
    where !clients.isEmpty {
      let isRefused = faults.strike(id.address) { if case .failNotify = $0 { true } else { nil } }
      if isRefused == true {
        devices[id]?.notifySessions[handle] = nil
      } else {
        showNotifying(true, id, handle)
      }
    }
  }

  /// Fails what the machine has not answered yet; without an error it is never answered.
  mutating func endSubscriptions(
    with error: DBusError?,
    where isEnding: (PendingSubscription) -> Bool
  ) {
    for (number, pending) in subscriptions.sorted(by: { $0.key < $1.key }) where isEnding(pending) {
      subscriptions[number] = nil
      alarms.cancel(.subscription(number))
      if let error { fail(pending.call, error) } else { abandon(pending.call) }
    }
  }

  mutating func stopNotify(_ call: Call, _ id: DeviceID, _ handle: UInt16) {
    guard devices[id]?.notifySessions[handle]?.remove(call.sender) != nil else {
      fail(call, BlueZFailure.noNotifySession)
      return
    }
    if devices[id]?.notifySessions[handle]?.isEmpty == true { showNotifying(false, id, handle) }
    reply(call)
  }

  mutating func endNotifySessions(of client: String) {
    endSubscriptions(with: nil) { $0.call.sender == client }
    for id in devices.keys.sorted(by: { ($0.adapter, $0.address) < ($1.adapter, $1.address) }) {
      for (handle, clients) in devices[id]?.notifySessions ?? [:] where clients.contains(client) {
        devices[id]?.notifySessions[handle]?.remove(client)
        if clients.count == 1 { showNotifying(false, id, handle) }
      }
    }
  }

  private mutating func showNotifying(_ isOn: Bool, _ id: DeviceID, _ handle: UInt16) {
    guard let device = devices[id], device.notifying.contains(handle) != isOn else { return }
    if isOn {
      devices[id]?.notifying.insert(handle)
    } else {
      devices[id]?.notifying.remove(handle)
    }
    show(["Notifying": .boolean(isOn)], id, handle)
  }

  // MARK: Sending

  /// The machine sends a notification; each shows, also one that equals the last.
  mutating func notify(_ id: DeviceID, _ value: [UInt8]) {
    guard let notifier = room[id.address]?.peripheral.table.notifier,
      devices[id]?.notifySessions[notifier.handle]?.isEmpty == false,
      devices[id]?.link?.isDead == false
    else { return }
    outbox.append(.flush)
    showValue(value, id, notifier.handle)
    outbox.append(.flush)
  }

  /// The machine has taken a command: it accepts and later completes it, unless a fault says otherwise.
  mutating func answer(_ frame: MockFrame, _ id: DeviceID) {
    guard let link = devices[id]?.link, let checkByte = room[id.address]?.peripheral.checkByte
    else {
      return
    }
    let fault = faults.strike(id.address) {
      if case .answers(let fault) = $0 { fault } else { nil }
    }
    let late = faults.strike(id.address) {
      if case .lateAnswers(let delay) = $0 { delay } else { nil }
    }
    let answers: [MockFrame.Answer] =
      switch fault {
      case .missing: []
      case .refused: [.refused]
      case .incomplete: [.accepted]
      default: [.accepted, .completed]
      }
    var time = now + timings.answer + (late ?? .zero)
    for answer in answers {
      for _ in 0..<(fault == .doubled ? 2 : 1) {
        let number = UInt64(nextNumber())
        notifications[number] = PendingNotification(
          device: id,
          generation: link.generation,
          value: fault.spoil(answer, checkByte)
        )
        alarms.set(.notification(number), at: time)
      }
      time += frame.isStart ? timings.completion : timings.answer
    }
  }

  /// One that meets no link, or another one, is lost silently.
  mutating func deliverNotification(_ number: UInt64) {
    guard let notification = notifications.removeValue(forKey: number),
      devices[notification.device]?.link?.generation == notification.generation
    else { return }
    notify(notification.device, notification.value)
  }

  // MARK: Garbage

  mutating func setGarbage(_ garbage: Garbage?, of machine: MockAddress) {
    room[machine]?.garbage = garbage
    if let garbage {
      alarms.set(.garbage(machine), at: now + garbage.interval)
    } else {
      alarms.cancel(.garbage(machine))
    }
  }

  /// Sends garbage as a notification. Without a link the bytes are lost, and count all the same.
  mutating func sendGarbage(_ machine: MockAddress) {
    guard var garbage = room[machine]?.garbage, garbage.times.strike() else { return }
    let bytes = garbage.next()
    setGarbage(garbage.times.isSpent ? nil : garbage, of: machine)
    if let id = room[machine]?.link { notify(id, bytes) }
  }
}

extension MockAnswers? {
  /// The answer's bytes as they are sent.
  fileprivate func spoil(_ answer: MockFrame.Answer, _ checkByte: MockCheckByte) -> [UInt8] {
    var bytes = MockFrame.answer(answer, checkByte)
    switch self {
    case .wrongCheck:
      let good = MockCheckByte.allCases.map { $0(bytes.dropLast()) }
      bytes[4] = good.contains(~bytes[4]) ? bytes[4] ^ 1 : ~bytes[4]
    case .otherCheck: bytes = MockFrame.answer(answer, checkByte == .xor ? .modbus : .xor)
    case .cut: bytes.removeLast(2)
    default: break
    }
    return bytes
  }
}
