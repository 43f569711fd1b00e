import ControlProtocol
import Host
import Programs
import Testing

@testable import ballmachine

/// What `drill` and `level` show.
struct LoadedReportTests {
  private func status(drill: String? = nil, level: String? = nil) -> StatusRecord {
    var training = TrainingRecord(aim: drill == nil ? "follow" : "plan", interval: 4.7)
    (training.drill, training.level) = (drill, level)
    var status = StatusRecord(
      version: "0.1.0",
      t: 100,
      uptime: 100,
      safety: SafetyRecord(state: "disarmed"),
      link: LinkRecord(state: "ready"),
      court: StatusRecord.Court(apron: 0),
      counts: CountsRecord()
    )
    (status.mode, status.training) = ("SIM", training)
    return status
  }

  @Test(arguments: [
    (nil, nil, "SIM  follow, no drill  a ball every 4.7 s", "SIM  no level  a ball every 4.7 s"),
    (
      "run", "beginner", "SIM  run (beginner)  a ball every 4.7 s",
      "SIM  beginner  a ball every 4.7 s"
    ),
  ])
  func theLoadedOneIsALine(_ drill: String?, _ level: String?, _ first: String, _ second: String)
    throws
  {
    let status = status(drill: drill, level: level)
    #expect(try #require(LoadedReport(.drill, of: status)).lines == [first])
    #expect(try #require(LoadedReport(.level, of: status)).lines == [second])
  }

  @Test func programsGetTheRecordOfAChange() throws {
    let time = WallTime(secondsSince1970: 1_800_000_000)
    let report = try #require(LoadedReport(.level, of: status(level: "beginner"), at: time))
    #expect(
      try Output.json(report) == """
        {"aim":"follow","event":"training","interval":4.7,"level":"beginner","mode":"SIM","t":100,\
        "time":"2027-01-15T08:00:00.000Z"}
        """
    )
  }

  @Test func whatIsLostIsSaid() throws {
    var status = status()
    status.safety.holds = [
      SafetyRecord.Hold(code: "notSeen", reason: "no player is seen"),
      SafetyRecord.Hold(code: "drillLost", reason: "the drill run is lost"),
    ]
    let lines = try #require(LoadedReport(.drill, of: status)).lines
    #expect(lines.count == 2 && lines[1].contains("the drill run is lost"))
  }

  @Test func anOlderServiceDoesNotSayIt() {
    var status = status()
    status.training = nil
    #expect(LoadedReport(.drill, of: status) == nil)
  }
}
