import TestSupport
import Testing

@testable import Host

struct TimerListTests {
  @Test func whoIsDueGoesInOrder() {
    var timers = TimerList<String>()
    for (name, deadline) in [("c", 30), ("a", 10), ("d", 30), ("b", 20), ("e", 40)] as [(_, Int64)]
    {
      timers.add(name, at: deadline)
    }
    var gone: [String] = []
    timers.move(dueAt: 9, to: &gone)
    #expect(gone.isEmpty && timers.next == 10)
    timers.move(dueAt: 30, to: &gone)
    // Of two with the same time the first that came.
    #expect(gone == ["a", "b", "c", "d"] && timers.next == 40)
    timers.move(dueAt: .max, to: &gone)
    #expect(gone.last == "e" && timers.next == nil)
  }

  @Test func whatIsRemovedIsNeverDue() {
    var timers = TimerList<String>()
    let numbers = [("a", 10), ("b", 10), ("c", 20)].map { timers.add($0.0, at: $0.1) }
    timers.remove(numbers[0])
    timers.remove(numbers[2])
    var gone: [String] = []
    timers.move(dueAt: .max, to: &gone)
    #expect(gone == ["b"])
    // It has gone: there is nothing to remove.
    timers.add("d", at: 30)
    timers.remove(numbers[1])
    #expect(timers.next == 30)
  }
}
