import Clocks
import CourtLogic
import MachineLink
import Testing

@Suite struct RetryPolicyTests {
  private var retries = RetryPolicy(seed: 7)
  private var now = MonotonicInstant.start

  @Test mutating func fastFailuresBackOffAndEscalate() {
    var escalations: [RetryPolicy.Escalation?] = []
    var delays: [Duration] = []
    for _ in 0..<9 {
      delays.append(retries.failedFast())
      escalations.append(retries.escalation)
    }
    #expect(
      escalations == [nil, nil, nil, .scan, nil, .remove, .remove, .removeAndCyclePower, .remove]
    )
    #expect(delays[0] < .seconds(1) && delays[8] >= .seconds(30))
    #expect(retries.failures == 9)
  }

  @Test mutating func aLinkThatIsReadyButDoesNotHoldLeavesTheBackOffAsItIs() {
    for _ in 0..<5 { _ = retries.failedFast() }
    retries.linkReady()
    #expect(retries.failures == 5)
    let later = retries.failedFast()
    #expect(later >= .seconds(16))
    retries.linkHeld()
    #expect(retries.failures == 0)
    let first = retries.failedFast()
    #expect(first < .seconds(1))
  }

  @Test mutating func everySecondSlowFailureIsFollowedByAScan() {
    var scans: [Bool] = []
    for _ in 0..<6 {
      retries.failedSlowly(scan: .seconds(20))
      scans.append(retries.nextScan == .seconds(20))
      if retries.nextScan != nil { retries.scanBegins() }
    }
    #expect(scans == [false, true, false, true, false, true])
    #expect(retries.failures == 6)
  }

  @Test mutating func everyFourthScanLooksForOthers() {
    let looks = (0..<8).map { _ in
      retries.failedSlowly(scan: .seconds(20))
      return retries.looksForOthers
    }
    #expect(looks == [false, true, false, false, false, true, false, false])
  }

  @Test mutating func aReadyLinkEndsTheSlowFailures() {
    for _ in 0..<3 { retries.failedSlowly(scan: .seconds(20)) }
    #expect(retries.nextScan != nil)
    retries.linkReady()
    #expect(retries.failures == 0 && retries.nextScan == nil)
  }

  @Test mutating func aDeviceIsRemovedOnceUntilALinkHolds() {
    var allowed = [retries.takeRemoval(), retries.takeRemoval()]
    retries.linkReady()
    allowed.append(retries.takeRemoval())
    retries.linkHeld()
    allowed.append(retries.takeRemoval())
    #expect(allowed == [true, false, false, true])
  }

  @Test mutating func theBudgetOfConnectsStartsAnewWhenALinkHolds() {
    for _ in 0..<6 { retries.connectBegins(at: now) }
    retries.linkReady()
    #expect(retries.nextConnect(at: now) == now.advanced(by: .seconds(30)))
    retries.linkHeld()
    #expect(retries.nextConnect(at: now) == now)
  }

  @Test mutating func whatIsAroundTheLinkHasABackOffOfItsOwn() {
    for _ in 0..<4 { _ = retries.environmentFailed() }
    let later = retries.environmentFailed()
    #expect(later >= .seconds(8))
    #expect(retries.failures == 0)
    retries.environmentChanged()
    let first = retries.environmentFailed()
    #expect(first < .seconds(1))
  }
}
