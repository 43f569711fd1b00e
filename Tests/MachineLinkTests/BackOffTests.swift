import Clocks
import CourtLogic
import MachineLink
import Testing

@Suite struct BackOffTests {
  @Test func delaysDoubleUpToTheCapWithALittleJitter() {
    var backOff = RetryPolicy.backOff
    var generator = SeededGenerator(seed: 7)
    for base in [0.5, 1, 2, 4, 8, 16, 30, 30, 30] {
      let delay = backOff.next(using: &generator) / .seconds(1)
      #expect((base...base * 1.2).contains(delay))
    }
    #expect(backOff.attempts == 9)
    backOff.reset()
    #expect(backOff.next(using: &generator) < .milliseconds(601))
  }

  @Test func itGoesOnForEver() {
    var backOff = RetryPolicy.backOff
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<100_000 { _ = backOff.next(using: &generator) }
    #expect(backOff.next(using: &generator) >= .seconds(30))
  }

  @Test func theBudgetHoldsBothLimits() {
    var budget = ConnectBudget()
    var now = MonotonicInstant.start
    var calls: [MonotonicInstant] = []
    while now.seconds < 1_000 {
      now = budget.nextAllowed(at: now)
      budget.record(at: now)
      calls.append(now)
    }
    for (limit, window) in ConnectBudget.limits {
      for index in limit..<calls.count {
        #expect(calls[index - limit].duration(to: calls[index]) >= window)
      }
    }
    budget.reset()
    #expect(budget.nextAllowed(at: now) == now)
  }
}
