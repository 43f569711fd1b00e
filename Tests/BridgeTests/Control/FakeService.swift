import Clocks
import CourtLogic
import MachineLink
import Positions

@testable import Bridge
@testable import Configuration
@testable import ControlProtocol
@testable import Safety

/// A service that does what it is asked, as soon as the test lets it.
actor FakeService: ControlledService {
  private(set) var requests: [SafetyRequest] = []
  private(set) var sent: [MachineCommand] = []
  private var refusal: SafetyRefusal?
  private var held: [SafetyRequest] = []
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private var observers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  private var subscribers: [EventBuffer<BridgeEvent>] = []
  let table = CommandTableFile.builtIn
  var summary = BridgeSummary()
  private var status: LinkStatus = {
    var status = LinkStatus(since: .start)
    status.phase = .ready
    status.isSimulated = true
    return status
  }()
  private var safety = SafetyStatus(state: .disarmed(.atStart), since: .start)

  /// Requests like these are not carried out before ``release()``.
  func hold(_ requests: [SafetyRequest]) { held = requests }

  func release() {
    held = []
    for waiter in waiters { waiter.resume() }
    waiters = []
  }

  func refuse(_ refusal: SafetyRefusal) { self.refusal = refusal }

  /// Stops that nobody waits for.
  private(set) var stopsBesides = 0

  func beginStop() {
    stopsBesides += 1
    begin(.stop)
  }

  private func begin(_ request: SafetyRequest) {
    requests.append(request)
    for observer in observers where observer.count <= requests.count {
      observer.continuation.resume()
    }
    observers.removeAll { $0.count <= requests.count }
  }

  /// The requests' clients that balls depend on.
  private(set) var clients: [ClientPresence?] = []
  private(set) var clientsGone = 0

  func clientGone() { clientsGone += 1 }

  func perform(
    _ request: SafetyRequest,
    while client: ClientPresence?,
    asOf mark: StopCount.Mark?
  ) async -> SafetyReply {
    clients.append(client)
    begin(request)
    if held.contains(request) { await withCheckedContinuation { waiters.append($0) } }
    if request == .stop {
      safety.state = .stopped(.confirmed)
      return .stopped(.confirmed, safety)
    }
    return refusal.map { .refused($0) } ?? .accepted(safety)
  }

  /// Returns when so many requests have begun.
  func begun(_ count: Int) async {
    guard requests.count < count else { return }
    await withCheckedContinuation { observers.append((count, $0)) }
  }

  func sendManually(_ command: MachineCommand, asOf mark: StopCount.Mark?) async -> ManualReply {
    if command == .stop { return .stopped(.unconfirmed) }
    sent.append(command)
    return .sent(
      ManualRecord(
        number: sent.count,
        command: command.text,
        outcome: OutcomeRecord(.delivered),
        latency: 0.048
      ),
      at: .start
    )
  }

  var snapshot: BridgeSnapshot {
    BridgeSnapshot(
      time: .start.advanced(by: .seconds(10)),
      link: status,
      safety: safety,
      player: nil,
      nextDecision: nil,
      lastDispatch: nil,
      summary: summary
    )
  }

  /// What feeders send.
  var feeders: [FeederFigures] = []

  var feed: FeedSnapshot { FeedSnapshot(bridge: snapshot, feeders: feeders) }

  var commands: TableRecord { TableRecord(table, fallback: table[.fallback], stop: .stop) }

  func command(for zone: Zone) -> MachineCommand { table[zone] }

  func subscribe(backlog: Int?) async -> BridgeEvents {
    // None is lost before it reaches the server, however fast a test tells them.
    let buffer = EventBuffer(room: { _ in 1_000_000 }, dropped: BridgeEvent.dropped)
    buffer.append(.link(status), .link)
    buffer.append(.safety(safety), .safety)
    subscribers.append(buffer)
    return BridgeEvents(buffer)
  }

  private(set) var followers: [EventBuffer<BridgeEvent>] = []
  /// Followers that have gone.
  private(set) var formerFollowers = 0

  func followPlayer() async -> BridgeEvents {
    let buffer = EventBuffer(room: { _ in 1 }, dropped: BridgeEvent.dropped)
    followers.append(buffer)
    return BridgeEvents(buffer) { Task { await self.leave() } }
  }

  private func leave() { formerFollowers += 1 }

  func see(x: Double) throws {
    let position = try PlayerPosition(x: x, y: 9.8)
    let source = SourceID(connection: "client 1", id: "near")
    for follower in followers {
      follower.append(.positions(.position(position, from: source, at: .start)), .feed)
    }
  }

  var subscriberCount: Int { subscribers.count }

  func publish(_ event: BridgeEvent) {
    for subscriber in subscribers { subscriber.append(event, event.kind) }
  }
}
