import BlueZ
import Clocks
import CourtLogic
import DBus
import Host
import MachineLink
import MockMachine
import TestSupport
import Testing

extension LinkStories {
  /// What becomes of a command, and that it never reaches the machine twice.
  @Suite struct Writes {
    private static let name = LinkFixture.machine.string

    @Test(.core, arguments: [10, 100])
    func commandsArriveOnceAndInOrder(count: Int) async throws {
      if count > 10 { try longOnRealStack() }
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        for number in 1...count {
          #expect(try await fixture.send(number) == .delivered)
          try await fixture.pass(.seconds(3))
        }
        #expect(await fixture.received() == (1...count).map { LinkFixture.ball($0).text })
      }
    }

    @Test func whoeverIsNotConnectedIsToldSo() async throws {
      let model = MockModel(peripherals: [MockPeripheral(isAdvertising: false)])
      try await withLinkFixture(model) { fixture in
        try await fixture.reaches(.discovering)
        #expect(try await fixture.send(1) == .notSent(.linkNotReady))
        try await fixture.perform(.appear(machine: Self.name))
        try await fixture.reaches(.ready)
        // It is not kept for later.
        try await fixture.pass(.seconds(10))
        #expect(await fixture.received() == [])
      }
    }

    @Test func aCommandTooSoonAfterAnotherIsNotSent() async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
        try await fixture.pass(.seconds(1))
        #expect(try await fixture.send(2) == .notSent(.tooSoon))
        try await fixture.pass(.seconds(1))
        #expect(try await fixture.send(3) == .notSent(.tooSoon))
        try await fixture.pass(.seconds(1))
        #expect(try await fixture.send(4) == .delivered)
        #expect(await fixture.received() == [1, 4].map { LinkFixture.ball($0).text })
      }
    }

    @Test func aStaleCommandIsNotSent() async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        let decision = fixture.now
        try await fixture.pass(.milliseconds(501))
        let outcome = try await limited("the outcome") { [link = fixture.link] in
          await link.send(LinkFixture.ball(1), decidedAt: decision)
        }
        #expect(outcome == .notSent(.expired))
        #expect(await fixture.received() == [])
      }
    }

    @Test func aNewerCommandTakesTheSlot() async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        #expect(try await fixture.send(1) == .delivered)
        // At 2.7 s both wait for the spacing of 2.95 s.
        try await fixture.pass(.milliseconds(2600))
        async let older = fixture.send(2)
        try await fixture.pass(.milliseconds(100))
        async let newer = fixture.send(3)
        #expect(try await older == .notSent(.superseded))
        #expect(try await newer == .delivered)
        #expect(await fixture.received() == [1, 3].map { LinkFixture.ball($0).text })
      }
    }

    // MARK: Writes that fail

    struct Refusal: Sendable, CustomTestStringConvertible {
      var name: String
      var message: String
      var outcome: WriteOutcome
      var testDescription: String { "\(name): \(message)" }
      var error: DBusError { DBusError(name: name, message: message) }
    }

    static let refusals: [Refusal] = [
      .init(
        name: "org.bluez.Error.NotPermitted",
        message: "Write acquired",
        outcome: .notSent(.machineInUse)
      ),
      .init(
        name: "org.bluez.Error.InProgress",
        message: "In Progress",
        outcome: .notSent(.busy)
      ),
      .init(
        name: "org.bluez.Error.Failed",
        message: "Operation failed with ATT error: 0x0e",
        outcome: .unknown(.unlikelyError)
      ),
      .init(
        name: "org.bluez.Error.Failed",
        message: "Operation failed with ATT error: 0x80",
        outcome: .notSent(.rejected(code: 0x80))
      ),
      .init(
        name: "org.bluez.Error.NotPermitted",
        message: "Write not permitted",
        outcome: .notSent(.rejected(code: 0x03))
      ),
      .init(
        name: "org.bluez.Error.NotPermitted",
        message: "Not paired",
        outcome: .notSent(.rejected(code: 0x05))
      ),
      .init(
        name: "org.bluez.Error.InvalidArguments",
        message: "Invalid Length",
        outcome: .notSent(.rejected(code: 0x0d))
      ),
      .init(
        name: "org.bluez.Error.Failed",
        message: "Not connected",
        outcome: .notSent(.noConnection("org.bluez.Error.Failed: Not connected"))
      ),
      .init(
        name: "org.bluez.Error.Failed",
        message: "Failed to initiate write",
        outcome: .notSent(.noConnection("org.bluez.Error.Failed: Failed to initiate write"))
      ),
      .init(
        name: "org.freedesktop.DBus.Error.UnknownObject",
        message: "Method \"WriteValue\" with signature \"aya{sv}\" doesn't exist\n",
        outcome: .notSent(
          .noConnection(
            "org.freedesktop.DBus.Error.UnknownObject: Method \"WriteValue\" with signature"
              + " \"aya{sv}\" doesn't exist"
          )
        )
      ),
      .init(
        name: "org.freedesktop.DBus.Error.NoReply",
        message: "Message recipient disconnected from message bus without replying",
        outcome: .unknown(.noReply)
      ),
      .init(
        name: "org.bluez.Error.Failed",
        message: "Never heard of",
        outcome: .unknown(.failed("org.bluez.Error.Failed: Never heard of"))
      ),
    ]

    @Test(arguments: refusals)
    func aWriteThatFailsIsNeverRepeated(refusal: Refusal) async throws {
      if refusal.error.attributeCode == nil { try mockOnly(scriptedBlueZ) }
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        try await fixture.perform(.fault(machine: Self.name, .failWrites(refusal.error), .once))
        #expect(try await fixture.send(1) == refusal.outcome)
        try await fixture.linger(.seconds(20))
        #expect(await fixture.received() == [])
        #expect(try await fixture.send(2) == .delivered)
        #expect(await fixture.received() == [LinkFixture.ball(2).text])
        #expect(await fixture.calls().count { $0 == "WriteValue" } == 2)
      }
    }

    @Test(arguments: [true, false])
    func aWriteThatIsNotAnsweredIsUnknownAndTheLinkIsMadeAgain(isLost: Bool) async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        try await fixture.perform(.fault(machine: Self.name, .hangWrites(lost: isLost), .once))
        let start = fixture.now
        #expect(try await fixture.send(1) == .unknown(.timedOut))
        let took = start.duration(to: fixture.now)
        #expect(took >= .seconds(5) && took < .seconds(6))
        try await fixture.called("Disconnect")
        try await fixture.reaches(.ready)
        try await fixture.linger(.seconds(20))
        #expect(try await fixture.send(2) == .delivered)
        let expected = isLost ? [2] : [1, 2]
        #expect(await fixture.received() == expected.map { LinkFixture.ball($0).text })
      }
    }

    @Test func aLinkThatFallsAfterTheWriteArrivedLeavesItUnknown() async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        try await fixture.perform(.fault(machine: Self.name, .drop(.writing), .once))
        // BlueZ's answer may come before the fall shows.
        let outcome = try await fixture.send(1)
        #expect(outcome == .unknown(.linkLost) || outcome == .unknown(.unlikelyError))
        try await fixture.reaches(.ready)
        try await fixture.linger(.seconds(20))
        #expect(try await fixture.send(2) == .delivered)
        #expect(await fixture.received() == [1, 2].map { LinkFixture.ball($0).text })
      }
    }

    enum Catastrophe: CaseIterable { case drop, vanish, restart, removeObject, powerOff, unplug }

    @Test(arguments: Catastrophe.allCases)
    func whateverHappensDuringAWriteLeavesItUnknown(catastrophe: Catastrophe) async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        try await fixture.perform(.fault(machine: Self.name, .hangWrites(lost: true), .once))
        async let outcome = fixture.send(1)
        try await fixture.called("WriteValue")
        // The request is on the air now, and lost.
        try await fixture.pass(.milliseconds(200))
        switch catastrophe {
        case .drop: try await fixture.perform(.drop(machine: Self.name))
        case .vanish: try await fixture.perform(.vanish(machine: Self.name))
        case .restart: try await fixture.perform(.restart(downFor: .seconds(1)))
        case .removeObject: try await fixture.perform(.removeObject(machine: Self.name))
        case .powerOff: try await fixture.perform(.power(adapter: "hci0", .off))
        case .unplug: try await fixture.perform(.removeAdapter("hci0", .nothing))
        }
        let told = try await outcome
        #expect([.unknown(.linkLost), .unknown(.unlikelyError), .unknown(.noReply)].contains(told))
        switch catastrophe {
        case .vanish: try await fixture.perform(.appear(machine: Self.name))
        case .powerOff: try await fixture.perform(.power(adapter: "hci0", .on))
        case .unplug: try await fixture.perform(.addAdapter(MockAdapter("hci0")))
        default: break
        }
        try await fixture.reaches(.ready)
        try await fixture.linger(.seconds(20))
        #expect(try await fixture.send(2) == .delivered)
        #expect(await fixture.received() == [LinkFixture.ball(2).text])
      }
    }

    @Test func aWaitingCommandDoesNotSurviveADrop() async throws {
      try await withLinkFixture { fixture in
        try await fixture.reaches(.ready)
        let outcome = try await fixture.sendTwo {
          try await fixture.perform(.drop(machine: Self.name))
        }
        #expect(outcome == .notSent(.linkLost))
        try await fixture.reaches(.ready)
        try await fixture.pass(.seconds(10))
        #expect(await fixture.received() == [LinkFixture.ball(1).text])
      }
    }
  }
}
