import Clocks
import Configuration
import ControlProtocol
import Glibc
import Host
import JSON
import MachineLink
import Safety

/// Serves the control socket's clients on a thread of its own, which sleeps in `poll` while nothing
/// comes. It decides nothing: requests go to tasks as orders, answers and events come back through
/// the mailbox.
struct ControlLoop {
  /// Stops of one user that may wait for their outcomes. Further stops are carried out too, but
  /// answered at once.
  static let mostStops = 16
  /// Bytes that a client may have read in its turn.
  private static let readBudget = 4096
  /// Bytes that are read from a guest before it is disconnected: more than a socket's buffer holds
  /// (208 kB on Linux).
  private static let longestRest = 1 << 18

  let listener: KeptListener
  let mailbox: ControlMailbox
  let access: ControlSettings
  let identify: @Sendable (FileDescriptor) -> ControlIdentity
  let texts: ControlTexts
  let clock: any MonotonicClock
  let orders: ControlOrders

  private var peers: [ControlPeer] = []
  private var lastNumber = 0
  private var acceptPaused = false
  /// The stops that had come in when the present turn began.
  private var stops = 0
  private var buffer = [UInt8](repeating: 0, count: readBudget)
  /// The newest event of each of these, for new subscribers.
  private var link: EventRecord?
  private var safety: EventRecord?
  private var training: EventRecord?
  private var isFollowingPlayer = false

  init(
    listener: KeptListener,
    mailbox: ControlMailbox,
    access: ControlSettings,
    identify: @escaping @Sendable (FileDescriptor) -> ControlIdentity,
    texts: ControlTexts,
    clock: any MonotonicClock,
    orders: ControlOrders
  ) {
    self.listener = listener
    self.mailbox = mailbox
    self.access = access
    self.identify = identify
    self.texts = texts
    self.clock = clock
    self.orders = orders
  }

  /// Returns when the interruption comes.
  mutating func run(until interruption: FileDescriptor) throws(SystemError) {
    while true {
      let now = clock.now
      stops = mailbox.stops.value
      let socket = listener.socket
      var polled = [
        interruption.number, mailbox.announcement.number,
        acceptPaused ? -1 : socket.descriptor.number,
      ].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      polled += peers.map { $0.interest(at: now) }
      // A peer that doesn't know of a stop learns of it while it has nothing to read.
      let isSettled = zip(polled.dropFirst(3), peers).allSatisfy { $1.knows(stops, polled: $0) }
      guard poll(&polled, nfds_t(polled.count), isSettled ? timeout(at: now) : 0) >= 0 else {
        if errno == EINTR { continue }
        throw SystemError("wait for the control socket's clients")
      }
      for index in peers.indices { peers[index].learn(stops, polled: polled[index + 3]) }
      acceptPaused = false
      let isInterrupted = polled[0].revents != 0
      // Clients must not delay the end.
      for index in peers.indices where !isInterrupted && polled[index + 3].revents != 0 {
        serve(index, polled[index + 3].revents)
      }
      if isInterrupted || polled[1].revents != 0 { takeMail() }
      for index in peers.indices {
        peers[index].flush(at: clock.now, present: presentEvents)
        if peers[index].takeEnd() { orders.clientsGone.continuation.yield() }
      }
      if isInterrupted { return }
      for index in peers.indices { startNext(index) }
      peers.removeAll(where: \.isThrough)
      if isFollowingPlayer != peers.contains(where: \.wantsPlayer) {
        isFollowingPlayer.toggle()
        orders.following.continuation.yield(isFollowingPlayer)
      }
      if polled[2].revents != 0 { acceptPaused = !socket.acceptTurn { welcome($0) } }
    }
  }

  /// Milliseconds until a client that asked too much is read or served again, or clients are
  /// accepted again; for ever when nothing is paused.
  private func timeout(at now: MonotonicInstant) -> Int32 {
    var pauses = peers.compactMap { $0.pause(at: now) }
    if acceptPaused { pauses.append(ListeningSocket.pause) }
    guard let shortest = pauses.min() else { return -1 }
    return Int32((shortest / .milliseconds(1)).rounded(.up))
  }

  // MARK: Clients

  private mutating func welcome(_ descriptor: FileDescriptor) {
    let identity = identify(descriptor)
    lastNumber += 1
    let refusal = ControlPlaces.refusal(
      of: identity,
      beside: peers.filter { !$0.isGuest }.map(\.identity)
    )
    var peer = ControlPeer(
      number: lastNumber,
      identity: identity,
      refusal: refusal,
      descriptor: descriptor,
      stops: stops
    )
    if peer.isGuest { makeRoomForGuest() }
    peer.say(
      refusal.map { ControlMessage.failure(.null, $0) }
        ?? texts.hello(role: identity.role, groups: access.groups, mode: mode)
    )
    peer.flush(at: clock.now) { [] }
    peers.append(peer)
  }

  private mutating func makeRoomForGuest() {
    let guests = peers.indices.filter { peers[$0].isGuest && peers[$0].descriptor != nil }
    let offset = ControlPlaces.leaving(
      guests.map { (user: peers[$0].identity.user, isStopping: peers[$0].stops > 0) }
    )
    guard let offset, let descriptor = peers[guests[offset]].descriptor else { return }
    let guest = guests[offset]
    peers[guest].leave()
    // It may have sent a stop that has not been read yet.
    for _ in 0..<Self.longestRest / Self.readBudget {
      guard let rest = peers[guest].readRest(of: descriptor, into: &buffer) else { return }
      receive(rest, from: guest)
    }
  }

  private var mode: String? { if case .link(let status) = link?.event { status.mode } else { nil } }

  private mutating func serve(_ index: Int, _ events: Int16) {
    receive(peers[index].read(events, into: &buffer, at: clock.now), from: index)
  }

  private mutating func receive(_ contents: [LineSplitter.Content], from index: Int) {
    for content in contents {
      switch content {
      case .line(let line): if !line.isEmpty { receive(line, from: index) }
      case .unterminated(let line):
        // What follows might be missing. Fewer balls are right in any case.
        let method = (try? ControlLine(line))?.method ?? ""
        if let method = ControlMethod(rawValue: method), [.stop, .pause, .disarm].contains(method) {
          receive(line, from: index)
        } else {
          let error = ControlError(.parseError, "not done: this line has no line feed at its end")
          peers[index].say(ControlMessage.failure(.null, error))
        }
      case .tooLong:
        peers[index].say(ControlMessage.failure(.null, .tooLong(ControlLine.longest)))
        peers[index].longLine = StopScan()
      case .rest(let bytes):
        guard !peers[index].longLine.hasFound else { continue }
        peers[index].longLine.look(at: bytes)
        if peers[index].longLine.hasFound {
          stop(for: index, answerID: ControlLine.bareStop.id)
        }
      }
    }
  }

  private mutating func receive(_ bytes: [UInt8], from index: Int) {
    let line: ControlLine
    do throws(ControlLine.Malformed) { line = try ControlLine(bytes) } catch {
      peers[index].say(ControlMessage.failure(error.id, error.error))
      return
    }
    // A stop needs no role and waits for no request.
    guard !line.isStop else {
      stop(for: index, answerID: line.id)
      return
    }
    do throws(ControlError) {
      try carryOut(line, for: index)
    } catch {
      guard let id = line.id else { return }
      peers[index].say(ControlMessage.failure(id, error))
    }
  }

  private mutating func carryOut(_ line: ControlLine, for index: Int) throws(ControlError) {
    if let refusal = peers[index].refusal { throw refusal }
    let method = try line.method(of: ControlMethod.self)
    if peers[index].identity.role < method.role, let group = access.group(for: method.role) {
      throw .forbidden(method, group: group)
    }
    let request = try ControlRequest(method, line.parameters)
    if case .subscribe(let interval) = request {
      subscribe(index, line.id, player: interval)
      return
    }
    try peers[index].admit(
      ControlCall(
        client: peers[index].presence,
        id: line.id,
        request: request,
        mark: StopCount.Mark(mailbox.stops, peers[index].earlierStops)
      )
    )
    startNext(index)
  }

  private mutating func startNext(_ index: Int) {
    // A pause may start beside a request that reads a disk.
    while let call = peers[index].next(at: clock.now) { orders.start(call) }
  }

  private mutating func stop(for index: Int, answerID: JSONValue?) {
    mailbox.stopCame()
    peers[index].earlierStops += 1
    let user = peers[index].identity.user
    let underWay = peers.reduce(0) { $0 + ($1.identity.user == user ? $1.stops : 0) }
    guard underWay < Self.mostStops else {
      orders.unreportedStops.continuation.yield()
      if let answerID { peers[index].say(texts.pendingStop(answerID, mode: mode)) }
      return
    }
    peers[index].beginStop()
    orders.start(ControlCall(client: peers[index].presence, id: answerID, request: .stop))
  }

  // MARK: Events

  private mutating func subscribe(_ index: Int, _ id: JSONValue?, player interval: Duration?) {
    peers[index].subscribe(player: interval)
    if let id { peers[index].say(ControlMessage.response(id, ["subscribed": true])) }
    for (line, kind) in presentEvents() { peers[index].notify(line, kind) }
  }

  private func presentEvents() -> [([UInt8], EventKind)] {
    [link, safety, training].compactMap { $0.map { (Self.line($0), $0.kind) } }
  }

  private static func line(_ record: EventRecord) -> [UInt8] {
    ControlMessage.notification("event", record)
  }

  private mutating func takeMail() {
    var mail = mailbox.empty()
    for (call, answer) in mail.answers { deliver(answer, to: call) }
    let lost = mail.events.takeLost()
    if lost > 0 {
      for index in peers.indices { peers[index].miss(lost) }
    }
    while let (event, instant) = mail.events.popFirst() {
      notify(texts.record(event, at: instant))
    }
    if let player = mail.player {
      let line = Self.line(texts.record(player, at: clock.now))
      for index in peers.indices { peers[index].notify(player: line) }
    }
  }

  private mutating func notify(_ record: EventRecord) {
    switch record.event {
    case .link: link = record
    case .safety: safety = record
    case .training: training = record
    default: break
    }
    guard peers.contains(where: \.isSubscribed) else { return }
    // Encoded once for all subscribers.
    let line = Self.line(record)
    for index in peers.indices { peers[index].notify(line, record.kind) }
  }

  private mutating func deliver(_ answer: ControlAnswer, to call: ControlCall) {
    guard let index = peers.firstIndex(where: { $0.presence === call.client }) else { return }
    peers[index].finish(call)
    if let id = call.id { peers[index].say(texts.response(id, answer, mode: mode)) }
  }
}
