import BlueZ
import Clocks
import CourtLogic
import DBus
import MachineLink

/// A law of the link that was broken, and how.
struct Breach: Hashable, CustomStringConvertible {
  enum Law: Int, Hashable {
    /// Those that stand above ``LinkStateMachine``.
    case end = 1, readyWrites, oneOutcome, neverResent, oneSlot, stopLane, disconnectAwaited
    case backOff, timersAndScans, adoption, answers, oneWriter, endsInScans
    /// That it comes back, once all is well.
    case recovery
    /// A law that only a test of the shrinking knows.
    case planted
  }

  var law: Law
  var how: String

  var description: String {
    switch law {
    case .recovery: "recovery: \(how)"
    case .planted: "planted law: \(how)"
    default: "law \(law.rawValue): \(how)"
    }
  }
}

/// Watches a machine from outside and says which of the link's laws it broke.
///
/// It knows only what goes in and what comes out, and keeps its own account of both.
struct LawBook {
  private struct Submission {
    var id: CommandID
    var decidedAt: MonotonicInstant
    var connection: Int
    var isWritten = false
  }

  private enum Write {
    case ball(CommandID)
    /// - Parameter isClear: whether it began when no answer could be a ball's any more.
    case stop(WriteMode, isClear: Bool)
  }

  private(set) var breaches: [Breach] = []

  // MARK: Commands

  private var submissions: [MachineCommand: Submission] = [:]
  private var commands: [CommandID: MachineCommand] = [:]
  private var outcomes: [CommandID: WriteOutcome] = [:]
  private var openStops: Set<CommandID> = []
  private var newest: CommandID?
  /// The characteristic that was last written to.
  private var characteristic: ObjectPath?
  /// Writes that wait for an answer.
  private var writes: [OperationID: Write] = [:]
  private var stopsAcknowledged = 0
  private var stopsTaken = 0
  private var lastBall: MonotonicInstant?
  /// When a ball's write was last answered, or given up.
  private var lastBallSettled: MonotonicInstant?
  /// Counts connections: what was submitted in one must not leave in another.
  private var connection = 0

  // MARK: The link

  private var phase = LinkStatus.Phase.idle
  /// SIM or REAL, as the last objects showed.
  private var isSimulated: Bool?
  private var levels = BlueZState()
  private var timers: [LinkTimer.Purpose: LinkTimer] = [:]
  private var connects: [OperationID: ObjectPath] = [:]
  private var disconnects: [OperationID: (device: ObjectPath, since: MonotonicInstant)] = [:]
  /// Links that another program has made, as far as the levels tell.
  private var foreignLinks: Set<ObjectPath> = []
  /// Devices to which a Connect of ours was begun since they were last without a link.
  private var ourLinks: Set<ObjectPath> = []
  /// Links that a Connect of ours has brought for certain, and that have not fallen. What a stop command made
  /// of a machine that another process has is not touched any more.
  private var madeLinks: Set<ObjectPath> = []
  private var insistedConnects: Set<OperationID> = []
  /// The device of the link that served when the end was asked for, if another program made that link.
  private var mustStayUp: ObjectPath?
  /// The same, if we made it, until a Disconnect begins.
  private var mustBeEnded: ObjectPath?
  /// Devices of which a Connect was given up, until the answer to a Disconnect.
  private var mustDisconnect: Set<ObjectPath> = []
  private var connectTimes: [MonotonicInstant] = []
  private var linkedBefore: Set<ObjectPath> = []
  private var linkOwner: String?
  /// The device of the last link that was ready.
  private var readyDevice: ObjectPath?
  /// The adapter on which a scan was begun and not stopped.
  private var scan: ObjectPath?
  private var scanStarts: Set<OperationID> = []
  /// How much the scan that was begun last asks for: less is more.
  private var scanRank = 0
  /// When bluetoothd ended in a scan of ours, and how much that asked for, since the last other version.
  private var ends: [(at: MonotonicInstant, rank: Int)] = []
  private var pinned: BluetoothAddress?
  /// Whether there was a link through it: then it holds, whatever comes.
  private var isLinked = false
  /// What was asked of which adapter, and the adapters that refused: others may be used in their place.
  private var adapterCalls: [OperationID: ObjectPath] = [:]
  private var unfit: Set<ObjectPath> = []
  /// Those of them that have gone since: another one may have taken their place by then.
  private var goneUnfit: Set<BluetoothAddress> = []
  /// BlueZ's objects when they were known last.
  private var lastTree: ObjectTree?
  private var switchedOff: ObjectPath?
  private var mayChangeAdapter: Bool
  /// The adapter of the remembered machine: it comes first until there is a link.
  private let rememberedAdapter: BluetoothAddress?
  private let encoding: CommandEncoding
  /// The last ball that was written on this link, and the best that the machine said since then,
  /// within 2 s.
  private var ballInFlight: (id: CommandID, writtenAt: MonotonicInstant, heard: Set<MachineAnswer>)?
  private var answered: Set<CommandID> = []
  /// Whether the machine confirmed the stop command that is on its way, when no ball's answer could
  /// come any more.
  private var stopIsConfirmed = false
  /// When a stop command was first written on this link.
  private var stopWrittenAt: MonotonicInstant?
  /// When the first clear write of one was answered since: its receipt.
  private var stopThroughAt: UInt64?
  /// Whether the last write of one on the last link failed.
  private var stopFailed = false
  /// When the last write of one began or ended, on any link.
  private var lastStop: MonotonicInstant?
  /// When the program began, and perhaps the last ball of the program before it was written.
  private let start: MonotonicInstant
  private var machines: Set<BluetoothAddress>
  /// The one of them that it is, once that is known.
  private var ours: BluetoothAddress?
  private var mustEndBy: MonotonicInstant?
  private var hasEnded = false
  /// Whether the answers of the machine that was linked last come in.
  private var isHeard = false
  /// Whether the box stood still after the link was asked to end.
  private var stalledOnTheWayOut = false

  /// - Parameters:
  ///   - machines: the addresses that are ours.
  ///   - mayChangeAdapter: whether another adapter may be taken when the first one is missing.
  init(
    machines: Set<BluetoothAddress>,
    mayChangeAdapter: Bool,
    rememberedAdapter: BluetoothAddress? = nil,
    encoding: CommandEncoding = .digits,
    at now: MonotonicInstant
  ) {
    self.encoding = encoding
    self.rememberedAdapter = rememberedAdapter
    start = now
    self.machines = machines
    if machines.count == 1 { ours = machines.first }
    self.mayChangeAdapter = mayChangeAdapter
  }

  /// Whether a stop that was written waits for the machine's own word.
  var awaitsWord: Bool {
    encoding.hasAnswers && !openStops.isEmpty && stopsAcknowledged + stopsTaken > 0
  }

  private var leastInterval: Duration {
    encoding.hasAnswers ? .milliseconds(1950) : .milliseconds(2950)
  }

  private mutating func report(_ law: Breach.Law, _ how: String) {
    breaches.append(Breach(law: law, how: how))
  }

  mutating func reportPlanted(_ how: String) { report(.planted, how) }

  mutating func reportNoRecovery(_ how: String) { report(.recovery, how) }

  /// The box stood still for so long: nobody can be blamed for what did not happen meanwhile.
  mutating func clockStalled(for duration: Duration) {
    mustEndBy = mustEndBy?.advanced(by: duration)
    stalledOnTheWayOut = stalledOnTheWayOut || mustEndBy != nil
  }

  // MARK: Events

  mutating func before(_ event: LinkEvent, at now: MonotonicInstant) {
    switch event {
    case .submitted(let id, let command, let decidedAt):
      submissions[command] = Submission(id: id, decidedAt: decidedAt, connection: connection)
      commands[id] = command
      newest = id
    case .stopRequested(let id):
      if openStops.isEmpty {
        stopsAcknowledged = 0
        stopsTaken = 0
        stopIsConfirmed = false
        stopWrittenAt = nil
        stopThroughAt = nil
        stopFailed = false
      }
      openStops.insert(id)
    case .endRequested:
      if mustEndBy == nil, phase == .ready, let readyDevice, foreignLinks.contains(readyDevice) {
        mustStayUp = readyDevice
      }
      if mustEndBy == nil, phase == .ready, let readyDevice, madeLinks.contains(readyDevice) {
        mustBeEnded = readyDevice
      }
      mustEndBy = mustEndBy ?? now.advanced(by: .seconds(6))
    case .levelsChanged(let newer):
      if newer.revision > levels.revision {
        noteEnd(newer, at: now)
        noteLevels(newer)
      }
    case .finished(let id, let error, let receipt):
      switch writes.removeValue(forKey: id) {
      case .stop(let mode, let isClear):
        lastStop = now
        if stopWrittenAt != nil { stopFailed = error != nil }
        guard error == nil else { break }
        if isClear, stopWrittenAt != nil { stopThroughAt = stopThroughAt ?? receipt }
        if mode == .request { stopsAcknowledged += 1 } else { stopsTaken += 1 }
      case .ball: lastBallSettled = now
      case nil: break
      }
      if let device = connects.removeValue(forKey: id) {
        let isInsisted = insistedConnects.remove(id) != nil
        if error == nil, linkedBefore.contains(device) {
          if !isInsisted { madeLinks.insert(device) }
        } else if let error, !linkedBefore.contains(device), error.kind != .timedOut,
          error.kind != .inProgress
        {
          ourLinks.remove(device)
        }
      }
      if let adapter = adapterCalls.removeValue(forKey: id) {
        if error != nil { unfit.insert(adapter) }
      }
      // A start that BlueZ refused is no scan; one that is "in progress" may be.
      if scanStarts.remove(id) != nil, let error, error.kind != .inProgress { scan = nil }
      if let (device, _) = disconnects.removeValue(forKey: id) { mustDisconnect.remove(device) }
    case .fired(let timer):
      if timers[timer.purpose] == timer { timers[timer.purpose] = nil }
      if timer.purpose == .stable, phase == .ready { connectTimes = [] }
    case .notified(let bytes, let receipt): noteSaid(bytes, receipt, at: now)
    case .adopted(let machine): machines.insert(machine.address)
    case .started:
      break
    }
  }

  private mutating func noteSaid(_ bytes: [UInt8], _ receipt: UInt64, at now: MonotonicInstant) {
    guard encoding.hasAnswers, bytes.count == 5, bytes.starts(with: [0x5A, 0xA5, 0x82]),
      CheckByte.allCases.contains(where: { $0.of(bytes.dropLast()) == bytes[4] }), bytes[3] <= 2
    else { return }
    let answer = [MachineAnswer.refused, .accepted, .completed][Int(bytes[3])]
    if !openStops.isEmpty, stopWrittenAt != nil {
      if let stopThroughAt, receipt > stopThroughAt, answer != .refused { stopIsConfirmed = true }
    } else if let ball = ballInFlight, ball.writtenAt.duration(to: now) <= .seconds(2) {
      if let lastStop, lastStop.duration(to: now) <= .seconds(2) { return }
      ballInFlight?.heard.insert(answer)
    }
  }

  private mutating func check(_ id: CommandID, _ answer: MachineAnswer) {
    let name = "command \(id.number)"
    if !answered.insert(id).inserted { report(.answers, "\(name) was answered twice") }
    if outcomes[id] == nil { report(.answers, "\(name) was answered before its outcome") }
    if ballInFlight?.id != id {
      report(.answers, "\(name) was answered, and is not the command in flight")
    } else if answer != .none, ballInFlight?.heard.contains(answer) != true {
      report(.answers, "\(name) got an answer that the machine did not give")
    }
  }

  private mutating func noteLevels(_ newer: BlueZState) {
    levels = newer
    let tree = newer.tree
    if let tree, tree.isSimulated || !tree.adapters.isEmpty {
      let isSimulated = tree.isSimulated
      if let before = self.isSimulated, before != isSimulated {
        ours = machines.count == 1 ? machines.first : nil
        madeLinks = []
      }
      self.isSimulated = isSimulated
    }
    mustDisconnect = mustDisconnect.filter { path in
      guard let device = tree?.devices[path] else { return false }
      return tree?.adapters[device.adapter]?.isPowered == true
    }
    if let tree {
      let gone = unfit.filter { tree.adapters[$0] == nil }
      goneUnfit.formUnion(gone.compactMap { lastTree?.adapters[$0]?.address })
      unfit.subtract(gone)
      lastTree = tree
    }
    noteLinks(of: newer)
    // BlueZ ends a scan with its client's bus connection, its own life and the adapter's power.
    if let adapter = scan, tree?.adapters[adapter]?.isPowered != true { scan = nil }
  }

  /// Whose links there are: one is ours from our Connect until it falls.
  private mutating func noteLinks(of newer: BlueZState) {
    // All links end with bluetoothd, and none with the bus.
    if newer.isBusConnected, let linkOwner, newer.owner != linkOwner { ourLinks = [] }
    if newer.isBusConnected { linkOwner = newer.owner }
    guard let tree = newer.tree else {
      linkedBefore = []
      foreignLinks = []
      madeLinks = []
      mustBeEnded = nil
      return
    }
    let linked = tree.devices.values.filter(\.isConnected)
    let linkedNow = Set(linked.map(\.path))
    // What Connect brings may show only later.
    ourLinks = ourLinks.filter { !linkedBefore.contains($0) || linkedNow.contains($0) }
    foreignLinks = linkedNow.subtracting(ourLinks)
    linkedBefore = linkedNow
    if let path = mustStayUp, !foreignLinks.contains(path) { mustStayUp = nil }
    madeLinks.formIntersection(ourLinks)
    if let path = mustBeEnded, !madeLinks.contains(path) { mustBeEnded = nil }
  }

  mutating func after(
    _ event: LinkEvent,
    _ actions: [LinkAction],
    phase newPhase: LinkStatus.Phase,
    at now: MonotonicInstant
  ) {
    if phase == .ready, newPhase != .ready {
      connection += 1
      // The last writes are done on the same link.
      if newPhase != .shuttingDown {
        stopWrittenAt = nil
        stopThroughAt = nil
      }
    }
    if newPhase == .ready, phase != .ready { stopFailed = false }
    for action in actions { check(action, during: newPhase, at: now) }
    phase = newPhase
    if phase == .ready { checkStopLane() }
    if let mustEndBy, !hasEnded, now > mustEndBy {
      report(.end, "not ended 6 s after it was asked to")
    }
  }

  /// What is stale must not move the machine. A status may be due by the time alone.
  mutating func checkStale(_ what: String, _ actions: [LinkAction]) {
    let isMoved = actions.contains { if case .publish = $0 { false } else { true } }
    if isMoved { report(.timersAndScans, "\(what) was acted on") }
  }

  /// At the very end, when nothing more can happen.
  mutating func close() {
    for (id, command) in commands where outcomes[id] == nil {
      report(.oneOutcome, "command \(command) has no outcome")
    }
    if !openStops.isEmpty { report(.oneOutcome, "a stop has no outcome") }
    if !hasEnded { report(.end, "never ended") }
  }

  // MARK: Actions

  private mutating func check(
    _ action: LinkAction,
    during phase: LinkStatus.Phase,
    at now: MonotonicInstant
  ) {
    if hasEnded {
      switch action {
      case .resolve, .publish: break
      default: report(.end, "something is done after the end")
      }
    }
    switch action {
    case .begin(let id, let operation): check(id, operation, during: phase, at: now)
    case .abandon(let id): noteAbandoned(id, at: now)
    case .setTimer(let timer, _):
      if timers[timer.purpose] != nil {
        report(.timersAndScans, "two timers for \(timer.purpose)")
      }
      timers[timer.purpose] = timer
    case .cancelTimer(let timer):
      if timers[timer.purpose] == timer { timers[timer.purpose] = nil }
    case .resolve(let id, let outcome): check(id, outcome)
    case .answered(let id, let answer): check(id, answer)
    case .publish(let status):
      if let isSimulated, status.isSimulated != isSimulated {
        report(.adoption, "the mode that is told is not that of the stack")
      }
      if status.phase == .ready {
        if status.linked?.isSimulated != isSimulated {
          report(.adoption, "ready with a machine of the other mode, SIM or REAL")
        }
        readyDevice =
          levels.tree?.devices.values.first {
            $0.address == status.machine && $0.isConnected
              && levels.tree?.adapters[$0.adapter]?.address == status.adapter?.address
          }?.path
        ours = status.machine
        if !isLinked { pinned = status.adapter?.address }
        isLinked = true
        isHeard = status.answers == .heard
      }
    case .ended: noteEnded()
    }
  }

  private mutating func noteAbandoned(_ id: OperationID, at now: MonotonicInstant) {
    switch writes.removeValue(forKey: id) {
    case .ball: lastBallSettled = now
    case .stop: lastStop = now
    case nil: break
    }
    if let adapter = adapterCalls.removeValue(forKey: id) { unfit.insert(adapter) }
    if let device = connects.removeValue(forKey: id), levels.tree?.devices[device] != nil {
      mustDisconnect.insert(device)
    }
    // Its answer was awaited for as long as is worth it.
    if let (device, since) = disconnects.removeValue(forKey: id),
      since.duration(to: now) >= .seconds(5)
    {
      mustDisconnect.remove(device)
    }
  }

  private mutating func noteEnded() {
    hasEnded = true
    if let purpose = timers.keys.first(where: { $0 != .end }) {
      report(.end, "the timer \(purpose) outlives the end")
    }
    // Where the time for it stood still, BlueZ ends the scan with its client's bus connection.
    if scan != nil, !stalledOnTheWayOut {
      report(.timersAndScans, "a scan that was begun is not stopped")
    }
    if mustBeEnded != nil, !stalledOnTheWayOut {
      report(.adoption, "the link that we made is left up at our end")
    }
    let tried = Set(disconnects.values.map(\.device))
    if !mustDisconnect.subtracting(tried).isEmpty {
      report(.disconnectAwaited, "ended after a Connect that was given up, without a Disconnect")
    }
  }

  private mutating func check(_ id: CommandID, _ outcome: WriteOutcome) {
    if outcomes[id] != nil { report(.oneOutcome, "command \(id.number) ended twice") }
    outcomes[id] = outcome
    if openStops.remove(id) != nil {
      if outcome == .delivered, encoding.hasAnswers ? !stopIsConfirmed : stopsAcknowledged == 0 {
        report(.stopLane, "a stop called delivered was not acknowledged")
      }
      if outcome == .queued, stopsTaken < 3, !encoding.hasAnswers || stopsAcknowledged == 0 {
        report(.stopLane, "an unacknowledged stop was sent fewer than three times")
      }
      if stopFailed, outcome == .notSent(.ended) || outcome == .unknown(.ended) {
        report(.stopLane, "a stop does not tell how its last write failed")
      }
    } else if outcome == .delivered || outcome == .queued {
      if commands[id].flatMap({ submissions[$0]?.isWritten }) != true {
        report(.oneOutcome, "command \(id.number) called \(outcome.word) was never written")
      }
    }
  }

  private mutating func check(
    _ id: OperationID,
    _ operation: LinkOperation,
    during phase: LinkStatus.Phase,
    at now: MonotonicInstant
  ) {
    checkIsOurs(operation)
    switch operation {
    case .insisting(let insisted):
      if openStops.isEmpty { report(.oneWriter, "\(insisted) insisted without a stop") }
      if case .write(let command, _, _, _) = insisted, !command.isStop {
        report(.oneWriter, "a ball was written to a machine that another process has")
      }
      check(id, insisted, during: phase, at: now)
      if case .connect = insisted { insistedConnects.insert(id) }
    case .write(let command, _, let path, let mode):
      checkWrite(to: path, during: phase)
      characteristic = path
      if command.isStop {
        checkStop(mode)
        stopWrittenAt = stopWrittenAt ?? now
        lastStop = now
        // A ball's answers may come as late as that, or come again.
        let isBallOnItsWay = writes.values.contains { if case .ball = $0 { true } else { false } }
        let isClear =
          !isBallOnItsWay && (lastBallSettled ?? start).duration(to: now) >= .seconds(2)
        writes[id] = .stop(mode, isClear: isClear)
      } else {
        checkBall(command, at: now)
        writes[id] = submissions[command].map { .ball($0.id) }
      }
    case .connect(let device):
      checkConnect(device, at: now)
      connects[id] = device
      ourLinks.insert(device)
    case .disconnect(let device):
      if device == mustStayUp {
        report(.adoption, "another program's link is ended at our end")
      }
      if device == mustBeEnded { mustBeEnded = nil }
      disconnects[id] = (device, now)
    case .observe(.device(let device)), .trust(let device):
      if let adapter = device.parent { notePinned(adapter) }
    case .startDiscovery(let adapter, let filter):
      checkScan(adapter)
      checkCaution(filter, at: now)
      scan = adapter
      scanStarts.insert(id)
      adapterCalls[id] = adapter
    case .stopDiscovery: scan = nil
    case .setPowered(let isOn, let adapter):
      // What was switched off is switched on again, whatever came between.
      if !isOn || adapter != switchedOff { checkAdapter(adapter) }
      switchedOff = isOn ? nil : adapter
      if isOn { adapterCalls[id] = adapter }
    case .openBus, .startService, .observe, .removeDevice, .startNotify: break
    }
  }

  // MARK: Writes

  private mutating func checkWrite(to path: ObjectPath, during phase: LinkStatus.Phase) {
    guard phase == .ready || phase == .shuttingDown else {
      report(.readyWrites, "a write while \(phase)")
      return
    }
    guard let tree = levels.tree, let characteristic = tree.characteristics[path],
      let device = tree.services[characteristic.service].flatMap({ tree.devices[$0.device] }),
      device.isConnected
    else {
      report(.readyWrites, "a write to what is not there")
      return
    }
    if !machines.contains(device.address) {
      report(.readyWrites, "a write to a stranger, \(device.address)")
    }
  }

  private mutating func checkStop(_ mode: WriteMode) {
    if openStops.isEmpty { report(.stopLane, "a stop that nobody asked for") }
    for write in writes.values {
      switch write {
      case .stop: report(.readyWrites, "two stops in flight")
      // That one was abandoned: only what needs no answer can overtake it.
      case .ball(let id):
        if outcomes[id] == nil || mode == .request {
          report(.readyWrites, "a stop beside a write in flight")
        }
      }
    }
  }

  private mutating func checkBall(_ command: MachineCommand, at now: MonotonicInstant) {
    guard let submission = submissions[command] else {
      report(.neverResent, "a command that nobody gave: \(command)")
      return
    }
    let name = "command \(submission.id.number)"
    if submission.isWritten {
      report(.neverResent, "\(name) was sent again")
      return
    }
    if let outcome = outcomes[submission.id] {
      report(.neverResent, "\(name) was sent though it is \(outcome.word)")
      return
    }
    submissions[command]?.isWritten = true
    if !writes.isEmpty { report(.readyWrites, "two writes in flight") }
    if !openStops.isEmpty { report(.stopLane, "a ball while a stop is on its way") }
    if submission.id != newest { report(.oneSlot, "\(name) left though there is a newer one") }
    if submission.decidedAt.duration(to: now) > .milliseconds(500) {
      report(.oneSlot, "a stale command was sent")
    }
    if submission.connection != connection { report(.oneSlot, "\(name) survived a disconnect") }
    if let lastBall, lastBall.duration(to: now) < leastInterval {
      report(.oneSlot, "two balls within \(leastInterval)")
    }
    // It may have left as late as that.
    if let lastBallSettled, lastBallSettled.duration(to: now) < leastInterval - .milliseconds(250) {
      report(.oneSlot, "a ball too soon after the last one's outcome")
    }
    if isHeard, let lastStop, lastStop.duration(to: now) < .seconds(2) {
      report(.answers, "a ball whose answer may be a stop's")
    }
    lastBall = now
    ballInFlight = (submission.id, now, [])
  }

  /// On a ready link a stop is in flight, waits for the answer of the write that is, or will be
  /// repeated.
  private mutating func checkStopLane() {
    guard !openStops.isEmpty, timers[.stop] == nil else { return }
    let isOnItsWay = writes.values.contains { if case .stop = $0 { true } else { false } }
    guard !isOnItsWay else { return }
    if writes.isEmpty {
      report(.stopLane, "a stop waits though nothing is in its way")
    } else if takesCommands, stopsTaken == 0 {
      report(.stopLane, "a stop does not overtake the write in flight")
    }
  }

  /// Whether the machine takes writes that nobody acknowledges.
  private var takesCommands: Bool {
    characteristic.flatMap { levels.tree?.characteristics[$0] }?
      .flags.contains(.writeWithoutResponse) ?? false
  }

  // MARK: Connecting and scanning

  /// Nothing is done to a device that isn't ours.
  private mutating func checkIsOurs(_ operation: LinkOperation) {
    let path: ObjectPath? =
      switch operation {
      case .trust(let device), .connect(let device), .disconnect(let device),
        .removeDevice(let device, _), .observe(.device(let device)):
        device
      default: nil
      }
    guard let device = path.flatMap({ levels.tree?.devices[$0] }) else { return }
    if !machines.contains(device.address) {
      report(.adoption, "a stranger, \(device.address), is touched: \(operation)")
    }
  }

  private mutating func checkConnect(_ device: ObjectPath, at now: MonotonicInstant) {
    if mustDisconnect.contains(device) {
      report(.disconnectAwaited, "Connect before the Disconnect that clears the last one")
    }
    if scan != nil { report(.timersAndScans, "Connect during a scan") }
    if levels.tree?.devices[device]?.isConnected == true {
      report(.adoption, "Connect to a machine that is linked")
    }
    if let adapter = device.parent { notePinned(adapter) }
    connectTimes.removeAll { $0 <= now.advanced(by: .seconds(-300)) }
    connectTimes.append(now)
    for (limit, window) in [(6, Duration.seconds(30)), (16, .seconds(300))] {
      let from = now.advanced(by: .zero - window)
      if connectTimes.count(where: { $0 > from }) > limit {
        report(.backOff, "more than \(limit) Connects in \(window)")
      }
    }
  }

  private mutating func checkScan(_ adapter: ObjectPath) {
    checkAdapter(adapter)
    let isConnected = levels.tree?.devices.values.contains {
      $0.isConnected && $0.adapter == adapter && $0.address == ours
    }
    if isConnected == true { report(.adoption, "scanning for a machine that is linked") }
    let knows = levels.tree?.adapters.values.first { $0.address == rememberedAdapter }
    if pinned == nil, let knows, knows.isPowered, knows.path != adapter,
      !unfit.contains(knows.path)
    {
      report(.adoption, "scanning past the adapter that knows the machine")
    }
    let isBetterOneOn = levels.tree?.adapters.values.contains { $0.isPowered && $0.isCentral }
    if !isLinked, levels.tree?.adapters[adapter]?.isCentral == false, isBetterOneOn == true {
      report(.adoption, "scanning on an adapter that can't serve")
    }
  }

  /// bluetoothd's name has another owner, or none, while a scan is on.
  private mutating func noteEnd(_ newer: BlueZState, at now: MonotonicInstant) {
    guard scan != nil, levels.isBusConnected, newer.isBusConnected, levels.owner != nil,
      newer.owner != levels.owner
    else { return }
    ends.append((now, scanRank))
    scan = nil
  }

  /// The next scan asks for less, and comes later each time.
  private mutating func checkCaution(_ filter: DiscoveryFilter, at now: MonotonicInstant) {
    scanRank =
      switch filter {
      case .lowEnergy(_?): 2
      case .lowEnergy(nil): 1
      case .none: 0
      }
    ends.removeAll { $0.at.duration(to: now) >= .seconds(1800) }
    guard let last = ends.last else { return }
    let delay = [5, 30, 120, 300][min(ends.count, 4) - 1]
    if last.at.duration(to: now) < .seconds(delay) {
      report(.endsInScans, "a scan within \(delay) s of the end of bluetoothd in another one")
    }
    if ends.contains(where: { scanRank > max($0.rank - 1, 0) }) {
      report(.endsInScans, "bluetoothd has ended in such a scan before")
    }
  }

  private mutating func checkAdapter(_ path: ObjectPath) {
    guard let adapter = levels.tree?.adapters[path] else { return }
    if let pinned, pinned != adapter.address {
      let former = levels.tree?.adapters.values.first { $0.address == pinned }
      let isPassedOver = former.map { unfit.contains($0.path) || !$0.isCentral } == true
      let wasPassedOver = !isLinked && goneUnfit.contains(pinned)
      if wasPassedOver || isPassedOver && (!isLinked || mayChangeAdapter) {
        // It can't serve. One that may stand in for it needs no pin.
        if !isLinked, isPassedOver || !mayChangeAdapter { self.pinned = nil }
      } else if former != nil || !mayChangeAdapter {
        report(.adoption, "another adapter is used than at first")
      }
    }
    notePinned(path)
  }

  /// The first adapter that is used is the one, unless another one knows the machine.
  private mutating func notePinned(_ path: ObjectPath) {
    guard pinned == nil, let adapter = levels.tree?.adapters[path], adapter.isPowered,
      rememberedAdapter == nil || rememberedAdapter == adapter.address
    else { return }
    pinned = adapter.address
  }
}

extension Adapter {
  fileprivate var isCentral: Bool { roles?.contains("central") != false }
}
