import BlueZ
import CourtLogic
import DBus
import MachineLink

/// A long random life of one machine in a hostile world, then in a kind one.
struct ChaosRun {
  struct Pair: Hashable, Comparable {
    var phase: String
    var event: String

    static func < (left: Pair, right: Pair) -> Bool {
      (left.phase, left.event) < (right.phase, right.event)
    }
  }

  private enum Happening {
    case timer(LinkTimer)
    case answer(OperationID)
    case resolved(String)
    case chaos
    case submit
  }

  private var generator: SeededGenerator
  private var world: World
  private var machine: LinkStateMachine
  private var now = MonotonicInstant.start
  private var timers: [LinkTimer: MonotonicInstant] = [:]
  private var operations: [OperationID: (operation: LinkOperation, error: BlueZError?)] = [:]
  private var agenda: [(at: MonotonicInstant, what: Happening)] = []
  private var isKind = false
  private var isEnding = false
  private var lastNumber: UInt64 = 0
  private var scanning: Set<ObjectPath> = []
  private(set) var lawBook = LawBook()
  private(set) var trace: [String] = []
  private(set) var pairs: [Pair: Int] = [:]
  private(set) var delivered = 0
  private var isStuck = false

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    world = World()
    let flags = [["write"], ["write-without-response"], ["write", "write-without-response"]]
    world.peers[0].table[0].flags = flags.randomElement(using: &generator)!
    var configuration = LinkConfiguration()
    configuration.startsService = .random(using: &generator)
    configuration.allowsPowerCycle = .random(using: &generator)
    if .random(using: &generator) {
      configuration.address = BluetoothAddress(World.machineAddress)
    } else if .random(using: &generator) {
      configuration.name = "BallMachine"
    } else if .random(using: &generator) {
      configuration.remembered = [
        RememberedMachine(
          address: BluetoothAddress(World.machineAddress)!,
          addressType: .random,
          name: nil,
          profile: "ball-machine",
          adapter: BluetoothAddress("AA:BB:CC:DD:EE:01")!,
          isSimulated: .random(using: &generator)
        )
      ]
    }
    machine = LinkStateMachine(configuration: configuration, seed: seed, at: now)
  }

  /// - Parameter events: how many events the hostile part has.
  mutating func run(events: Int) {
    feed(.started)
    plan(.chaos, in: .seconds(1))
    plan(.submit, in: .seconds(1))
    for _ in 0..<events where violations.isEmpty { step() }
    // Half of the lives end in the middle of it; the others must recover first.
    if Bool.random(using: &generator) { recover() }
    guard violations.isEmpty else { return }
    // On the way out little is answered: that is what the deadlines are for.
    isEnding = true
    if Bool.random(using: &generator) { submit() }
    feed(.endRequested)
    let ending = now
    while violations.isEmpty, machine.state.phase != .ended,
      ending.duration(to: now) < .seconds(7)
    {
      step()
    }
    if violations.isEmpty { lawBook.close() }
  }

  /// Once everything is mended, the link must come back and a command get through.
  private mutating func recover() {
    heal()
    let healed = now
    while violations.isEmpty, machine.state.phase != .ready || delivered == 0 {
      step()
      if healed.duration(to: now) > .seconds(900) {
        isStuck = true
      }
    }
  }

  var violations: [String] {
    lawBook.violations
      + (isStuck ? ["liveness: not ready 15 minutes after everything was mended"] : [])
  }

  // MARK: Time

  private mutating func plan(_ what: Happening, in delay: Duration) {
    agenda.append((now.advanced(by: delay), what))
  }

  private mutating func step() {
    let index = agenda.indices.min { agenda[$0].at < agenda[$1].at }
    let timer = timers.min { $0.value < $1.value }
    if let timer, index == nil || timer.value <= agenda[index!].at {
      now = max(now, timer.value)
      timers[timer.key] = nil
      feed(.fired(timer.key))
      return
    }
    guard let index else { return }
    let next = agenda.remove(at: index)
    now = max(now, next.at)
    switch next.what {
    case .timer(let timer): feed(.fired(timer))
    case .answer(let id): answer(id)
    case .resolved(let address):
      change { world in
        for index in world.peers.indices
        where world.peers[index].address == address && world.peers[index].isConnected {
          world.peers[index].isResolved = true
        }
      }
    case .chaos:
      if !isKind {
        chaos()
        let seconds = Int.random(in: 0..<10, using: &generator) == 0 ? 60.0 : 2.0
        plan(.chaos, in: .seconds(.random(in: 0.001...seconds, using: &generator)))
      }
    case .submit:
      submit()
      plan(.submit, in: .seconds(.random(in: 0.05...(isKind ? 4 : 5), using: &generator)))
    }
  }

  // MARK: The machine

  private mutating func feed(_ event: LinkEvent) {
    let phase = machine.state.phase
    pairs[Pair(phase: phase.rawValue, event: event.name), default: 0] += 1
    lawBook.before(event, at: now)
    let actions = machine.handle(event, at: now)
    trace.append(
      "\(now.seconds) \(phase) \(event.brief) → \(machine.state.phase) "
        + actions.map(\.brief).joined(separator: ", ")
    )
    if trace.count > 60 { trace.removeFirst() }
    lawBook.after(event, actions, phase: machine.state.phase, at: now)
    for action in actions { carryOut(action) }
  }

  private mutating func carryOut(_ action: LinkAction) {
    switch action {
    case .begin(let id, let operation): begin(id, operation)
    case .abandon(let id): operations[id] = nil
    case .setTimer(let timer, let instant): timers[timer] = instant
    case .cancelTimer(let timer): timers[timer] = nil
    case .resolve(_, let outcome):
      if isKind, outcome == .delivered || outcome == .queued { delivered += 1 }
    case .publish, .ended: break
    }
  }

  private mutating func submit() {
    lastNumber += 1
    let id = CommandID(number: lastNumber)
    if !isKind || isEnding, Int.random(in: 0..<(isEnding ? 2 : 12), using: &generator) == 0 {
      feed(.stopRequested(id))
    } else {
      let late = Duration.milliseconds(Int.random(in: 0...600, using: &generator))
      // Every command is another one, so that each can be told from the rest.
      let digits = String(repeating: "0", count: 18 - "\(lastNumber)".count) + "\(lastNumber)"
      let decided = now.advanced(by: isKind ? .zero : .zero - late)
      feed(.submitted(id, try! MachineCommand(digits: digits), decidedAt: decided))
    }
  }

  // MARK: The world

  private mutating func change(_ body: (inout World) -> Void) {
    body(&world)
    scanning = scanning.filter { path in
      world.isBusConnected && world.owner != nil
        && world.radios.contains { $0.path == path && $0.isPowered }
    }
    feed(.levelsChanged(world.levels()))
  }

  private mutating func begin(_ id: OperationID, _ operation: LinkOperation) {
    let dice = isKind && !isEnding ? 99 : Int.random(in: 0..<100, using: &generator)
    var delay = Duration.milliseconds(Int.random(in: 1...300, using: &generator))
    switch dice {
    case 0..<(isEnding ? 50 : 8):
      operations[id] = (operation, nil)
      return
    case 8..<25:
      operations[id] = (operation, Self.errors.randomElement(using: &generator)!)
      if case .connect = operation, Bool.random(using: &generator) { delay = .seconds(41) }
    default:
      operations[id] = (operation, nil)
    }
    plan(.answer(id), in: delay)
  }

  private static let errors: [BlueZError] = [
    .failed("le-connection-abort-by-local"), .failed("Operation already in progress"),
    .failed("Input/output error"), .failed("br-connection-canceled"), .failed("Not connected"),
    .failed("Operation failed with ATT error: 0x0e"),
    .failed("Operation failed with ATT error: 0x80"),
    BlueZError("org.bluez.Error.NotReady", "Resource Not Ready"),
    BlueZError("org.bluez.Error.InProgress", "In Progress"),
    BlueZError("org.bluez.Error.NotPermitted", "Write acquired"),
    BlueZError("org.freedesktop.DBus.Error.UnknownObject", "gone"),
    BlueZError("org.freedesktop.DBus.Error.NoReply", "Message recipient disconnected"),
  ]

  private mutating func answer(_ id: OperationID) {
    guard let (operation, error) = operations.removeValue(forKey: id) else { return }
    if error == nil { takeEffect(operation) }
    feed(.levelsChanged(world.levels()))
    feed(.finished(id, error))
  }

  private mutating func takeEffect(_ operation: LinkOperation) {
    switch operation {
    case .openBus: world.isBusConnected = true
    case .startService: world.owner = ":1.\(lastNumber)"
    case .setPowered(let powered, let adapter):
      for index in world.radios.indices where world.radios[index].path == adapter {
        world.radios[index].isPowered = powered
      }
      if !powered { drop() }
    case .startDiscovery(let adapter, _):
      scanning.insert(adapter)
      for index in world.peers.indices where !world.peers[index].isConnected {
        world.peers[index].rssi = -50
      }
    case .stopDiscovery(let adapter):
      scanning.remove(adapter)
      for index in world.peers.indices { world.peers[index].rssi = nil }
    case .trust(let device): update(device) { $0.isTrusted = true }
    case .connect(let device):
      guard isKind || Int.random(in: 0..<10, using: &generator) > 0 else { break }
      update(device) { $0.isConnected = true }
      if let peer = world.peers.first(where: { $0.path == device }) {
        let delay = Duration.milliseconds(Int.random(in: 1...2000, using: &generator))
        plan(.resolved(peer.address), in: delay)
      }
    case .disconnect(let device):
      update(device) {
        $0.isConnected = false
        $0.isResolved = false
      }
    case .removeDevice(let device, _):
      world.peers.removeAll { $0.path == device }
    case .observe, .write: break
    }
    // A scan shows the machine again.
    if !scanning.isEmpty, world.peers.allSatisfy({ $0.address != World.machineAddress }) {
      revive()
    }
  }

  private mutating func update(_ device: ObjectPath, _ body: (inout World.Peer) -> Void) {
    for index in world.peers.indices where world.peers[index].path == device {
      body(&world.peers[index])
    }
  }

  private mutating func drop() {
    for index in world.peers.indices {
      world.peers[index].isConnected = false
      world.peers[index].isResolved = false
    }
  }

  private mutating func revive() {
    guard let radio = world.radios.first(where: { $0.address == "AA:BB:CC:DD:EE:01" }) else {
      return
    }
    world.peers.removeAll { $0.address == World.machineAddress }
    var peer = World.Peer(address: World.machineAddress, adapter: radio.path)
    peer.table[0].flags = tableFlags
    world.peers.append(peer)
  }

  private var tableFlags: [String] { ["write"] }

  private mutating func chaos() {
    let dice = Int.random(in: 0..<14, using: &generator)
    switch dice {
    case 0, 1:
      change { world in
        for index in world.peers.indices {
          world.peers[index].isConnected = false
          world.peers[index].isResolved = false
        }
      }
    case 2: change { $0.peers.removeAll() }
    case 3, 4:
      revive()
      change { _ in }
    case 5: change { $0.setPower(false) }
    case 6, 7: change { $0.setPower(true) }
    case 8: change { $0.radios.removeAll() }
    case 9:
      let path: ObjectPath = Bool.random(using: &generator) ? "/org/bluez/hci0" : "/org/bluez/hci1"
      change {
        $0.radios = [
          .init(path: path, address: "AA:BB:CC:DD:EE:01", isPowered: true),
          .init(path: "/org/bluez/hci7", address: "AA:BB:CC:DD:EE:99", isPowered: true),
        ]
      }
    case 10:
      change {
        $0.owner = nil
        $0.clearLinks()
      }
    case 11:
      lastNumber += 1
      let owner = ":1.\(lastNumber)"
      change { if $0.owner == nil { $0.owner = owner } }
    case 12:
      if Bool.random(using: &generator) {
        change {
          $0.isBusConnected = false
          $0.clearLinks()
        }
      } else {
        change { world in
          for index in world.peers.indices { world.peers[index].showsTable.toggle() }
        }
      }
    default:
      // Gone and back in one signal.
      change { world in
        for index in world.peers.indices where world.peers[index].isResolved {
          world.peers[index].isResolved = false
        }
      }
      plan(.resolved(World.machineAddress), in: .milliseconds(200))
    }
  }

  /// Mends everything; from here on every operation succeeds.
  private mutating func heal() {
    isKind = true
    for id in operations.keys { operations[id]?.error = nil }
    lastNumber += 1
    let owner = world.owner ?? ":1.\(lastNumber)"
    change {
      $0.isBusConnected = true
      $0.owner = owner
      $0.radios = [.init(path: "/org/bluez/hci0", address: "AA:BB:CC:DD:EE:01")]
      $0.peers = [.init(address: World.machineAddress, adapter: "/org/bluez/hci0")]
    }
  }
}

extension World {
  mutating func setPower(_ isOn: Bool) {
    for index in radios.indices { radios[index].isPowered = isOn }
    if !isOn { clearLinks() }
  }

  mutating func clearLinks() {
    for index in peers.indices {
      peers[index].isConnected = false
      peers[index].isResolved = false
      peers[index].rssi = nil
    }
  }
}

extension LinkEvent {
  var name: String {
    switch self {
    case .started: "started"
    case .levelsChanged: "levels"
    case .finished(_, nil): "finished"
    case .finished: "failed"
    case .fired(let timer): "timer.\(timer.purpose)"
    case .submitted: "submitted"
    case .stopRequested: "stopRequested"
    case .endRequested: "endRequested"
    }
  }

  var brief: String {
    switch self {
    case .levelsChanged(let state):
      "levels(bus \(state.isBusConnected) owner \(state.owner ?? "-") radios "
        + "\(state.tree?.adaptersInOrder.map { "\($0.path)\($0.isPowered ? "+" : "-")" } ?? []) peers "
        + "\(state.tree?.devices.values.map { "\($0.isConnected ? "C" : "-")\($0.areServicesResolved ? "R" : "-")" } ?? []))"
    case .finished(_, let error): "finished(\(error?.description ?? "ok"))"
    default: name
    }
  }
}

extension LinkAction {
  var brief: String {
    switch self {
    case .begin(let id, let operation): "begin \(id) \(operation)"
    case .abandon(let id): "abandon \(id)"
    case .setTimer(let timer, let instant): "timer \(timer.purpose) at \(instant.seconds)"
    case .cancelTimer(let timer): "cancel \(timer.purpose)"
    case .resolve(let id, let outcome): "resolve \(id.number) \(outcome)"
    case .publish: "publish"
    case .ended: "ended"
    }
  }
}
