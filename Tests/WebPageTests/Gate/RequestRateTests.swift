import Clocks
import Glibc
import Testing

@testable import WebPage

struct RequestRateTests {
  private func address(_ last: UInt8) -> ClientAddress { ClientAddress(bytes: [10, 0, 0, last]) }

  private func after(_ seconds: Double) -> MonotonicInstant {
    MonotonicInstant(sinceStart: .seconds(seconds))
  }

  @Test func afterABurstItIsSoManyASecond() {
    var rate = RequestRate(burst: 5, perSecond: 2)
    func allowed(_ count: Int, at seconds: Double) -> Int {
      (0..<count).count { _ in rate.allows(.address(address(1)), at: after(seconds)) }
    }
    #expect(allowed(20, at: 0) == 5)
    #expect(allowed(20, at: 1) == 2)
    #expect(allowed(20, at: 1.25) == 0)
    // What is refused doesn't count.
    #expect(allowed(20, at: 1.5) == 1)
    #expect(allowed(20, at: 1000) == 5)
  }

  @Test func oneAddressSpendsNothingOfAnother() {
    var rate = RequestRate(burst: 1, perSecond: 1)
    for last in 1...100 {
      let allowed = (0..<2).map { _ in rate.allows(.address(address(UInt8(last))), at: after(0)) }
      #expect(allowed == [true, false])
    }
  }

  /// The one that is forgotten may send a burst again; the others may not.
  @Test func aCrowdOfAddressesIsForgottenFromTheLongestSilentOn() {
    var rate = RequestRate(burst: 1, perSecond: 0.001, mostRequesters: 3)
    let order: [UInt8] = [1, 2, 3, 4, 2, 3, 1]
    let allowed = order.enumerated().map { second, last in
      rate.allows(.address(address(last)), at: after(Double(second)))
    }
    #expect(allowed == [true, true, true, true, false, false, true])
  }

  @Test func aPhoneCantChooseAnotherAddressOfItsNetwork() {
    let network: [UInt8] = [0xFD, 0, 0, 0, 0, 0, 0, 1]
    let one = ClientAddress(bytes: network + [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(one == ClientAddress(bytes: network + [8, 7, 6, 5, 4, 3, 2, 1]))
    #expect(one != ClientAddress(bytes: network.reversed() + [1, 2, 3, 4, 5, 6, 7, 8]))
  }

  @Test func theSystemsAddressesAreRead() throws {
    var four = sockaddr_in()
    four.sin_family = sa_family_t(AF_INET)
    try #require(inet_pton(AF_INET, "10.0.0.7", &four.sin_addr) == 1)
    var six = sockaddr_in6()
    six.sin6_family = sa_family_t(AF_INET6)
    try #require(inet_pton(AF_INET6, "::ffff:10.0.0.7", &six.sin6_addr) == 1)
    var local = sockaddr_un()
    local.sun_family = sa_family_t(AF_UNIX)
    #expect(read(four) == address(7) && read(six) == address(7) && read(local) == nil)
  }

  private func read(_ address: some Any) -> ClientAddress? {
    withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { ClientAddress($0) }
    }
  }
}
