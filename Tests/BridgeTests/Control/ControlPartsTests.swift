import CourtLogic
import Glibc
import Testing

@testable import Bridge

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

struct ControlAllowanceTests {
  private func instant(_ seconds: Double) -> MonotonicInstant {
    .start.advanced(by: .seconds(seconds))
  }

  @Test func whoAsksTooMuchPausesUntilItIsMadeUpFor() {
    var allowance = ControlAllowance(at: .start)
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

struct ControlPeerTests {
  @Test func whatAClientTakesInMemoryIsBounded() throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let (near, far) = (FileDescriptor(owning: ends[0]), FileDescriptor(owning: ends[1]))
    for descriptor in [near, far] { try descriptor.setNonBlocking() }
    var peer = ControlPeer(number: 1, role: .reader, descriptor: near, at: .start)
    peer.subscribe()
    let half = [UInt8](repeating: UInt8(ascii: "x"), count: 4096)
    let line = ControlMessage.notification("event", ["event": "stop"])
    var buffer = [UInt8](repeating: 0, count: 4096)
    var greatest = 0
    for _ in 0..<10_000 {
      // Lines that never end, and events that are never read.
      _ = write(far.number, half, half.count)
      #expect(peer.read(Int16(POLLIN), into: &buffer, at: .start).count <= 1)
      peer.tell(line, .feed)
      peer.flush { [] }
      greatest = max(greatest, peer.heldBytes)
      #expect(peer.waitingEvents <= 32)
    }
    #expect(greatest >= ControlRequest.longestLine)
    // The longest line, in an array that has grown by doubling, and what goes to the socket next.
    #expect(greatest <= 2 * ControlRequest.longestLine + 2 * 4096)
  }
}
