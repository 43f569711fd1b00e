import Glibc
import TestSupport
import Testing

@testable import Host

@Suite(.mustEnd) struct MachineClaimTests {
  /// No other test's.
  private let bus = "test\(getpid())"

  @Test func aMachineIsClaimedOnceOnEachBus() throws {
    let claim = try MachineClaim("F0:F1:F2:F3:F4:01", on: bus)
    let error = try #require(throws: MachineClaimError.self) {
      try MachineClaim("F0:F1:F2:F3:F4:01", on: bus)
    }
    guard case .held(let holder) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(holder.process == getpid() && holder.user == geteuid())
    #expect(holder.remedy == "end it with `kill \(getpid())`")
    _ = try MachineClaim("F0:F1:F2:F3:F4:02", on: bus)
    _ = try MachineClaim("F0:F1:F2:F3:F4:01", on: bus + "b")
    #expect(MachineClaim.holders().contains(holder))
    withExtendedLifetime(claim) {}
  }

  @Test func aClaimGoesWithItsHolder() throws {
    do { _ = try MachineClaim("F0:F1:F2:F3:F4:03", on: bus) }
    _ = try MachineClaim("F0:F1:F2:F3:F4:03", on: bus)
  }

  /// It has the name and answers nobody: the kernel does not say who it is.
  @Test func whoHasOnlyTheNameIsToldToo() throws {
    let name = MachineClaim.prefix + bus + "/F0:F1:F2:F3:F4:04"
    let socket = try UnixSocketAddress.socket()
    let address = try UnixSocketAddress(abstract: name)
    try #require(address.withSocketAddress { bind(socket.number, $0, $1) } == 0)
    let holder = MachineHolder(name: name, process: nil, user: nil)
    #expect(throws: MachineClaimError.held(by: holder)) {
      try MachineClaim("F0:F1:F2:F3:F4:04", on: bus)
    }
    #expect("\(holder)" == "a process" && holder.remedy.contains("ss -xlp"))
  }

  @Test func theKernelsListIsReadByTheWord() {
    let table = """
      Num       RefCount Protocol Flags    Type St Inode Path
      0000: 00000002 00000000 00010000 0001 01 1 @ballmachine/machine/b/F0
      0000: 00000003 00000000 00000000 0001 03 2 @ballmachine/machine/b/F0
      0000: 00000002 00000000 00010000 0001 01 3 /ballmachine/machine/b/F1
      0000: 00000002 00000000 00010000 0001 01 4 @ballmachine/machine/b/F2
      0000: 00000002 00000000 00010000 0001 01 5
      nonsense
      """
    #expect(
      MachineClaim.names(in: Array(table.utf8))
        == ["ballmachine/machine/b/F0", "ballmachine/machine/b/F2"]
    )
  }
}
