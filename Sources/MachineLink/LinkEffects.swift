package import BlueZ
package import Clocks
package import CourtLogic
package import Host

/// What the link does about the event at hand, and what it has under way: its timers and the one
/// operation that it waits for.
///
/// Operations and timers are numbered, so that a stale answer or timer is recognised.
package struct LinkEffects: Hashable, Sendable {
  /// The time of the last event.
  package private(set) var now: MonotonicInstant
  /// The one operation, writes apart, whose answer the state waits for.
  package private(set) var pending: PendingOperation?
  /// The process that has the machine, while a stop is to reach it all the same.
  package var insistsAgainst: MachineHolder?
  /// Empty between events.
  private var actions: [LinkAction] = []
  private var timers: [LinkTimer.Purpose: LiveTimer] = [:]
  private var lastNumber: UInt64 = 0

  package struct PendingOperation: Hashable, Sendable {
    package let id: OperationID
    package let operation: LinkOperation
  }

  private struct LiveTimer: Hashable {
    let number: UInt64
    let instant: MonotonicInstant
  }

  package init(at now: MonotonicInstant) {
    self.now = now
  }

  /// An event has come. Time never goes back.
  package mutating func advance(to instant: MonotonicInstant) {
    now = max(now, instant)
  }

  package mutating func act(_ action: LinkAction) {
    actions.append(action)
  }

  /// The actions of the event, in order.
  package mutating func takeActions() -> [LinkAction] {
    defer { actions = [] }
    return actions
  }

  private mutating func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  // MARK: Operations

  /// Begins the one operation that the state now waits for.
  package mutating func begin(_ operation: LinkOperation, deadline: Duration) {
    abandonPending()
    let id = OperationID(number: nextNumber())
    pending = PendingOperation(id: id, operation: operation)
    act(
      .begin(id, insistsAgainst != nil && operation.canInsist ? .insisting(operation) : operation)
    )
    setTimer(.operation, after: deadline)
  }

  /// Begins a write; it has a deadline of its own.
  ///
  /// - Parameter isStop: whether it is the stop command.
  package mutating func beginWrite(
    _ command: MachineCommand,
    as encoding: CommandEncoding,
    to path: ObjectPath,
    mode: WriteMode,
    isStop: Bool = false,
    deadline: Duration
  ) -> OperationID {
    let id = OperationID(number: nextNumber())
    let write = LinkOperation.write(command, as: encoding, to: path, mode)
    act(.begin(id, isStop && insistsAgainst != nil ? .insisting(write) : write))
    setTimer(.write, after: deadline)
    return id
  }

  /// Takes the answer to the pending operation.
  ///
  /// - Returns: the operation; nil if the answer is to another one.
  package mutating func takeAnswer(to id: OperationID) -> LinkOperation? {
    guard let pending, pending.id == id else { return nil }
    self.pending = nil
    cancelTimer(.operation)
    return pending.operation
  }

  /// - Returns: the operation that is now given up; nil if there was none.
  @discardableResult
  package mutating func abandonPending() -> LinkOperation? {
    guard let pending else { return nil }
    self.pending = nil
    cancelTimer(.operation)
    act(.abandon(pending.id))
    return pending.operation
  }

  // MARK: Timers

  package mutating func setTimer(_ purpose: LinkTimer.Purpose, after delay: Duration) {
    setTimer(purpose, at: now.advanced(by: delay))
  }

  package mutating func setTimer(_ purpose: LinkTimer.Purpose, at instant: MonotonicInstant) {
    cancelTimer(purpose)
    let number = nextNumber()
    timers[purpose] = LiveTimer(number: number, instant: instant)
    act(.setTimer(LinkTimer(purpose: purpose, number: number), at: instant))
  }

  package mutating func cancelTimer(_ purpose: LinkTimer.Purpose) {
    guard let timer = timers.removeValue(forKey: purpose) else { return }
    act(.cancelTimer(LinkTimer(purpose: purpose, number: timer.number)))
  }

  package mutating func cancelTimers(except kept: Set<LinkTimer.Purpose>) {
    for purpose in LinkTimer.Purpose.allCases where !kept.contains(purpose) {
      cancelTimer(purpose)
    }
  }

  /// A timer has fired.
  ///
  /// - Returns: false if it was cancelled or set again before.
  package mutating func takeFired(_ timer: LinkTimer) -> Bool {
    guard timers[timer.purpose]?.number == timer.number else { return false }
    timers[timer.purpose] = nil
    return true
  }

  package func isSet(_ purpose: LinkTimer.Purpose) -> Bool { timers[purpose] != nil }

  /// When the timer fires; nil while it is not set.
  package func instant(of purpose: LinkTimer.Purpose) -> MonotonicInstant? {
    timers[purpose]?.instant
  }
}
