import CourtLogic
import FoundationEssentials
import Glibc
import MachineLink

/// Serves the control socket's clients on a thread of its own, which sleeps in `poll` while nothing
/// comes. It decides nothing: requests go to tasks through `start`, answers and events come back
/// through the mailbox.
struct ControlLoop {
  /// Clients that may be connected at once.
  static let clientLimit = 128
  /// Of these, the places that only operators and technicians get.
  static let reservedPlaces = 16
  /// Bytes that a client may have read in its turn.
  private static let readBudget = 4096
  /// How long no client is accepted after the system ran out of descriptors.
  private static let acceptPause = Duration.seconds(1)

  let listener: ListeningSocket
  let mailbox: ControlMailbox
  let access: ControlSettings
  let role: @Sendable (FileDescriptor) -> ControlRole
  let texts: ControlTexts
  let clock: any MonotonicClock
  let start: @Sendable (ControlCall) -> Void

  private var peers: [ControlPeer] = []
  private var lastNumber = 0
  private var acceptPaused = false
  private var buffer = [UInt8](repeating: 0, count: readBudget)
  /// The newest of the link and of safety, for whoever subscribes.
  private var link: EventRecord?
  private var safety: EventRecord?

  init(
    listener: ListeningSocket,
    mailbox: ControlMailbox,
    access: ControlSettings,
    role: @escaping @Sendable (FileDescriptor) -> ControlRole,
    texts: ControlTexts,
    clock: any MonotonicClock,
    start: @escaping @Sendable (ControlCall) -> Void
  ) {
    self.listener = listener
    self.mailbox = mailbox
    self.access = access
    self.role = role
    self.texts = texts
    self.clock = clock
    self.start = start
  }

  /// Returns when the interruption comes.
  mutating func run(until interruption: FileDescriptor) throws(SystemError) {
    while true {
      let now = clock.now
      var polled = [
        interruption.number, mailbox.announcement.number,
        acceptPaused ? -1 : listener.descriptor.number,
      ].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      polled += peers.map { $0.interest(at: now) }
      guard poll(&polled, nfds_t(polled.count), timeout(at: now)) >= 0 else {
        if errno == EINTR { continue }
        throw SystemError("wait for the control socket's clients")
      }
      acceptPaused = false
      let isInterrupted = polled[0].revents != 0
      // The end waits for nothing that clients want.
      for index in peers.indices where !isInterrupted && polled[index + 3].revents != 0 {
        serve(index, polled[index + 3].revents)
      }
      if isInterrupted || polled[1].revents != 0 { takeMail() }
      for index in peers.indices { peers[index].flush(present: presentEvents) }
      if isInterrupted { return }
      peers.removeAll(where: \.isThrough)
      if polled[2].revents != 0 { acceptClients() }
    }
  }

  /// Milliseconds until a client that asked too much is read again, or clients are accepted again;
  /// for ever when there is neither.
  private func timeout(at now: MonotonicInstant) -> Int32 {
    var pauses = peers.compactMap { $0.pause(at: now) }
    if acceptPaused { pauses.append(Self.acceptPause) }
    guard let shortest = pauses.min() else { return -1 }
    return Int32((shortest / .milliseconds(1)).rounded(.up))
  }

  // MARK: Clients

  private mutating func acceptClients() {
    // A round at most: a storm of them must not keep the others waiting.
    for _ in 0..<Self.reservedPlaces {
      do throws(SystemError) {
        guard let descriptor = try listener.accept() else { return }
        welcome(descriptor)
      } catch {
        // Out of descriptors or memory: those that are there go on, the new one waits in line.
        acceptPaused = true
        return
      }
    }
  }

  private mutating func welcome(_ descriptor: FileDescriptor) {
    let role = role(descriptor)
    lastNumber += 1
    var peer = ControlPeer(number: lastNumber, role: role, descriptor: descriptor, at: clock.now)
    let places = Self.clientLimit - (role >= .operator ? 0 : Self.reservedPlaces)
    guard peers.count < places else {
      let error = ControlError(.tooMany, "\(peers.count) clients are connected already")
      peer.say(ControlMessage.failure(.null, error))
      peer.flush { [] }
      return
    }
    peer.say(texts.hello(role: role, mode: mode))
    peer.flush { [] }
    peers.append(peer)
  }

  private var mode: String? {
    guard case .link(let status) = link?.event else { return nil }
    return status.mode
  }

  private mutating func serve(_ index: Int, _ events: Int16) {
    for content in peers[index].read(events, into: &buffer, at: clock.now) {
      guard case .line(let line) = content else {
        let error = ControlError(
          .parseError,
          "this line is longer than \(ControlRequest.longestLine) bytes"
        )
        peers[index].say(ControlMessage.failure(.null, error))
        continue
      }
      if !line.isEmpty { take(line, from: index) }
    }
  }

  private mutating func take(_ line: [UInt8], from index: Int) {
    let request: ControlRequest
    do throws(ControlRequest.Malformed) { request = try ControlRequest(line) } catch {
      peers[index].say(ControlMessage.failure(error.id, error.error))
      return
    }
    do throws(ControlError) {
      try carryOut(request, for: index)
    } catch {
      guard let id = request.id else { return }
      peers[index].say(ControlMessage.failure(id, error))
    }
  }

  private mutating func carryOut(_ request: ControlRequest, for index: Int) throws(ControlError) {
    if let role = ControlMethod.role(of: request.method), peers[index].role < role,
      let group = access.group(for: role)
    {
      throw .forbidden(request.method, role: role, group: group)
    }
    let method = try ControlMethod(request.method, request.parameters)
    if method == .subscribe {
      subscribe(index, request.id)
      return
    }
    let call = ControlCall(client: peers[index].number, id: request.id, method: method)
    try peers[index].admit(call)
    if call.isStop { start(call) } else { startNext(index) }
  }

  private mutating func startNext(_ index: Int) {
    if let call = peers[index].next() { start(call) }
  }

  // MARK: Events

  private mutating func subscribe(_ index: Int, _ id: JSONValue?) {
    peers[index].subscribe()
    if let id { peers[index].say(ControlMessage.response(id, ["subscribed": true])) }
    for (line, kind) in presentEvents() { peers[index].tell(line, kind) }
  }

  private func presentEvents() -> [(Data, EventKind)] {
    [link, safety].compactMap { $0.map { (Self.line($0), $0.event.kind) } }
  }

  private static func line(_ record: EventRecord) -> Data {
    ControlMessage.notification("event", record)
  }

  private mutating func takeMail() {
    let mail = mailbox.empty()
    for (call, answer) in mail.answers { deliver(answer, to: call) }
    if mail.lostEvents > 0 {
      for index in peers.indices { peers[index].miss(mail.lostEvents) }
    }
    for (event, instant) in mail.events { tell(texts.record(event, at: instant)) }
  }

  private mutating func tell(_ record: EventRecord) {
    switch record.event {
    case .link: link = record
    case .safety: safety = record
    default: break
    }
    guard peers.contains(where: \.isSubscribed) else { return }
    // Once for all of them.
    let line = Self.line(record)
    for index in peers.indices { peers[index].tell(line, record.event.kind) }
  }

  private mutating func deliver(_ answer: ControlAnswer, to call: ControlCall) {
    guard let index = peers.firstIndex(where: { $0.number == call.client }) else { return }
    peers[index].finish(call)
    if let id = call.id { peers[index].say(texts.response(id, answer)) }
    startNext(index)
  }
}
