import BlueZ
import Clocks
import CourtLogic
import DBus
import Foundation
import Host
import TestSupport

@testable import MockMachine

/// The real bluetoothd and kernel in a box, machines of Bumble's, and real time.
///
/// Besides the link there is another program on the bus, whose hands this is: it sweeps up before a
/// story, and does what a story says that others do.
actor RealSetup: Setup {
  nonisolated let bus = BusAddress.system
  nonisolated let clock: any MonotonicClock = SystemClock()
  nonisolated let events: AsyncStream<MockEvent>

  private let continuation: AsyncStream<MockEvent>.Continuation
  /// The folder that controls the box.
  private let control: String
  private let peer: PeerClient
  private let monitor: BusMonitor
  /// The other program's.
  private let connection: Connection
  private var followers: [Task<Void, Never>] = []
  /// The restart of bluetoothd that is under way, or the last one.
  private var restart: Task<Void, Never>?
  /// Whether the story has begun.
  private var isSet = false
  /// The adapters that scan.
  private var scanning: Set<String> = []
  private var received: [MockAddress: [MockWrite]] = [:]
  /// Woken by every message on the bus.
  private var waiters: [CheckedContinuation<Void, Never>] = []

  static func set(_ model: MockModel, control: String) async throws -> RealSetup {
    let setup = try await RealSetup(control: control)
    do { try await setup.build(model) } catch {
      await setup.close()
      throw error
    }
    return setup
  }

  private init(control: String) async throws {
    self.control = control
    (events, continuation) = AsyncStream.makeStream()
    connection = try await Connection.open(bus)
    monitor = try await BusMonitor.start(bus)
    peer = try PeerClient.connect(to: control + "/peer.sock")
    followers = [
      Task { for await message in monitor.messages { self.hear(message) } },
      Task { for await event in peer.events { self.hear(event) } },
    ]
  }

  func close() async {
    await restart?.value
    await peer.disconnect()
    await monitor.stop()
    for follower in followers { await follower.value }
    await connection.close()
    continuation.finish()
  }

  func stopBus() throws { throw CannotBePlayed(description: "the box needs its bus") }

  func restartBus(downFor: Duration) throws { try stopBus() }

  /// Time flows by itself here.
  nonisolated func keepTime(of fixture: LinkFixture) async {}

  func received(by machine: MockAddress) -> [MockWrite] { received[machine] ?? [] }

  // MARK: Building the model

  private func build(_ model: MockModel) async throws {
    // The story before may have left it dead.
    if try await !isBluetoothdThere() { try await bluetoothd("start") }
    try await peer.tell("reset")
    let first = MockAdapter()
    try await until("the controller is there") { $0.adapter(at: first.address) != nil }
    let left = try await objects().devices
    // BlueZ forgets a device only while its adapter is on, and may be switching a new one on.
    if !left.isEmpty { try await set(power: true, of: first.address) }
    for device in left { try await remove(device.path) }
    if !model.adapters.contains(where: { $0.address == first.address }) {
      try await unplug(first.name)
    }
    for adapter in model.adapters {
      if adapter.address != first.address { try await plug(adapter) }
      try await set(power: adapter.isPowered, of: adapter.address)
    }
    for machine in model.peripherals { try await place(machine) }
    isSet = true
  }

  private func place(_ machine: MockPeripheral) async throws {
    guard !machine.isPaired else {
      throw CannotBePlayed(description: "pairing with a machine is not provided for")
    }
    guard machine.isTrusted else {
      try await peer.tell(MockVerb.machine(machine).peerLine)
      return
    }
    // BlueZ has to have heard it before it can trust it.
    var present = machine
    present.isAdvertising = true
    try await peer.tell(MockVerb.machine(present).peerLine)
    let device = try await discover(machine.address)
    try await set(device, "org.bluez.Device1", "Trusted", .boolean(true))
    if !machine.isAdvertising { try await peer.tell("vanish \(machine.address)") }
  }

  private func plug(_ adapter: MockAdapter) async throws {
    try await peer.tell("add-adapter \(adapter.name) \(adapter.address)")
    try await until("\(adapter.name) is there") { $0.adapter(at: adapter.address) != nil }
  }

  private func unplug(_ name: String) async throws {
    try await peer.tell("remove-adapter \(name)")
    try await until("\(name) is gone") { objects in
      !objects.adapters.contains { $0.path.string == "/org/bluez/\(name)" }
    }
  }

  /// Scans until bluetoothd knows a machine.
  private func discover(_ machine: MockAddress) async throws -> ObjectPath {
    guard let adapter = try await objects().adapters.first else {
      throw CannotBePlayed(description: "\(machine) can't be known without an adapter")
    }
    let interface = "org.bluez.Adapter1"
    let filter = Value.properties(["Transport": .string("le")])
    try await call(adapter.path, interface, "SetDiscoveryFilter", [filter])
    try await call(adapter.path, interface, "StartDiscovery")
    try await until("\(machine) is known") { $0.device(at: machine) != nil }
    try await call(adapter.path, interface, "StopDiscovery")
    guard let device = try await objects().device(at: machine) else {
      throw CannotBePlayed(description: "bluetoothd has forgotten \(machine) again")
    }
    return device.path
  }

  private func remove(_ device: ObjectPath) async throws {
    // A device's object lies below its adapter's.
    guard let adapter = device.parent else { return }
    try await call(adapter, "org.bluez.Adapter1", "RemoveDevice", [.objectPath(device)])
  }

  private func set(power isOn: Bool, of adapter: MockAddress) async throws {
    guard let found = try await objects().adapter(at: adapter) else {
      throw CannotBePlayed(description: "there is no adapter \(adapter)")
    }
    guard found.isPowered != isOn else { return }
    do {
      try await set(found.path, "org.bluez.Adapter1", "Powered", .boolean(isOn))
    } catch let error as DBusError where error.name == "org.bluez.Error.Busy" {
      // bluetoothd is at it already.
      try await until("\(adapter) is \(isOn ? "on" : "off")") {
        $0.adapter(at: adapter)?.isPowered == isOn
      }
    }
  }

  // MARK: Verbs

  func perform(_ verb: MockVerb) async throws {
    switch verb {
    case .wait(let duration): try await clock.sleep(for: duration)
    case .machine(let machine): try await place(machine)
    case .vanish, .appear, .drop, .newAddress, .changeTable, .notify, .notifyBytes, .garbage,
      .clearFaults, .fault(_, .drop, _), .fault(_, .resolveHangs, _), .fault(_, .hangWrites, _),
      .fault(_, .slowNotify, _), .fault(_, .answers, _), .fault(_, .lateAnswers, _):
      try await peer.tell(verb.peerLine)
    case .fault(let machine, .failWrites(let error), let times),
      .fault(let machine, .failNotify(let error), let times):
      // It is the machine that refuses here, with an ATT error.
      guard let code = error.attributeCode else { throw cannotPlay(verb) }
      let words = [verb.name, machine, code] + times.words
      try await peer.tell(words.joined(separator: " "))
    case .addAdapter(let adapter):
      try await plug(adapter)
      // bluetoothd powers on what is plugged in. Nobody switches it off behind the link's back: a
      // Connect may be pending, which Linux 6.1 does not survive.
      if adapter.isPowered { try await set(power: true, of: adapter.address) }
    case .removeAdapter(let name, _): try await unplug(name)
    case .power(let name, let position): try await turn(name, position)
    case .removeObject(let machine):
      guard let device = try await objects().device(named: machine) else {
        throw cannotPlay(verb)
      }
      try await remove(device.path)
    case .link(let machine, nil):
      guard let address = MockAddress(machine) else { throw cannotPlay(verb) }
      try await call(try await discover(address), "org.bluez.Device1", "Connect")
    case .down: try await bluetoothd("kill")
    case .up: try await bluetoothd("start")
    case .restart(let pause):
      // It is killed when it runs; in a box without KVM it may take its time to.
      await restart?.value
      try await bluetoothd("kill")
      // As the mock does it: whoever restarts it does not wait for it.
      restart = Task {
        try? await clock.sleep(for: pause)
        do { try await bluetoothd("start") } catch { print("restart: \(error)") }
      }
    default: throw cannotPlay(verb)
    }
  }

  private func cannotPlay(_ verb: MockVerb) -> CannotBePlayed {
    CannotBePlayed(description: "\(verb) can't be played on the real stack")
  }

  /// As a person does: by a program that sets `Powered`, or by rfkill.
  private func turn(_ name: String, _ position: MockPowerSwitch) async throws {
    switch position {
    case .on, .off:
      let path = try ObjectPath("/org/bluez/\(name)")
      try await set(path, "org.bluez.Adapter1", "Powered", .boolean(position == .on))
    case .blocked, .unblocked:
      let folder = "/sys/class/bluetooth/\(name)"
      let entries = try FileManager.default.contentsOfDirectory(atPath: folder)
      guard let rfkill = entries.first(where: { $0.hasPrefix("rfkill") }) else {
        throw CannotBePlayed(description: "\(folder) has no rfkill")
      }
      let file = try FileHandle(forWritingTo: URL(filePath: "\(folder)/\(rfkill)/soft"))
      try file.write(contentsOf: Data((position == .blocked ? "1" : "0").utf8))
      try file.close()
    }
  }

  private func bluetoothd(_ what: String) async throws {
    let program = try RunningProgram([], script: "exec '\(control)/bluetoothd' \(what)")
    program.endInput()
    let result = await program.result()
    guard result.code == 0 else {
      throw CannotBePlayed(description: "bluetoothd \(what): \(result.output)\(result.errors)")
    }
    if what == "kill" { publish(.down) } else { publish(.up) }
  }

  // MARK: The other program

  private func isBluetoothdThere() async throws -> Bool {
    let bus = "org.freedesktop.DBus"
    let reply = try await connection.call(
      MethodCall(
        destination: bus,
        path: .root,
        interface: bus,
        member: "NameHasOwner",
        arguments: [.string("org.bluez")]
      ),
      within: .seconds(60)
    )
    return reply.arguments.first?.bool ?? false
  }

  private func objects() async throws -> BlueZObjects {
    let root = ObjectPath.root
    let objectManager = "org.freedesktop.DBus.ObjectManager"
    let reply = try await call(root, objectManager, "GetManagedObjects")
    return BlueZObjects(reply.arguments.first?.dictionary ?? [:])
  }

  /// Returns once this is so.
  private func until(_ what: String, _ isSo: (BlueZObjects) -> Bool) async throws {
    let end = clock.now.advanced(by: Setups.patience)
    let alarm = Task {
      try await clock.sleep(until: end, tolerance: nil)
      wake()
    }
    defer { alarm.cancel() }
    while true {
      // It may change while it is asked for: look again after whatever comes in the meantime.
      let count = heard
      if let objects = try? await objects(), isSo(objects) { return }
      guard clock.now < end else { throw CannotBePlayed(description: "never: \(what)") }
      if heard == count { await withCheckedContinuation { waiters.append($0) } }
    }
  }

  @discardableResult
  private func call(
    _ path: ObjectPath,
    _ interface: String,
    _ member: String,
    _ arguments: [Value] = []
  ) async throws -> Reply {
    try await connection.call(
      MethodCall(
        destination: "org.bluez",
        path: path,
        interface: interface,
        member: member,
        arguments: arguments
      ),
      within: .seconds(60)
    )
  }

  private func set(
    _ path: ObjectPath,
    _ interface: String,
    _ name: String,
    _ value: Value
  ) async throws {
    try await call(
      path,
      "org.freedesktop.DBus.Properties",
      "Set",
      [.string(interface), .string(name), .variant(value)]
    )
  }

  func traces(of machine: MockAddress?, after events: [MockEvent]) async -> [String] {
    do {
      // One that is gone has left neither.
      guard try await isBluetoothdThere() else { return [] }
      let objects = try await objects()
      return objects.adapters.filter(\.isDiscovering).map { "a scan of somebody on \($0.path)" }
        + objects.devices.filter(\.isConnected)
        .filter { machine == nil || $0.address == machine }
        .map { "a connection to \($0.address)" }
    } catch {
      return ["the objects could not be had: \(error)"]
    }
  }

  // MARK: Hearing

  /// How many messages there were on the bus.
  private var heard = 0

  private func wake() {
    for waiter in waiters { waiter.resume() }
    waiters = []
  }

  /// BlueZ says at the end of each client's scan that nobody scans now, if the others have ended theirs
  /// by the time it does.
  private func isNews(_ event: MockEvent.Kind) -> Bool {
    switch event {
    case .discoveryStarted(let adapter, _): scanning.insert(adapter).inserted
    case .discoveryStopped(let adapter, _): scanning.remove(adapter) != nil
    default: true
    }
  }

  private func publish(_ kind: MockEvent.Kind) {
    guard isSet else { return }
    continuation.yield(MockEvent(kind: kind, time: clock.now.seconds))
  }

  private func hear(_ event: PeerClient.Event) {
    guard isSet, event.event == "write", let write = event.write else { return }
    received[write.machine, default: []].append(write.write)
    publish(.write(write.write, machine: write.machine))
  }

  private func hear(_ message: BusMessage) {
    guard message.sender != connection.uniqueName, message.destination != connection.uniqueName
    else { return }
    for event in message.events where isNews(event) { publish(event) }
    guard message.type == .signal else { return }
    heard += 1
    wake()
  }
}
