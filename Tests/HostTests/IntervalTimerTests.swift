import Glibc
import Host
import TestSupport
import Testing

@Suite(.mustEnd) struct IntervalTimerTests {
  private func isReadable(_ timer: IntervalTimer, within milliseconds: Int32) -> Bool {
    var file = pollfd(fd: timer.descriptor.number, events: Int16(POLLIN), revents: 0)
    return poll(&file, 1, milliseconds) == 1
  }

  @Test func itIsReadableOnceAnIntervalAndCountsThem() throws {
    let timer = try IntervalTimer()
    #expect(!isReadable(timer, within: 0) && timer.passed() == 0)
    try timer.start(every: .milliseconds(5))
    #expect(isReadable(timer, within: -1))
    #expect(timer.passed() >= 1)
    usleep(20_000)
    #expect(timer.passed() >= 3)
    // Longer than a second, of which its parts are set apart.
    try timer.start(every: .seconds(60))
    #expect(!isReadable(timer, within: 0) && timer.passed() == 0)
  }

  @Test func withoutAnIntervalItStaysReadable() throws {
    let timer = try IntervalTimer()
    try timer.start(every: nil)
    #expect(isReadable(timer, within: -1) && isReadable(timer, within: -1))
    #expect(timer.passed() == 1 && !isReadable(timer, within: 0))
  }
}
