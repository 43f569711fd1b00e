import BlueZ
import Clocks
import ControlProtocol
import CourtLogic

@testable import MachineLink
@testable import TestSupport

/// Carries out a ``Scenario``: the machine, BlueZ around it, and the laws that watch.
final class ScenarioRun {
  private(set) var machine: LinkStateMachine
  private(set) var bluez = BlueZModel()
  private(set) var mirror = BlueZMirror()
  private(set) var lawBook: LawBook
  private(set) var now = MonotonicInstant.start
  private(set) var pairs = EventPairs()
  /// Operations that wait for an answer, the oldest first.
  private(set) var open: [(id: OperationID, operation: LinkOperation)] = []
  private(set) var hasStarted = false
  /// What happened, event by event; only kept when asked for.
  private(set) var story: [String] = []

  private let setting: Scenario.Setting
  private let isTold: Bool
  private let plantedLaw: (@Sendable (LinkAction) -> String?)?
  private var timers: [(timer: LinkTimer, at: MonotonicInstant)] = []
  private var abandoned: [OperationID] = []
  private var cancelled: [LinkTimer] = []
  private var former = BlueZState()
  private var scanning: ObjectPath?
  private var lastNumber: UInt64 = 0
  /// Of what came over D-Bus last, and of the last answer there.
  private var (lastReceipt, lastAnswer): (UInt64, UInt64) = (1, 1)
  private var isMended = false
  private var getsThrough = false
  /// The address of the last good link, by whether its stack was simulated.
  private var lastMachines: [Bool: String] = [:]

  /// - Parameters:
  ///   - isTold: whether ``story`` is kept.
  ///   - plantedLaw: says how an action breaks a law that only a test knows.
  init(
    _ setting: Scenario.Setting,
    isTold: Bool = false,
    plantedLaw: (@Sendable (LinkAction) -> String?)? = nil
  ) {
    self.setting = setting
    self.isTold = isTold
    self.plantedLaw = plantedLaw
    bluez.peers[0].table[0].flags = setting.flags
    if setting.hasUselessAdapter { bluez.addUselessAdapter() }
    var configuration = LinkConfiguration(
      allowsOtherAdapter: setting.allowsOtherAdapter,
      allowsPowerCycle: setting.allowsPowerCycle,
      startsService: setting.startsService,
      encoding: setting.encoding
    )
    var machines = [BlueZModel.machineAddress]
    switch setting.knowledge {
    case .address: configuration.address = BluetoothAddress(BlueZModel.machineAddress)
    case .name:
      configuration.name = "BallMachine"
      machines += [BlueZModel.newAddress, BlueZModel.twinAddress]
    case .profileOnly: machines += [BlueZModel.newAddress, BlueZModel.twinAddress]
    case .memory:
      configuration.remembered = [
        RememberedMachine(
          address: BluetoothAddress(BlueZModel.machineAddress)!,
          addressType: .random,
          name: nil,
          profile: "ball-machine",
          adapter: BluetoothAddress(BlueZModel.radioAddress)!,
          isSimulated: false
        )
      ]
    }
    machine = LinkStateMachine(configuration: configuration, seed: setting.jitter, at: now)
    lawBook = LawBook(
      machines: Set(machines.compactMap { BluetoothAddress($0) }),
      mayChangeAdapter: setting.allowsOtherAdapter,
      rememberedAdapter: configuration.remembered.first?.adapter,
      encoding: setting.encoding,
      at: now
    )
  }

  /// The first law that was broken.
  var breach: Breach? { lawBook.breaches.first }

  var phase: LinkStatus.Phase { machine.state.phase }

  var hasOpenWrite: Bool {
    open.contains { if case .write = $0.operation { true } else { false } }
  }

  /// Whether a ball's write and that of a stop which overtook it wait for their answers.
  var hasOvertakenWrite: Bool {
    open.count { if case .write = $0.operation { true } else { false } } > 1
  }

  /// Whether a stop waits for the machine's own word.
  var awaitsWord: Bool { lawBook.awaitsWord }

  /// Plays a whole scenario, or until a law is broken.
  static func play(
    _ scenario: Scenario,
    isTold: Bool = false,
    plantedLaw: (@Sendable (LinkAction) -> String?)? = nil
  ) -> ScenarioRun {
    let run = ScenarioRun(scenario.setting, isTold: isTold, plantedLaw: plantedLaw)
    for step in scenario.steps where run.breach == nil { run.take(step) }
    run.conclude(recovering: scenario.recovers)
    return run
  }

  func take(_ step: Step) {
    pass(step)
    guard breach == nil else { return }
    switch step.what {
    case .start:
      guard !hasStarted else { break }
      hasStarted = true
      feed(.started, as: .started)
    case .submit(let age): submit(decidedAt: now.advanced(by: .zero - age))
    case .stop:
      lastNumber += 1
      feed(.stopRequested(CommandID(number: lastNumber)), as: .stopRequested)
    case .end: feed(.endRequested, as: .endRequested)
    case .answer(let index, let answer):
      guard !open.isEmpty else { break }
      self.answer(open[index % open.count].id, answer)
    case .staleAnswer(let index):
      guard !abandoned.isEmpty else { break }
      feed(
        .finished(abandoned[index % abandoned.count], nil, receipt: nextAnswer()),
        as: .staleAnswer
      )
    case .staleTimer(let index):
      guard !cancelled.isEmpty else { break }
      feed(.fired(cancelled[index % cancelled.count]), as: .staleTimer)
    case .staleLevels:
      guard hasStarted, former.revision > 0 else { break }
      feed(.levelsChanged(former), as: .staleLevels)
    case .say(let saying, let isUnread):
      guard hasStarted else { break }
      if !isUnread { lastReceipt += 1 }
      let receipt = isUnread ? lastAnswer - 1 : lastReceipt
      feed(.notified(saying.bytes(setting.encoding), receipt: receipt), as: .notified)
    case .change(let change, let isHidden):
      undergo(change)
      if !isHidden { showLevels() }
    }
  }

  /// Mends everything if the scenario says so, and lets the link end.
  func conclude(recovering: Bool) {
    if recovering, breach == nil, hasStarted, phase != .shuttingDown, phase != .ended { recover() }
    guard breach == nil else { return }
    // On the way out nothing is answered: that is what the deadlines are for.
    feed(.endRequested, as: .endRequested)
    flow(until: now.advanced(by: .seconds(7)))
    if breach == nil { lawBook.close() }
  }

  // MARK: Time

  private func pass(_ step: Step) {
    guard step.after > .zero else { return }
    let end = now.advanced(by: step.after)
    switch step.clock {
    case .flows: flow(until: end)
    case .stalls, .stallsAndConfuses:
      lawBook.clockStalled(for: step.after)
      now = end
      while breach == nil, let index = nextTimer(latest: step.clock == .stallsAndConfuses),
        timers[index].at <= now
      {
        fire(index)
      }
    }
  }

  private func flow(until end: MonotonicInstant) {
    while breach == nil, let index = nextTimer(latest: false), timers[index].at <= end {
      now = max(now, timers[index].at)
      fire(index)
    }
    now = end
  }

  /// The timer that is due first, or of those that are due the one that was due last.
  private func nextTimer(latest: Bool) -> Int? {
    var found: Int?
    for (index, timer) in timers.enumerated() {
      if latest, timer.at > now { continue }
      guard let best = found else {
        found = index
        continue
      }
      if latest ? timer.at > timers[best].at : timer.at < timers[best].at { found = index }
    }
    return found
  }

  private func fire(_ index: Int) {
    let timer = timers.remove(at: index).timer
    feed(.fired(timer), as: .timer(timer.purpose))
  }

  // MARK: The machine

  private func feed(_ event: LinkEvent, as kind: EventKind) {
    let before = phase
    pairs.count(kind, in: before)
    lawBook.before(event, at: now)
    let actions = machine.handle(event, at: now)
    lawBook.after(event, actions, phase: phase, at: now)
    switch kind {
    case .staleAnswer, .staleTimer, .staleLevels: lawBook.checkStale(kind.name, actions)
    default: break
    }
    if let plantedLaw {
      for action in actions {
        if let how = plantedLaw(action) { lawBook.reportPlanted(how) }
      }
    }
    if isTold {
      story.append(Self.line(event, kind, actions, from: before, to: phase, at: now))
    }
    for action in actions { carryOut(action) }
  }

  private func carryOut(_ action: LinkAction) {
    switch action {
    case .begin(let id, let operation): open.append((id, operation))
    case .abandon(let id):
      open.removeAll { $0.id == id }
      Self.keep(id, in: &abandoned)
    case .setTimer(let timer, let instant): timers.append((timer, instant))
    case .cancelTimer(let timer):
      timers.removeAll { $0.timer == timer }
      Self.keep(timer, in: &cancelled)
    case .resolve(_, let outcome):
      if isMended, outcome == .delivered || outcome == .queued { getsThrough = true }
    case .publish(let status):
      if status.phase == .ready, let machine = status.machine {
        lastMachines[status.isSimulated == true] = machine.description
      }
    case .answered, .ended: break
    }
  }

  private static func keep<Element>(_ element: Element, in list: inout [Element]) {
    list.append(element)
    if list.count > 8 { list.removeFirst() }
  }

  private func submit(decidedAt: MonotonicInstant) {
    lastNumber += 1
    // Every command is another one, so that each can be told from the rest.
    let number = Int(lastNumber)
    let values =
      setting.encoding.hasAnswers
      ? [number % 101, number / 101 % 101, 1, 2, 3]
      : [0, 0, number / 10_000, number % 10_000]
    feed(
      .submitted(
        CommandID(number: lastNumber),
        try! MachineCommand(setting.encoding.kind, values),
        decidedAt: decidedAt
      ),
      as: .submitted
    )
  }

  // MARK: BlueZ

  private func undergo(_ change: Change) {
    switch change {
    case .objectsRead: mirror.read(bluez)
    case .busLost: mirror.lose()
    // What is remembered is of one mode: ``RememberedMachineTests``.
    case .stackChanges where setting.knowledge == .memory: break
    default: alter { [flags = setting.flags] in $0.undergo(change, flags: flags) }
    }
  }

  private func alter(_ body: (inout BlueZModel) -> Void) {
    let old = bluez
    body(&bluez)
    mirror.followOwner(bluez)
    mirror.follow(bluez, since: old)
  }

  private func showLevels() {
    guard hasStarted, mirror.state.revision > machine.levels.revision else { return }
    former = machine.levels
    feed(.levelsChanged(mirror.state), as: .levels)
  }

  private func answer(_ id: OperationID, _ answer: Answer) {
    guard let index = open.firstIndex(where: { $0.id == id }) else { return }
    let operation = open[index].operation
    let error: BlueZError?
    switch answer {
    case .success, .silence:
      // rfkill does not let anybody switch it on.
      error = isRefused(operation) ? Failure.blocked.error : nil
      takeEffect(operation)
    case .emptySuccess: error = nil
    case .failure(let failure): error = failure.error(of: operation)
    case .failureAfterAll(let failure):
      error = failure.error(of: operation)
      // What another process has is not touched.
      if failure != .held { takeEffect(operation) }
    }
    // The answer is judged by the levels that came before it.
    showLevels()
    if answer == .silence { return }
    // What the levels led to may have given this operation up.
    guard let index = open.firstIndex(where: { $0.id == id }) else { return }
    open.remove(at: index)
    let isWrite =
      switch operation {
      case .write, .insisting(.write): true
      default: false
      }
    let kind: EventKind =
      switch (isWrite, error == nil) {
      case (true, true): .writeSucceeded
      case (true, false): .writeFailed
      case (false, true): .operationSucceeded
      case (false, false): .operationFailed
      }
    Self.keep(id, in: &abandoned)
    feed(.finished(id, error, receipt: nextAnswer()), as: kind)
  }

  /// Leaves room for something that came before it and was not read.
  private func nextAnswer() -> UInt64 {
    lastReceipt += 2
    lastAnswer = lastReceipt
    return lastAnswer
  }

  private func isRefused(_ operation: LinkOperation) -> Bool {
    guard case .setPowered(true, let adapter) = operation else { return false }
    return bluez.radios.contains { $0.path == adapter && $0.isBlocked }
  }

  private func takeEffect(_ operation: LinkOperation) {
    switch operation {
    case .openBus: mirror.open(bluez)
    case .startService: alter { if $0.owner == nil { $0.startService() } }
    case .observe(let scope): mirror.observe(scope, bluez)
    case .setPowered(let isOn, let adapter): alter { $0.setPower(isOn, of: adapter) }
    case .startDiscovery:
      alter { [flags = setting.flags] in $0.appear($0.address, flags: flags) }
    case .stopDiscovery:
      alter { bluez in for index in bluez.peers.indices { bluez.peers[index].rssi = nil } }
    case .trust(let device): update(device) { $0.isTrusted = true }
    case .connect(let device): update(device) { $0.isConnected = true }
    case .disconnect(let device):
      update(device) {
        $0.isConnected = false
        $0.isResolved = false
      }
    case .removeDevice(let device, _): alter { $0.peers.removeAll { $0.path == device } }
    case .startNotify, .write: break
    case .insisting(let operation): takeEffect(operation)
    }
  }

  private func update(_ device: ObjectPath, _ body: (inout BlueZModel.Peer) -> Void) {
    alter { bluez in
      for index in bluez.peers.indices where bluez.peers[index].path == device {
        body(&bluez.peers[index])
      }
    }
  }

  // MARK: Recovery

  /// Once everything is mended, the link must come back and a command get through.
  private func recover() {
    isMended = true
    mend()
    let mended = now
    while breach == nil, phase != .ready || !getsThrough {
      if let next = open.first {
        flow(until: now.advanced(by: .milliseconds(100)))
        answer(next.id, .success)
      } else {
        flow(until: now.advanced(by: .seconds(1)))
      }
      undergo(.objectsRead)
      undergo(.servicesResolve)
      showLevels()
      if phase == .ready, breach == nil { submit(decidedAt: now) }
      if mended.duration(to: now) > .seconds(900) {
        lawBook.reportNoRecovery("no command gets through 15 minutes after everything was mended")
      }
    }
  }

  private func mend() {
    alter { [setting, lastMachines] bluez in
      if bluez.owner == nil { bluez.startService() }
      for change in [Change.rfkillUnblocks, .pluggedIn, .otherAdapterComes, .powerOn] {
        bluez.undergo(change, flags: [])
      }
      // A name may come back under another address; otherwise it is the machine that it was.
      let last = lastMachines[bluez.isSimulated] ?? bluez.address
      bluez.address = setting.knowledge == .profileOnly ? last : BlueZModel.machineAddress
      bluez.peers.removeAll { $0.address != bluez.address }
      bluez.appear(bluez.address, flags: setting.flags)
      bluez.undergo(.tableAppears, flags: [])
    }
    showLevels()
  }
}
