import BlueZ
import Foundation
import MockMachine
import TestSupport
import Testing

/// What the kernel shows of real HCI devices, and what `doctor` makes of it. Only the box has any.
@Suite(
  .serialized,
  .onEitherSetup,
  .realStackOnly("there are HCI devices in the box only"),
  .mustEnd
)
struct KernelViewTests {
  private static let first = BluetoothAddress("AA:BB:CC:DD:EE:01")
  private static let second = BluetoothAddress("AA:BB:CC:DD:EE:02")

  private func onSetup(_ body: (any Setup) async throws -> Void) async throws {
    let setup = try await Setups.set(.oneMachine)
    do { try await body(setup) } catch {
      await setup.close()
      throw error
    }
    await setup.close()
  }

  @Test(.core) func controllersAreShownWithAddressBusAndPower() async throws {
    try await onSetup { setup in
      let controllers = try HostController.all()
      #expect(controllers.map(\.name) == ["hci0"])
      let controller = try #require(controllers.first)
      #expect(controller.address == Self.first && controller.bus == "Virtual")
      #expect(controller.isUp)
      #expect(controller.receiveErrors == 0 && controller.sendErrors == 0)
      try await setup.perform(.power(adapter: "hci0", .off))
      #expect(try HostController.all().map(\.isUp) == [false])
      try await setup.perform(.power(adapter: "hci0", .on))
      #expect(try HostController.all().map(\.isUp) == [true])
    }
  }

  @Test func controllersComeAndGo() async throws {
    try await onSetup { setup in
      try await setup.perform(.addAdapter(MockAdapter("hci1", address: "AA:BB:CC:DD:EE:02")))
      #expect(try HostController.all().map(\.address) == [Self.first, Self.second])
      #expect(RadioSwitch.all().map(\.controller) == [0, 1])
      try await setup.perform(.removeAdapter("hci0", .success))
      #expect(try HostController.all().map(\.index) == [1])
      #expect(RadioSwitch.all().map(\.controller) == [1])
      try await setup.perform(.removeAdapter("hci1", .success))
      #expect(try HostController.all() == [])
      #expect(RadioSwitch.all() == [])
    }
  }

  @Test func aBlockIsOneControllersOwn() async throws {
    try await onSetup { setup in
      try await setup.perform(.addAdapter(MockAdapter("hci1", address: "AA:BB:CC:DD:EE:02")))
      try await setup.perform(.power(adapter: "hci1", .blocked))
      let view = KernelView.current()
      #expect(view.block(ofController: 0) == nil && view.block(ofController: 1) == .soft)
      #expect(view.blockOfTheBox == nil)
      #expect(view.switches.map(\.name) == ["hci0", "hci1"])
      #expect(try view.controllers.get().map(\.isUp) == [true, false])
      try await setup.perform(.power(adapter: "hci1", .unblocked))
      #expect(KernelView.current().block(ofController: 1) == nil)
    }
  }

  @Test func theDoctorAndTheOthersTellTheBlock() async throws {
    try await CommandLineSetup.with { setup in
      let machines = try await setup.mock("power hci0 blocked")
      let doctor = try await setup.run(["doctor"])
      #expect(doctor.code == 69)
      #expect(
        doctor.output.contains(
          """
          problem  rfkill      hci0: Bluetooth is blocked by rfkill
                               → run `rfkill unblock bluetooth`
          """
        ),
        "\(doctor.output)"
      )
      for arguments in [["scan"], ["send", "--yes", "--zone", "1", "--wait", "5"]] {
        let result = try await setup.run(arguments)
        #expect(result.code == 69)
        let message = "Bluetooth is blocked by rfkill; run `rfkill unblock bluetooth`"
        #expect(result.errors.contains(message), "\(result.errors)")
      }
      try await machines.perform("power hci0 unblocked")
      let sent = try await setup.run(["send", "--yes", "--zone", "1"])
      #expect(sent.code == 0 && sent.output.contains("delivered"), "\(sent)")
      // The ball owes the machine a stop.
      #expect(try await setup.run(["safe-stop"]).code == 0)
      #expect(try await setup.run(["doctor"]).code == 0)
    }
  }

  @Test func theDoctorTellsADeadBluetoothdFromAMissingAdapter() async throws {
    try await CommandLineSetup.with { setup in
      let machines = try await setup.mock("down")
      let down = try await setup.run(["doctor"])
      #expect(down.code == 69)
      #expect(down.output.contains("→ run `systemctl start bluetooth`"), "\(down.output)")
      #expect(down.output.contains("\nok       kernel      hci0 AA:BB:CC:DD:EE:01 (Virtual)"))
      try await machines.perform("up")
      try await machines.perform("remove-adapter hci0")
      let missing = try await setup.run(["doctor"])
      #expect(missing.code == 69)
      #expect(missing.output.contains("problem  kernel      the kernel sees no Bluetooth adapter"))
      #expect(missing.output.contains("ok       bluetoothd"), "\(missing.output)")
    }
  }
}
