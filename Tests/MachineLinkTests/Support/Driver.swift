import BlueZ
import Clocks
import CourtLogic
import DBus
import MachineLink

@testable import TestSupport

/// Feeds a machine by hand and keeps what it says: for tests that tell one story.
struct Driver {
  var bluez: BlueZModel
  var machine: LinkStateMachine
  var now = MonotonicInstant.start
  private var mirror = BlueZMirror()
  private(set) var last: [LinkAction] = []
  private(set) var timers: [LinkTimer.Purpose: (timer: LinkTimer, at: MonotonicInstant)] = [:]
  private(set) var begun: [(id: OperationID, operation: LinkOperation)] = []
  private(set) var outcomes: [CommandID: WriteOutcome] = [:]
  private(set) var answers: [CommandID: MachineAnswer] = [:]
  private(set) var statuses: [LinkStatus] = []
  private(set) var hasEnded = false
  private var receipts: UInt64 = 0

  init(bluez: BlueZModel = BlueZModel(), configuration: LinkConfiguration = LinkConfiguration()) {
    self.bluez = bluez
    machine = LinkStateMachine(configuration: configuration, seed: 1, at: now)
  }

  var phase: LinkStatus.Phase { machine.state.phase }
  var fault: LinkFault? { statuses.last?.fault }

  /// The operations that wait for an answer, the oldest first.
  var open: [LinkOperation] { begun.map(\.operation) }

  mutating func feed(_ event: LinkEvent) {
    if case .finished(let id, _, _) = event { begun.removeAll { $0.id == id } }
    last = machine.handle(event, at: now)
    for action in last {
      switch action {
      case .begin(let id, let operation): begun.append((id, operation))
      case .abandon(let id): begun.removeAll { $0.id == id }
      case .setTimer(let timer, let instant): timers[timer.purpose] = (timer, instant)
      case .cancelTimer(let timer): timers[timer.purpose] = nil
      case .resolve(let id, let outcome): outcomes[id] = outcome
      case .answered(let id, let answer): answers[id] = answer
      case .publish(let status): statuses.append(status)
      case .ended: hasEnded = true
      }
    }
  }

  /// Changes BlueZ, and shows it.
  mutating func change(_ body: (inout BlueZModel) -> Void = { _ in }) {
    body(&bluez)
    mirror.catchUp(with: bluez)
    feed(.levelsChanged(mirror.state))
  }

  /// Changes BlueZ, and shows it by its signals alone.
  mutating func signal(_ body: (inout BlueZModel) -> Void) {
    let old = bluez
    body(&bluez)
    mirror.follow(bluez, since: old)
    feed(.levelsChanged(mirror.state))
  }

  /// Reads BlueZ's objects on a bus that passes no signals.
  mutating func readOnDeafBus() {
    mirror.catchUp(with: bluez)
    var levels = mirror.state
    levels.awaitsFirstSignal = true
    levels.revision = max(levels.revision, machine.levels.revision + 1)
    feed(.levelsChanged(levels))
  }

  /// Answers the oldest open operation.
  mutating func answer(_ error: BlueZError? = nil) {
    finish(begun[0].id, error)
  }

  mutating func finish(_ id: OperationID, _ error: BlueZError? = nil) {
    feed(.finished(id, error, receipt: nextReceipt()))
  }

  /// The machine says something, which is read at once.
  mutating func say(_ bytes: [UInt8]) {
    feed(.notified(bytes, receipt: nextReceipt()))
  }

  mutating func nextReceipt() -> UInt64 {
    receipts += 1
    return receipts
  }

  /// Lets time pass; timers fire at their instants.
  mutating func advance(by duration: Duration) {
    let end = now.advanced(by: duration)
    while let next = timers.values.min(by: { $0.at < $1.at }), next.at <= end {
      timers[next.timer.purpose] = nil
      now = max(now, next.at)
      feed(.fired(next.timer))
    }
    now = end
  }

  /// Goes from nothing to a ready link with BlueZ's first machine.
  mutating func becomeReady() {
    findCharacteristic()
    if machine.configuration.encoding.hasAnswers { answer() }  // notify
  }

  /// Goes from nothing to where a framed machine's answers are asked for; others are ready by then.
  mutating func findCharacteristic() {
    feed(.started)
    answer()
    change()
    if phase == .discovering {
      answer()  // start discovery
      advance(by: .seconds(2))
      answer()  // stop discovery
    }
    finishConnecting()
  }

  /// From a device that is to be connected to, to ready.
  mutating func finishConnecting() {
    answer()  // trust
    change { $0.peers[0].isConnected = true }
    answer()  // connect
    answer()  // observe: is there a link?
    change { $0.peers[0].isResolved = true }
    answer()  // observe: what is in it?
  }
}
