import ControlProtocol
import Host
import JSON
import Testing
import WebPage

/// Stops that come from phones.
struct StopLineTests {
  /// A machine whose stops end when the test says so.
  private actor Machine {
    private var running: [CheckedContinuation<Void, Never>] = []
    private(set) var begun = 0

    func stop() async -> StopRecord {
      begun += 1
      let number = begun
      await withCheckedContinuation { running.append($0) }
      return StopRecord(outcome: "confirmed", reason: "\(number)")
    }

    func endOne() { running.removeFirst().resume() }
    var isBusy: Bool { !running.isEmpty }
  }

  @Test func eachStopGetsOneThatBeganAfterIt() async {
    let machine = Machine()
    let line = StopLine { await machine.stop() }
    var first: [Task<StopRecord, Never>] = []
    for number in 1...4 {
      first.append(Task { await line.stop() })
      while await machine.begun < number { await Task.yield() }
    }
    // A flood: no stop of its own for each.
    let flood = (0..<1000).map { _ in Task { await line.stop() } }
    while await line.waitingCount < flood.count { await Task.yield() }
    #expect(await machine.begun == 4)
    await machine.endOne()
    let answer = await first[0].value
    #expect(answer == StopRecord(outcome: "confirmed", reason: "1"))
    while await machine.begun < 5 { await Task.yield() }
    while await machine.isBusy { await machine.endOne() }
    for task in flood {
      let answer = await task.value
      #expect(answer.reason == "5")
    }
    for task in first { _ = await task.value }
    #expect(await machine.begun == 5)
  }

  @Test(arguments: [
    ("confirmed", 200), ("alreadyStopped", 200), ("unconfirmed", 202), ("notDelivered", 503),
    ("unheardOf", 503),
  ])
  func scriptsSeeItFromTheStatus(outcome: String, status: Int) {
    let record = StopRecord(outcome: outcome, reason: "<b>")
    #expect(HTTPAnswer.stop(record, of: .test).status == status)
    #expect(HTTPAnswer.stopPage(record, of: .test).status == status)
  }

  @Test func whatIsNotKnownIsNotCalledStopped() {
    #expect(StopRecord(.object([:])).outcome == "unconfirmed")
    #expect(StopRecord(.silent("x")).outcome == "unconfirmed")
    #expect(StopRecord(.noService("x")).outcome == "notDelivered")
    #expect(StopRecord(.lost).outcome == "unconfirmed")
  }
}
