import Clocks
import CourtLogic
import Glibc
import TestSupport
import Testing

@testable import Bridge
@testable import ControlProtocol
@testable import Host
@testable import JSON

/// A subscriber of the control socket that doesn't read for a while.
struct SlowClientTests {
  @Test func whatFeedersSayPushesOutNothingElse() throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let (near, far) = (FileDescriptor(owning: ends[0]), FileDescriptor(owning: ends[1]))
    for descriptor in [near, far] { try descriptor.setNonBlocking() }
    let identity = ControlIdentity(user: 1, role: .reader)
    var peer = ControlPeer(number: 1, identity: identity, descriptor: near)
    peer.subscribe(player: nil)
    func line(_ event: String) -> [UInt8] { ControlMessage.notification("event", ["event": event]) }
    let flood = 50_000
    for number in 1...flood {
      peer.notify(line("feed"), .feed)
      if number.isMultiple(of: 5_000) {
        peer.notify(line("dispatch"), .balls)
        peer.notify(line("safety"), .safety)
      }
      peer.flush(at: .start) { [] }
    }

    // It reads again, and finds the present at the end.
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(far.number, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
      peer.flush(at: .start) { [(line("link"), .link)] }
    }
    let lines = try bytes.split(separator: UInt8(ascii: "\n")).map {
      try JSONValue(text: Array($0))
    }
    func count(_ event: String) -> Int { lines.count { $0["params"]?["event"]?.string == event } }
    #expect(count("dispatch") == 10 && count("safety") == 10)
    let dropped = lines.filter { $0["method"]?.string == "dropped" }
      .compactMap { $0["params"]?["count"]?.integer }.reduce(0, +)
    #expect(dropped > 0 && count("feed") + dropped == flood)
    #expect(lines.last?["params"]?["event"]?.string == "link")
  }
}
