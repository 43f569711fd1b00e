import CourtLogic
import Glibc
import Testing

@testable import Bridge
@testable import Clocks
@testable import Configuration
@testable import ControlProtocol
@testable import Host

struct GroupRolesTests {
  private let roles = GroupRoles(
    ControlSettings(),
    serviceUser: 900,
    number: {
      ["ballmachine": 10, "ballmachine-operator": 20, "ballmachine-technician": 30][$0]
    }
  )

  @Test(
    arguments: [
      (0, [], .technician), (900, [], .technician), (1000, [], .none), (1000, [5], .none),
      (1000, [10], .reader), (1000, [5, 20], .operator), (1000, [30, 10], .technician),
    ] as [(uid_t, [gid_t], ControlRole)]
  )
  func theGreatestRoleOfAGroupCounts(user: uid_t, groups: [gid_t], role: ControlRole) {
    #expect(roles.role(of: PeerCredentials(user: user, groups: groups)) == role)
  }

  @Test func aGroupThatDoesNotExistGivesNobodyARole() {
    let roles = GroupRoles(ControlSettings(), serviceUser: 900) { _ in nil }
    #expect(roles.role(of: PeerCredentials(user: 1000, groups: [0, 10])) == .none)
  }

  @Test func theKernelTellsWhoIsThere() throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let sockets = ends.map { FileDescriptor(owning: $0) }
    let peer = try #require(PeerCredentials(of: sockets[0]))
    #expect(peer.user == geteuid())
    var groups = [gid_t](repeating: 0, count: 1024)
    let count = getgroups(Int32(groups.count), &groups)
    #expect(Set(peer.groups) == Set(groups.prefix(Int(count)) + [getegid()]))
    let pipe = try FileDescriptor.pipe()
    #expect(PeerCredentials(of: pipe.reading) == nil)
  }
}

struct AllowanceTests {
  private func instant(_ seconds: Double) -> MonotonicInstant {
    .start.advanced(by: .seconds(seconds))
  }

  @Test func whoAsksTooMuchPausesUntilItIsMadeUpFor() {
    var allowance = Allowance(200)
    allowance.spend(200, at: .start)
    #expect(allowance.pause(at: .start) == nil)
    allowance.spend(100, at: .start)
    #expect(allowance.pause(at: .start) == .seconds(0.5))
    #expect(allowance.pause(at: instant(0.25)) == .seconds(0.25))
    #expect(allowance.pause(at: instant(0.5)) == nil)
    // A long rest gives no more than one burst.
    allowance.spend(300, at: instant(1_000))
    #expect(allowance.pause(at: instant(1_000)) == .seconds(0.5))
  }
}

struct RequestQueueTests {
  /// The allowance may be there again by the time that the loop asks how long to sleep.
  @Test func whatWaitsForTheAllowanceIsNotForgottenOnceItIsThere() throws {
    var queue = RequestQueue()
    let call = ControlCall(client: ClientPresence(number: 1), id: nil, request: .status)
    try queue.admit(call)
    while queue.next(at: .start) != nil {
      queue.finish(call.request)
      try queue.admit(call)
    }
    let pause = try #require(queue.pause(at: .start))
    #expect(pause > .zero)
    let later = MonotonicInstant.start.advanced(by: pause * 2)
    #expect(queue.pause(at: later) == .zero)
    #expect(queue.next(at: later) != nil)
    #expect(queue.pause(at: later) == nil)
  }
}

struct OutputBufferTests {
  @Test func whoTakesALittleNowAndThenDoesNotLetItGrow() throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let (near, far) = (FileDescriptor(owning: ends[0]), FileDescriptor(owning: ends[1]))
    try near.setNonBlocking()
    var output = OutputBuffer()
    var buffer = [UInt8](repeating: 0, count: 1_000)
    var received = 0
    var sent = 0
    while sent < 10_000_000 {
      while output.count < 100_000 {
        output.append(line: [UInt8](repeating: 7, count: 999))
        sent += 1_000
      }
      let isThere = output.flush(to: near)
      #expect(isThere)
      received += read(far.number, &buffer, buffer.count)
      #expect(output.heldBytes < 300_000)
    }
    #expect(received < sent)
  }

  @Test func aClientThatHasGoneIsNoticed() throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let near = FileDescriptor(owning: ends[0])
    _ = close(ends[1])
    var output = OutputBuffer()
    output.append(line: [1])
    let isThere = output.flush(to: near)
    #expect(!isThere)
  }
}

struct ControlPlacesTests {
  private func identity(_ user: uid_t, _ role: ControlRole) -> ControlIdentity {
    ControlIdentity(user: user, role: role)
  }

  /// So many clients, of as few users as may be.
  private func clients(_ count: Int, _ role: ControlRole) -> [ControlIdentity] {
    (0..<count).map { identity(uid_t(2_000 + $0 / ControlPlaces.ofOneUser), role) }
  }

  @Test func aUserHasSoManyPlaces() {
    var placed: [ControlIdentity] = []
    for user: uid_t in [0, 1_000] {
      for _ in 0..<ControlPlaces.ofOneUser {
        #expect(ControlPlaces.refusal(of: identity(user, .technician), beside: placed) == nil)
        placed.append(identity(user, .technician))
      }
      let refusal = ControlPlaces.refusal(of: identity(user, .technician), beside: placed)
      #expect(refusal?.code == .tooMany)
    }
    #expect(ControlPlaces.refusal(of: identity(1_001, .reader), beside: placed) == nil)
  }

  @Test func readersLeaveRoomForOperators() {
    let most = ControlPlaces.count - ControlPlaces.reserved
    let newcomer = { identity(1_000, $0) }
    #expect(ControlPlaces.refusal(of: newcomer(.reader), beside: clients(most - 1, .reader)) == nil)
    let full = clients(most, .reader)
    #expect(ControlPlaces.refusal(of: newcomer(.reader), beside: full)?.code == .tooMany)
    #expect(ControlPlaces.refusal(of: newcomer(.operator), beside: full) == nil)
    let all = full + clients(ControlPlaces.reserved, .operator)
    #expect(ControlPlaces.refusal(of: newcomer(.technician), beside: all)?.code == .tooMany)
  }

  @Test func whoMayOnlyStopNeedsNoPlace() {
    let all = clients(ControlPlaces.count, .operator)
    #expect(ControlPlaces.refusal(of: identity(1_000, .none), beside: all) == nil)
  }

  @Test func theOldestGuestOfTheUserWithTheMostMakesRoom() {
    var guests: [(user: uid_t, isStopping: Bool)] = [(1, false), (2, true), (2, false)]
    #expect(ControlPlaces.leaving(guests) == nil)
    guests += Array(repeating: (user: 2, isStopping: false), count: ControlPlaces.guests - 3)
    #expect(ControlPlaces.leaving(guests) == 2, "one whose stop is under way stays for its answer")
    guests = Array(repeating: (user: 3, isStopping: true), count: ControlPlaces.guests)
    #expect(ControlPlaces.leaving(guests) == 0)
  }
}

struct StopScanTests {
  @Test(
    arguments: [
      (#"{"method":"stop"}"#, true), ("\"method\"\t: \"stop\"", true), (#"{"method":"stop""#, true),
      (#"{"method":"stopped"}"#, false), (#"{"method":"status","stop":1}"#, false), ("stop", false),
      (#"{"a":"\"method\":\"stop\""}"#, false), (#""method"method":"stop""#, true),
    ]
  )
  func theMethodIsFoundInWhateverPieces(text: String, isThere: Bool) {
    for bytes in [Array(text.utf8), text.utf8.flatMap { [$0, 0] }, text.utf8.flatMap { [0, $0] }] {
      for size in 1...bytes.count {
        var scan = StopScan()
        for start in stride(from: 0, to: bytes.count, by: size) {
          scan.look(at: Array(bytes[start..<min(start + size, bytes.count)]))
        }
        #expect(scan.hasFound == isThere, "in pieces of \(size)")
      }
    }
  }
}

struct ControlPeerTests {
  /// A client that is there, and its own end.
  private func connected() throws -> (peer: ControlPeer, far: FileDescriptor) {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let (near, far) = (FileDescriptor(owning: ends[0]), FileDescriptor(owning: ends[1]))
    for descriptor in [near, far] { try descriptor.setNonBlocking() }
    let identity = ControlIdentity(user: 1_000, role: .reader)
    return (ControlPeer(number: 1, identity: identity, descriptor: near), far)
  }

  @Test func whatAClientTakesInMemoryIsBounded() throws {
    let (near, far) = try connected()
    var peer = near
    peer.subscribe(player: nil)
    let half = [UInt8](repeating: UInt8(ascii: "x"), count: 4096)
    let line = ControlMessage.notification("event", ["event": "stop"])
    var buffer = [UInt8](repeating: 0, count: 4096)
    var greatest = 0
    for second in 0..<10_000 {
      // Lines that never end, and events that are never read.
      _ = write(far.number, half, half.count)
      let now = MonotonicInstant.start.advanced(by: .seconds(second))
      #expect(peer.read(Int16(POLLIN), into: &buffer, at: now).count <= 2)
      peer.notify(line, .feed)
      peer.flush(at: .start) { [] }
      greatest = max(greatest, peer.heldBytes)
      #expect(peer.waitingEvents <= 32)
    }
    #expect(greatest >= ControlLine.longest)
    // The longest line, in an array that has grown by doubling, and what goes to the socket next.
    #expect(greatest <= 2 * ControlLine.longest + 2 * 4096)
  }

  @Test func thePlayerComesAtMostSoOftenAndTheNewestAtTheEnd() throws {
    let (near, far) = try connected()
    var peer = near
    func instant(_ milliseconds: Int) -> MonotonicInstant {
      .start.advanced(by: .milliseconds(milliseconds))
    }
    var buffer = [UInt8](repeating: 0, count: 4096)
    func received() -> String {
      let count = read(far.number, &buffer, buffer.count)
      return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
    }
    func see(_ text: String, at milliseconds: Int) {
      peer.notify(player: Array(text.utf8))
      peer.flush(at: instant(milliseconds)) { [] }
    }
    see("before\n", at: 0)
    #expect(received() == "" && !peer.wantsPlayer)

    peer.subscribe(player: .milliseconds(100))
    see("a", at: 0)
    #expect(received() == "a\n" && peer.pause(at: instant(0)) == nil)
    see("b", at: 30)
    see("c", at: 60)
    #expect(received() == "")
    #expect(peer.pause(at: instant(60)) == .milliseconds(40))
    peer.flush(at: instant(100)) { [] }
    #expect(received() == "c\n" && peer.pause(at: instant(100)) == nil)

    peer.subscribe(player: nil)
    see("d", at: 500)
    #expect(received() == "")
  }

  /// The process stood still between `poll` and this: what `poll` saw is not what is.
  @Test(arguments: [false, true])
  func noBallForAClientThatHasGoneSinceItWasLookedAt(hasGone: Bool) throws {
    let (near, far) = try connected()
    var peer = near
    for request in [ControlRequest.status, .arm()] {
      try peer.admit(ControlCall(client: peer.presence, id: nil, request: request))
    }
    let next = peer.next(at: .start)
    let first = try #require(next)
    #expect(first.request == .status)
    if hasGone { _ = shutdown(far.number, Int32(SHUT_RDWR)) }
    peer.finish(first)
    let second = peer.next(at: .start)
    #expect(second?.request == (hasGone ? nil : .arm()))
    #expect(peer.presence.hasEnded == hasGone)
    withExtendedLifetime(far) {}
  }

  /// A stop may stand behind them.
  @Test func aFloodOfRequestsIsReadThoughTheyWait() throws {
    let (near, far) = try connected()
    var peer = near
    let flood = Array(String(repeating: #"{"method":"status"}"# + "\n", count: 5_000).utf8)
    try #require(write(far.number, flood, flood.count) == flood.count)
    var buffer = [UInt8](repeating: 0, count: 4096)
    var lines = 0
    while case let read = peer.read(Int16(POLLIN), into: &buffer, at: .start), !read.isEmpty {
      lines += read.count
    }
    #expect(lines == 5_000)
    // But no more bytes than that at once: others have their turn.
    _ = write(far.number, flood, flood.count)
    while !peer.read(Int16(POLLIN), into: &buffer, at: .start).isEmpty {}
    #expect(peer.pause(at: .start) != nil)
  }

  @Test func theEndOfAClientThatBallsDependOnIsSeenThoughItIsNotRead() throws {
    let (near, far) = try connected()
    var peer = near
    try peer.admit(
      ControlCall(client: peer.presence, id: nil, request: .arm(whileConnected: true))
    )
    #expect(peer.next(at: .start) != nil)
    let flood = [UInt8](repeating: UInt8(ascii: "\n"), count: 4096)
    var buffer = flood
    while peer.pause(at: .start) == nil {
      _ = write(far.number, flood, flood.count)
      _ = peer.read(Int16(POLLIN), into: &buffer, at: .start)
    }
    let interest = peer.interest(at: .start)
    #expect(interest.fd >= 0 && interest.events == 0)
    var ends = [peer.takeEnd()]
    let lines = peer.read(Int16(POLLHUP), into: &buffer, at: .start)
    ends += [peer.takeEnd(), peer.takeEnd()]
    #expect(lines.isEmpty && ends == [false, true, false])
    // It doesn't wake the loop again.
    #expect(peer.interest(at: .start).fd < 0)
  }

  @Test func aLongAnswerSendsNoClientAwayThatReads() throws {
    let (near, far) = try connected()
    var peer = near
    let answer = [UInt8](repeating: UInt8(ascii: "x"), count: 2 * ControlPeer.outputCapacity)
    var buffer = answer
    for _ in 1...3 {
      peer.say(answer)
      var received = 0
      while peer.descriptor != nil, received <= answer.count {
        peer.flush(at: .start) { [] }
        received += max(read(far.number, &buffer, buffer.count), 0)
      }
    }
    #expect(peer.descriptor != nil)
    for _ in 1...3 {
      peer.say(answer)
      peer.flush(at: .start) { [] }
    }
    #expect(peer.descriptor == nil)
  }

  @Test func requestsAreCarriedOutSoManyASecond() throws {
    let client = try connected()
    var peer = client.peer
    defer { withExtendedLifetime(client) {} }
    let call = ControlCall(client: peer.presence, id: nil, request: .status)
    func ask(at now: MonotonicInstant) throws -> Bool {
      try peer.admit(call)
      guard let call = peer.next(at: now) else { return false }
      peer.finish(call)
      return true
    }
    var carriedOut = 0
    while try ask(at: .start) { carriedOut += 1 }
    #expect(carriedOut == Int(RequestQueue.rate) + 1)
    let pause = try #require(peer.pause(at: .start))
    #expect(peer.next(at: .start.advanced(by: pause)) != nil)
  }
}
