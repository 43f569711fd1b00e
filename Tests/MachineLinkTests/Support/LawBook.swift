import BlueZ
import CourtLogic
import DBus
import MachineLink

/// Watches a machine from outside and says which of the link's laws it broke.
///
/// It knows only what goes in and what comes out, and keeps its own account of both.
struct LawBook {
  private struct Submission {
    var command: MachineCommand
    var decidedAt: MonotonicInstant
    var session: Int
    var written = 0
  }

  private(set) var violations: [String] = []
  private var submissions: [CommandID: Submission] = [:]
  private var resolved: [CommandID: WriteOutcome] = [:]
  private var stops: Set<CommandID> = []
  /// Writes that wait for an answer: the ball's, or nil for a stop.
  private var writes: [OperationID: CommandID?] = [:]
  private var requestStopsAnswered = 0
  private var commandStopsTaken = 0
  private var stopModes: [OperationID: WriteMode] = [:]
  private var lastBall: MonotonicInstant?
  private var timers: [LinkTimer.Purpose: LinkTimer] = [:]
  private var connects: [OperationID: ObjectPath] = [:]
  private var mustDisconnect: Set<ObjectPath> = []
  private var disconnects: [OperationID: ObjectPath] = [:]
  private var connectTimes: [MonotonicInstant] = []
  /// The adapter on which a scan was begun and not stopped.
  private var scan: ObjectPath?
  private var scanStarts: Set<OperationID> = []
  private var pinned: BluetoothAddress?
  private var endRequestedAt: MonotonicInstant?
  private var hasEnded = false
  /// Counts sessions: what was submitted in one must not leave in another.
  private var session = 0
  private var phase = LinkStatus.Phase.idle
  private var levels = BlueZState()

  var openCommands: Int { submissions.count + stops.count - resolved.count }

  mutating func before(_ event: LinkEvent, at now: MonotonicInstant) {
    switch event {
    case .submitted(let id, let command, let decidedAt):
      submissions[id] = Submission(command: command, decidedAt: decidedAt, session: session)
    case .stopRequested(let id):
      if stops.subtracting(resolved.keys).isEmpty {
        requestStopsAnswered = 0
        commandStopsTaken = 0
      }
      stops.insert(id)
    case .endRequested:
      endRequestedAt = endRequestedAt ?? now
    case .levelsChanged(let newer):
      levels = newer
      mustDisconnect = mustDisconnect.filter { newer.tree?.devices[$0] != nil }
      // BlueZ ends a scan with its client's bus connection, its own life and the adapter's power.
      if let adapter = scan, newer.tree?.adapters[adapter]?.isPowered != true { scan = nil }
    case .finished(let id, let error):
      if let mode = stopModes.removeValue(forKey: id), error == nil {
        if mode == .request { requestStopsAnswered += 1 } else { commandStopsTaken += 1 }
      }
      writes[id] = nil
      connects[id] = nil
      // A start that BlueZ refused is no scan; one that is "in progress" may be.
      if scanStarts.remove(id) != nil, let error, error.kind != .inProgress { scan = nil }
      if let device = disconnects.removeValue(forKey: id) { mustDisconnect.remove(device) }
    case .fired(let timer):
      if timers[timer.purpose] == timer { timers[timer.purpose] = nil }
      if timer.purpose == .stable, phase == .ready { connectTimes = [] }
    case .started:
      break
    }
  }

  mutating func after(
    _ event: LinkEvent,
    _ actions: [LinkAction],
    phase newPhase: LinkStatus.Phase,
    at now: MonotonicInstant
  ) {
    if phase == .ready, newPhase != .ready { session += 1 }
    for action in actions { check(action, during: newPhase, at: now) }
    phase = newPhase
    if let endRequestedAt, !hasEnded, now > endRequestedAt.advanced(by: .seconds(6)) {
      violations.append("law 1: not ended 6 s after it was asked to")
    }
  }

  /// At the very end, when nothing more can happen.
  mutating func close() {
    for id in submissions.keys where resolved[id] == nil {
      violations.append("law 3: command \(id.number) has no outcome")
    }
    for id in stops where resolved[id] == nil {
      violations.append("law 3: stop \(id.number) has no outcome")
    }
    if !hasEnded { violations.append("law 1: never ended") }
    if scan != nil { violations.append("law 9: a scan that was begun is not stopped") }
  }

  private mutating func check(
    _ action: LinkAction,
    during phase: LinkStatus.Phase,
    at now: MonotonicInstant
  ) {
    if hasEnded {
      switch action {
      case .resolve, .publish: break
      default: violations.append("law 1: \(action) after the end")
      }
    }
    switch action {
    case .begin(let id, let operation): check(id, operation, during: phase, at: now)
    case .abandon(let id):
      writes[id] = nil
      stopModes[id] = nil
      if let device = connects.removeValue(forKey: id) {
        if levels.tree?.devices[device] != nil { mustDisconnect.insert(device) }
      }
      if let device = disconnects.removeValue(forKey: id) { mustDisconnect.remove(device) }
    case .setTimer(let timer, _):
      if timers[timer.purpose] != nil {
        violations.append("law 9: two timers for \(timer.purpose)")
      }
      timers[timer.purpose] = timer
    case .cancelTimer(let timer):
      if timers[timer.purpose] == timer { timers[timer.purpose] = nil }
    case .resolve(let id, let outcome): check(id, outcome)
    case .publish: break
    case .ended: hasEnded = true
    }
  }

  private mutating func check(_ id: CommandID, _ outcome: WriteOutcome) {
    if resolved[id] != nil { violations.append("law 3: command \(id.number) ended twice") }
    resolved[id] = outcome
    if stops.contains(id) {
      if outcome == .delivered, requestStopsAnswered == 0 {
        violations.append("law 6: a stop called delivered was not acknowledged")
      }
      if outcome == .queued, commandStopsTaken < 3 {
        violations.append("law 6: an unacknowledged stop was sent fewer than three times")
      }
    } else if outcome == .delivered || outcome == .queued, submissions[id]?.written != 1 {
      violations.append("law 3: command \(id.number) called \(outcome.word) was not written once")
    }
  }

  private mutating func check(
    _ id: OperationID,
    _ operation: LinkOperation,
    during phase: LinkStatus.Phase,
    at now: MonotonicInstant
  ) {
    switch operation {
    case .write(let command, _, let mode):
      guard phase == .ready || phase == .shuttingDown else {
        violations.append("law 2: a write while \(phase)")
        return
      }
      if command == .stop {
        if stops.subtracting(resolved.keys).isEmpty {
          violations.append("law 6: a stop that nobody asked for")
        }
        stopModes[id] = mode
        writes[id] = .some(nil)
      } else {
        checkBall(id, command, at: now)
      }
    case .connect(let device):
      if mustDisconnect.contains(device) {
        violations.append("law 7: Connect before the Disconnect that clears the last one")
      }
      connects[id] = device
      connectTimes.append(now)
      for (limit, window) in [(6, Duration.seconds(30)), (16, .seconds(300))] {
        let from = now.advanced(by: .zero - window)
        if connectTimes.count(where: { $0 > from }) > limit {
          violations.append("law 8: more than \(limit) Connects in \(window)")
        }
      }
    case .disconnect(let device):
      disconnects[id] = device
    case .startDiscovery(let adapter, _):
      scan = adapter
      scanStarts.insert(id)
      checkAdapter(adapter)
      if levels.tree?.devices.values.contains(where: {
        $0.isConnected && $0.address == BluetoothAddress(World.machineAddress)
          && $0.adapter == adapter
      }) == true {
        violations.append("law 10: scanning for a machine that is linked")
      }
    case .stopDiscovery: scan = nil
    case .setPowered(_, let adapter): checkAdapter(adapter)
    case .openBus, .startService, .observe, .trust, .removeDevice: break
    }
  }

  private mutating func checkBall(
    _ operation: OperationID,
    _ command: MachineCommand,
    at now: MonotonicInstant
  ) {
    guard let id = submissions.first(where: { $0.value.command == command })?.key else {
      violations.append("law 4: a command that nobody gave: \(command)")
      return
    }
    if !writes.isEmpty { violations.append("law 2: two writes in flight") }
    if resolved[id] != nil {
      violations.append("law 4: command \(id.number) sent after its outcome")
    }
    if !stops.subtracting(resolved.keys).isEmpty {
      violations.append("law 6: a ball while a stop is on its way")
    }
    submissions[id]?.written += 1
    if submissions[id]!.written > 1 { violations.append("law 4: command \(id.number) sent again") }
    if submissions[id]!.decidedAt.duration(to: now) > .milliseconds(500) {
      violations.append("law 5: a stale command was sent")
    }
    if submissions[id]!.session != session {
      violations.append("law 5: a command survived a disconnect")
    }
    if let lastBall, lastBall.duration(to: now) < .milliseconds(2950) {
      violations.append("law 5: two balls within 2.95 s")
    }
    lastBall = now
    writes[operation] = .some(id)
  }

  private mutating func checkAdapter(_ path: ObjectPath) {
    guard let address = levels.tree?.adapters[path]?.address else { return }
    if let pinned, pinned != address {
      violations.append("law 10: another adapter is used than at first")
    }
    if levels.tree?.adapters[path]?.isPowered == true { pinned = address }
  }
}
