import BlueZ
package import Clocks
package import CourtLogic
import Host

/// The link to the ball machine: finds it, keeps it, and writes commands to it.
///
/// One `run()` for its whole life. All events go through ``LinkStateMachine``; this actor only
/// carries out its actions, in order, in one place.
package actor BallMachineLink {
  private var machine: LinkStateMachine
  private let central: any MachineCentral
  private let clock: any MonotonicClock
  private var operations: [OperationID: Task<Void, Never>] = [:]
  private var timers: [LinkTimer: MonotonicInstant] = [:]
  /// Rings for the first timer, or for one that is gone.
  private var alarm = Alarm(on: OneThread.tasks)
  private var commands: [CommandID: CheckedContinuation<WriteOutcome, Never>] = [:]
  private var listeners: [CommandID: CheckedContinuation<MachineAnswer, Never>] = [:]
  private var lastCommand: UInt64 = 0
  private var subscribers: [Int: AsyncStream<LinkStatus>.Continuation] = [:]
  private var lastSubscriber = 0
  private var endWaiters: [CheckedContinuation<Void, Never>] = []
  /// Whether the actions of an event are being carried out.
  private var isHandling = false
  private var hasEnded = false

  /// How many changes a subscriber may be behind before it misses the oldest.
  private static let statusBacklog = 64

  /// The link as it is now.
  package private(set) var status: LinkStatus

  package nonisolated var unownedExecutor: UnownedSerialExecutor { central.unownedExecutor }

  /// - Parameters:
  ///   - seed: of the back-off's jitter.
  package init(
    configuration: LinkConfiguration,
    central: any MachineCentral,
    clock: any MonotonicClock = SystemClock(),
    seed: UInt64 = .random(in: .min ... .max)
  ) {
    self.central = central
    self.clock = clock
    let now = clock.now
    machine = LinkStateMachine(configuration: configuration, seed: seed, at: now)
    status = LinkStatus(since: now)
  }

  /// Links and relinks until ``end()``, or until the task is cancelled, which asks for the same.
  package func run() async {
    // No children of this task: its cancellation would keep the link from being ended in order.
    let parts = [
      OneThread.task { [central] in await central.run() },
      OneThread.task { await self.follow() },
      OneThread.task { await self.listen() },
    ]
    await withTaskCancellationHandler {
      handle(.started)
      await hasReachedEnd()
    } onCancel: {
      OneThread.task { await self.requestEnd() }
    }
    await central.close()
    for part in parts { await part.value }
  }

  /// Ends the link within 6 s: last writes, no more scanning, the machine free for others.
  package func end() async {
    requestEnd()
    await hasReachedEnd()
  }

  /// Sends the stop command as the link's last write, and asks the link to end; ``end()`` waits for
  /// that.
  ///
  /// - Returns: the outcome of the stop command, which has a second to be acknowledged; 3 s where the
  ///   machine answers.
  package func sendLastStop() async -> WriteOutcome {
    let id = nextCommand()
    return await outcome(of: id, .stopRequested(id), then: { requestEnd() })
  }

  private func follow() async {
    for await levels in central.levels { handle(.levelsChanged(levels)) }
  }

  private func listen() async {
    for await (bytes, receipt) in central.notifications {
      handle(.notified(bytes, receipt: receipt))
    }
  }

  private func requestEnd() {
    handle(.endRequested)
  }

  private func hasReachedEnd() async {
    guard !hasEnded else { return }
    await withCheckedContinuation { endWaiters.append($0) }
  }

  // MARK: Commands

  /// Sends one ball command.
  ///
  /// - Parameters:
  ///   - command: written once, never repeated.
  ///   - decidedAt: when it was decided, on the link's clock; 0.5 s later it is stale.
  package func launch(
    _ command: MachineCommand,
    decidedAt: MonotonicInstant
  ) async -> LaunchedCommand {
    let id = nextCommand()
    let outcome = await outcome(of: id, .submitted(id, command, decidedAt: decidedAt))
    let isAnswered = machine.lanes.answers.answer(to: id) != nil
    return LaunchedCommand(id: id, outcome: outcome, expectsAnswer: isAnswered)
  }

  /// The machine's answer to the last command that was launched: when it comes, or after 2 s.
  ///
  /// - Returns: nil if there is none to expect.
  package func answer(to id: CommandID) async -> MachineAnswer? {
    guard let (answer, isSettled) = machine.lanes.answers.answer(to: id) else { return nil }
    guard !isSettled, !hasEnded else { return answer }
    return await withCheckedContinuation { listeners[id] = $0 }
  }

  /// Sends the machine's stop command ahead of all others, again and again until it is
  /// acknowledged, on this link or the next one. Returns when it is, or when the link ends.
  package func sendStop() async -> WriteOutcome {
    let id = nextCommand()
    return await outcome(of: id, .stopRequested(id))
  }

  /// Whether the stop command that ``sendStop()`` still sends may have reached the machine.
  package var stopMayHaveArrived: Bool { machine.lanes.stopMayHaveArrived }

  /// Why it does not get through on this link; nil if that isn't known.
  package var stopFailure: WriteOutcome? { machine.lanes.stopFailure }

  private func nextCommand() -> CommandID {
    lastCommand += 1
    return CommandID(number: lastCommand)
  }

  private func outcome(
    of id: CommandID,
    _ event: LinkEvent,
    then next: () -> Void = {}
  ) async -> WriteOutcome {
    await withCheckedContinuation { continuation in
      commands[id] = continuation
      handle(event)
      next()
    }
  }

  /// A person has said that this device is our machine. The caller keeps that for the next run.
  package func adopt(_ machine: AdoptedMachine) { handle(.adopted(machine)) }

  // MARK: Status

  /// The present status, then every change of it.
  package func statuses() -> AsyncStream<LinkStatus> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: LinkStatus.self,
      bufferingPolicy: .bufferingNewest(Self.statusBacklog)
    )
    continuation.yield(status)
    guard !hasEnded else {
      continuation.finish()
      return stream
    }
    lastSubscriber += 1
    let id = lastSubscriber
    subscribers[id] = continuation
    continuation.onTermination = { _ in OneThread.task { await self.unsubscribe(id) } }
    return stream
  }

  /// Returns when commands can be written.
  ///
  /// - Returns: false when the link has ended instead.
  package func waitUntilReady() async -> Bool {
    for await status in statuses() where status.phase == .ready { return true }
    return false
  }

  private func unsubscribe(_ id: Int) {
    subscribers[id] = nil
  }

  // MARK: The funnel

  private func handle(_ event: LinkEvent) {
    isHandling = true
    defer { isHandling = false }
    for action in machine.handle(event, at: clock.now) { carryOut(action) }
  }

  private func carryOut(_ action: LinkAction) {
    switch action {
    case .begin(let id, let operation):
      // Begins here and now. In a job of its own, a ball that a stop has overtaken would leave after
      // the stop command.
      operations[id] = Task.immediate(executorPreference: OneThread.tasks) { [central] in
        let answer = await central.perform(operation)
        // Already through: its answer is an event of its own.
        if isHandling { await OneThread.yield() }
        guard !Task.isCancelled else { return }
        self.finished(id, answer)
      }
    case .abandon(let id):
      operations.removeValue(forKey: id)?.cancel()
    case .setTimer(let timer, let instant):
      timers[timer] = instant
      setAlarm()
    case .cancelTimer(let timer):
      timers[timer] = nil
    case .resolve(let id, let outcome):
      commands.removeValue(forKey: id)?.resume(returning: outcome)
    case .answered(let id, let answer):
      listeners.removeValue(forKey: id)?.resume(returning: answer)
    case .publish(let status):
      self.status = status
      for subscriber in subscribers.values { subscriber.yield(status) }
    case .ended:
      finish()
    }
  }

  private func finished(_ id: OperationID, _ answer: OperationAnswer) {
    guard operations.removeValue(forKey: id) != nil else { return }
    // The answer is judged by the levels that came before it.
    if let levels = answer.levels { handle(.levelsChanged(levels)) }
    handle(.finished(id, answer.error, receipt: answer.receipt))
  }

  // MARK: Timers

  private func setAlarm() {
    guard let first = timers.values.min() else { return }
    alarm.set(noLaterThan: first, on: clock, tolerance: nil) { await self.rang(at: $0) }
  }

  private func rang(at instant: MonotonicInstant) {
    guard alarm.takeRing(at: instant) else { return }
    let now = clock.now
    for (timer, due) in timers.filter({ $0.value <= now }).sorted(by: { $0.value < $1.value })
    where timers[timer] == due {
      timers[timer] = nil
      handle(.fired(timer))
    }
    setAlarm()
  }

  private func finish() {
    hasEnded = true
    for task in operations.values { task.cancel() }
    operations = [:]
    for listener in listeners.values { listener.resume(returning: .none) }
    listeners = [:]
    timers = [:]
    alarm.cancel()
    for subscriber in subscribers.values { subscriber.finish() }
    subscribers = [:]
    for waiter in endWaiters { waiter.resume() }
    endWaiters = []
  }
}

/// A command that was handed to the link, and its outcome.
package struct LaunchedCommand: Hashable, Sendable {
  package let id: CommandID
  package let outcome: WriteOutcome
  /// Whether ``BallMachineLink/answer(to:)`` gives the machine's answer.
  package let expectsAnswer: Bool
}
