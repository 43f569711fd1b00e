import BlueZ
import MachineLink
import TestSupport
import Testing

struct BallMachineLinkTests {
  /// Without news of BlueZ, a link that is up seems to be gone, and is left up.
  @Test func aCancelledRunFollowsBlueZUntilTheLinkHasEnded() async {
    let central = FakeCentral()
    let link = BallMachineLink(
      configuration: LinkConfiguration(address: BluetoothAddress(FakeCentral.address)),
      central: central
    )
    let run = Task { await link.run() }
    #expect(await link.waitUntilReady())
    run.cancel()
    await run.value
    #expect(await link.status.phase == .ended)
    #expect(await central.wasCutOff == false)
  }
}
