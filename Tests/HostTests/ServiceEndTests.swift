import Host
import Testing

struct ServiceEndTests {
  @Test(arguments: [
    ("success", "0"), ("success", "TERM"), ("exit-code", "64"), ("exit-code", "65"),
    ("exit-code", "66"), ("exit-code", "73"), ("exit-code", "77"),
    ("exit-code", "78"),
  ])
  func afterAnEndInOrderTheMachineIsLeftAlone(_ result: String, _ status: String) {
    #expect(!ServiceEnd(result: result, status: status).needsStop)
  }

  /// Source of the results: systemd.exec(5).
  @Test(arguments: [
    ("exit-code", "70"), ("exit-code", "1"), ("signal", "KILL"), ("signal", "64"),
    ("core-dump", "ABRT"), ("watchdog", "ABRT"), ("timeout", "KILL"), ("oom-kill", "KILL"),
    ("protocol", "0"), ("resources", nil), ("something new", nil),
  ])
  func afterAnyOtherItIsStopped(_ result: String, _ status: String?) {
    #expect(ServiceEnd(result: result, status: status).needsStop)
  }

  @Test func systemdTellsItInTheEnvironment() {
    let environment = ["SERVICE_RESULT": "signal", "EXIT_CODE": "killed", "EXIT_STATUS": "KILL"]
    #expect(ServiceEnd { environment[$0] } == ServiceEnd(result: "signal", status: "KILL"))
    #expect(ServiceEnd { _ in nil } == nil)
  }
}
