package import Clocks
package import DBus
import Host

/// A fake bluetoothd, in one of its versions, with the machines around it, on any bus.
///
/// ```
///  method calls ─┐                        ┌─▶ replies, signals, objects (ObjectServer)
///  verbs ────────┼─▶ inbox ─▶ Daemon ─────┼─▶ events
///  alarms ───────┘   (one    (a value)    └─▶ the next alarm
///                     by one)
/// ```
///
/// ``start()`` takes the name `org.bluez`; ``run()`` serves until ``stop()``.
package actor MockBlueZ {
  private enum Item {
    case call(String, [Value], IncomingCall)
    case clientLeft(String)
    case verb(MockVerb, CheckedContinuation<Void, any Error>)
    case alarm
    case presenceEnded(Int)
  }

  /// What happens, for one reader; the newest 65,536 while there is none.
  package nonisolated let events: AsyncStream<MockEvent>

  /// How many events there were so far.
  package private(set) var published = 0

  private let bus: BusAddress
  private let clock: any MonotonicClock
  private let continuation: AsyncStream<MockEvent>.Continuation
  private let wakeups: AsyncStream<Void>
  private let waker: AsyncStream<Void>.Continuation

  private var daemon: Daemon
  private var presence: BusPresence?
  private var appearances = 0
  private var calls: [UInt64: IncomingCall] = [:]
  private var callCount: UInt64 = 0
  private var inbox: [Item] = []
  private var isStopped = false
  private var alarm = Clocks.Alarm(on: OneThread.tasks)

  /// - Parameters:
  ///   - bus: as on the command line: `system`, `session` or an address.
  ///   - version: which bluetoothd it plays.
  ///   - clock: what all waits sleep on, and the events' time; by default `CLOCK_BOOTTIME`.
  package init(
    bus: String,
    model: MockModel = .oneMachine,
    timings: MockTimings = MockTimings(),
    version: MockVersion = .standard,
    clock: any MonotonicClock = SystemClock()
  ) {
    self.bus = BusAddress(option: bus)
    self.clock = clock
    daemon = Daemon(model, timings: timings, version: version)
    (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(65_536))
    (wakeups, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Exports the objects and takes the name. Calls are answered once ``run()`` runs.
  ///
  /// Fails when the bus can't be reached, or when `org.bluez` is owned (`addressInUse`): a real
  /// bluetoothd on this bus, or another mock.
  package func start() async throws(DBusError) {
    try await appear(exporting: daemon.start(at: clock.now.sinceStart))
    publish(.up)
  }

  /// Serves until ``stop()``, cancellation or the end of the bus.
  package func run() async {
    await withDiscardingTaskGroup { group in
      if let presence { serve(presence, in: &group) }
      serving: for await _ in wakeups {
        while !isStopped, !inbox.isEmpty {
          guard await handle(inbox.removeFirst(), in: &group) else { break serving }
        }
        if isStopped { break }
        setAlarm()
      }
      await end()
      group.cancelAll()
    }
  }

  /// Ends ``run()``: the name and the objects go as when bluetoothd dies.
  package func stop() {
    isStopped = true
    waker.yield()
  }

  /// Does a verb; returns when its effects are on the bus. ``MockVerb/wait(_:)`` sleeps,
  /// ``MockVerb/quit`` stops, ``MockVerb/help`` does nothing: its text is ``MockVerb/helpText``.
  ///
  /// Throws a ``MockVerbError`` that says why it can't be done now. Needs ``run()``.
  package func perform(_ verb: MockVerb) async throws {
    switch verb {
    case .wait(let duration): try await clock.sleep(for: duration)
    case .help: break
    case .quit: stop()
    default:
      try await withCheckedThrowingContinuation { continuation in
        enqueue(.verb(verb, continuation))
      }
    }
  }

  /// What a machine received, in order, from its first day on.
  package func received(by machine: MockAddress) -> [MockWrite] {
    daemon.room[machine]?.received ?? []
  }

  // MARK: The loop

  private func enqueue(_ item: Item) {
    guard !isStopped else {
      refuse(item)
      return
    }
    inbox.append(item)
    waker.yield()
  }

  private func refuse(_ item: Item) {
    guard case .verb(_, let continuation) = item else { return }
    continuation.resume(throwing: MockVerbError("the mock has stopped"))
  }

  /// False when the mock can't go on.
  private func handle(_ item: Item, in group: inout DiscardingTaskGroup) async -> Bool {
    let now = clock.now.sinceStart
    switch item {
    case .call(let method, let arguments, let incoming):
      callCount += 1
      calls[callCount] = incoming
      let call = Call(
        id: callCount,
        sender: incoming.sender,
        path: incoming.path,
        method: method,
        arguments: arguments
      )
      return await apply(daemon.call(call, at: now), in: &group)
    case .clientLeft(let client):
      return await apply(daemon.clientLeft(client, at: now), in: &group)
    case .alarm:
      return await apply(daemon.tick(at: now), in: &group)
    case .verb(let verb, let continuation):
      let (effects, error) = daemon.perform(verb, at: now)
      let canGoOn = await apply(effects, in: &group)
      if let error {
        continuation.resume(throwing: error)
      } else {
        continuation.resume()
      }
      return canGoOn
    case .presenceEnded(let number):
      // Not by us: the bus is gone.
      return presence?.number != number
    }
  }

  /// Carries out effects in their order, the events of each part after its effects.
  private func apply(_ effects: [Effect], in group: inout DiscardingTaskGroup) async -> Bool {
    var part: [Effect] = []
    for effect in effects {
      switch effect {
      case .goDown:
        await send(part)
        part = []
        await vanish()
      case .comeUp:
        await send(part)
        part = []
        do {
          let presence = try await appear(exporting: [])
          serve(presence, in: &group)
        } catch {
          return false
        }
      default: part.append(effect)
      }
    }
    await send(part)
    return true
  }

  private func send(_ effects: [Effect]) async {
    if let presence, !effects.isEmpty {
      calls = await presence.server.apply(effects, answering: calls) { [weak self] in
        await self?.enqueue(.call($0, $1, $2))
      }
    }
    for case .publish(let kind) in effects { publish(kind) }
  }

  private func publish(_ kind: MockEvent.Kind) {
    published += 1
    continuation.yield(MockEvent(kind: kind, time: clock.now.seconds))
  }

  // MARK: The bus

  @discardableResult
  private func appear(exporting objects: [Effect]) async throws(DBusError) -> BusPresence {
    appearances += 1
    let presence = try await BusPresence.open(bus, number: appearances)
    self.presence = presence
    await send(objects)
    do throws(DBusError) {
      try await presence.connection.requestName("org.bluez")
    } catch {
      await vanish()
      throw error
    }
    return presence
  }

  private func vanish() async {
    guard let presence else { return }
    self.presence = nil
    calls = [:]
    await presence.connection.close()
  }

  private func serve(_ presence: BusPresence, in group: inout DiscardingTaskGroup) {
    group.addTask {
      await presence.server.run { await self.admits($0) }
      await self.enqueue(.presenceEnded(presence.number))
    }
    group.addTask {
      for await signal in presence.clients {
        if let client = signal.departedClient { await self.enqueue(.clientLeft(client)) }
      }
    }
  }

  /// Faults strike the methods that every object has too. A delay holds up the calls behind it as
  /// well: bluetoothd has one thread.
  private func admits(_ call: IncomingCall) async -> Bool {
    guard call.interface?.hasPrefix("org.freedesktop.DBus.") == true, call.member != "Set" else {
      return true
    }
    switch daemon.faults.strike(method: call.member) {
    case .failure(let error):
      await presence?.server.fail(call, error)
      return false
    case .hang: return false
    case nil: break
    }
    if let delay = daemon.faults.delays[call.member] { try? await clock.sleep(for: delay) }
    return true
  }

  private func end() async {
    isStopped = true
    alarm.cancel()
    for item in inbox { refuse(item) }
    inbox = []
    if presence != nil { publish(.down) }
    await vanish()
    continuation.finish()
  }

  // MARK: Time

  /// Sleeps until the daemon's next deadline.
  private func setAlarm() {
    guard let deadline = daemon.nextDeadline else { return }
    let instant = MonotonicInstant(sinceStart: deadline)
    alarm.set(noLaterThan: instant, on: clock, tolerance: nil) { await self.ring(at: $0) }
  }

  private func ring(at instant: MonotonicInstant) {
    if alarm.takeRing(at: instant) { enqueue(.alarm) }
  }
}
