import BlueZ
import Clocks
import Configuration
import CourtLogic
import MachineLink
import Testing

@Suite struct LinkAdviceTests {
  private static let address = BluetoothAddress("F0:F1:F2:F3:F4:F5")!
  private static let otherMachine =
    "if another machine is meant, name it with --address, or start once with --forget-machine"

  @Test(
    "what is a setting is named by its flag",
    arguments: [
      (
        LinkFault.busUnreachable(BlueZError(kind: .other, name: "", message: "no such file")),
        "check that the D-Bus daemon runs and that --bus names it"
      ),
      (
        .adapterMissing(pinned: AdapterReference(address)),
        "plug it in again; `ballmachine doctor` shows which adapters are there"
      ),
      (
        .adapterGone(AdapterReference(address)),
        "plug it in again, or run `systemctl restart ballmachine` to use another one; "
          + "`ballmachine doctor` shows which adapters are there"
      ),
      (.ambiguousMachines([]), "choose one with --address"),
      (
        .noneSaysMachine(heard: 12),
        "check that the machine is on, near, and not connected to a phone; "
          + "`ballmachine scan --all` lists what is in range: choose by --name or --address"
      ),
      (.onlyOtherMachines([], remembered: address), otherMachine),
      (.noUsableCharacteristic([]), "name the right UUIDs with --service and --characteristic"),
      (.ambiguousCharacteristics([]), "name the right UUIDs with --service and --characteristic"),
    ]
  )
  func settings(_ fault: LinkFault, _ advice: String) {
    #expect(fault.advice == advice)
  }

  @Test(arguments: [
    LinkFault.serviceAbsent, .adapterMissing(pinned: nil), .adapterOff, .linkLost(nil),
  ])
  func otherwiseTheRemedyStands(_ fault: LinkFault) {
    #expect(fault.advice == fault.remedy)
  }

  @Test func whatIsHeardInsteadIsNamed() {
    #expect(
      LinkFault.noneSaysMachine(heard: 12).reason == "the machine is not seen: 12 devices are in "
        + "range, and none says that it is a ball machine"
    )
    #expect(
      LinkFault.otherMachinesSeen([], wanted: "Court 7").reason.hasPrefix(
        "the machine Court 7 is not seen, but "
      )
    )
  }

  @Test func theWayToAnotherMachineComesWithOneThatMemoryHasChosen() {
    var status = LinkStatus(since: .start)
    #expect(status.advice == nil)
    status.isChosenByMemory = true
    #expect(status.advice == nil)
    status.fault = .connectTimedOut
    #expect(
      status.advice == "check that the machine is on and near, and not connected to a phone; "
        + Self.otherMachine
    )
    status.fault = .adapterOff
    #expect(status.advice == "run `bluetoothctl power on`")
  }
}
