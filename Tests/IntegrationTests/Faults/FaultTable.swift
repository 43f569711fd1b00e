import BlueZ
import Clocks
import CourtLogic
import DBus
import MachineLink
import MockMachine

/// Every fault that the link is known to survive, in the order of the table.
enum FaultTable {
  static let scenarios =
    connecting + lies + known + tables + drops + writes + absences + daemon + adapters + strangers
    + ends

  static let name = LinkFixture.machine.string
  private static let machine = LinkFixture.machine
  private static let address = BluetoothAddress(name)
  static let trusted = MockModel(peripherals: [MockPeripheral(isTrusted: true)])
  static let byAddress = LinkConfiguration(address: address)

  private static func bluez(_ name: String, _ message: String) -> DBusError {
    DBusError(name: "org.bluez.Error.\(name)", message: message)
  }

  private static let abort = bluez("Failed", "le-connection-abort-by-local")

  // MARK: Rows 1 to 6

  private static let connecting: [FaultScenario] = [
    FaultScenario(
      row: 1,
      fault: "Connect fails once with `le-connection-abort-by-local`",
      response: "tries again after the first delay, 0.5 to 0.6 s",
      story: "theNextTryComesAfterTheFirstDelay",
      strike: FaultScenario.whileReady(
        .fault(machine: name, .refuseConnect(abort, after: nil), .once),
        .drop(machine: name)
      )
    ),
    FaultScenario(
      row: 1,
      fault: "the same, and `Connected` flaps",
      response: "the same",
      story: "theNextTryComesAfterTheFirstDelay",
      strike: FaultScenario.whileReady(.fault(machine: name, .flap, .once), .drop(machine: name))
    ),
    FaultScenario(
      row: 2,
      fault: "the same for 30 s",
      response: "backs off, at most 6 Connects in 30 s; time from the end of the refusal",
      story: "aMachineThatAlwaysRefusesIsTriedForEverButNotOften",
      length: .long,
      limit: .seconds(25),
      strike: FaultScenario.whileReady(.fault(machine: name, .flap, .always), .drop(machine: name))
      {
        fixture in
        try await fixture.pass(.seconds(30))
        let end = fixture.now
        try await fixture.perform(.clearFaults(machine: nil))
        return end
      }
    ),
    FaultScenario(
      row: 2,
      fault: "the same for 5 minutes",
      response: "backs off to 30 s, at most 16 Connects; time from the end of the refusal",
      story: "aMachineThatAlwaysRefusesIsTriedForEverButNotOften",
      length: .injected,
      limit: .seconds(37),
      strike: FaultScenario.whileReady(.fault(machine: name, .flap, .always), .drop(machine: name))
      {
        fixture in
        try await fixture.pass(.seconds(300))
        let end = fixture.now
        try await fixture.perform(.clearFaults(machine: nil))
        return end
      }
    ),
    FaultScenario(
      row: 3,
      fault: "Connect replies success, and there is no link",
      response: "calls Disconnect, then tries again after the first delay",
      story: "successWithoutALinkIsNeverReady",
      strike: FaultScenario.whileReady(
        .fault(machine: name, .connectWithoutLink, .once),
        .drop(machine: name)
      )
    ),
    FaultScenario(
      row: 4,
      fault: "Connect is never answered",
      response: "calls Disconnect after 45 s, then tries again at once",
      story: "theAnswerOfDisconnectIsAwaitedBeforeTheNextTry",
      length: .long,
      limit: .seconds(47),
      strike: FaultScenario.whileReady(
        .fault(machine: name, .connectWithoutReply, .once),
        .drop(machine: name)
      )
    ),
    FaultScenario(
      row: 4,
      fault: "another program removes the device while Connect is pending",
      response: "scans for it again",
      story: "aDeviceThatAnotherProgramRemovesDuringConnectIsFoundAgain",
      strike: FaultScenario.whileReady(
        .fault(machine: name, .connectWithoutReply, .once),
        .drop(machine: name)
      ) { fixture in
        try await fixture.called("Connect")
        try await fixture.called("Connect")
        let start = fixture.now
        try await fixture.perform(.removeObject(machine: name))
        return start
      }
    ),
    FaultScenario(
      row: 4,
      fault: "the machine is absent for a minute; BlueZ's Connect fails after 41 s",
      response: "keeps a Connect pending; time from the machine's first advertisement",
      story: "aPendingConnectIsTheWaitForAnAbsentMachine",
      length: .long,
      strike: returning(after: .seconds(60))
    ),
  ]

  private static let lies: [FaultScenario] = [
    refusal(
      bluez("Failed", "Operation already in progress"),
      "Disconnect, then tries again after the first delay"
    ),
    refusal(bluez("InProgress", "In Progress"), "Disconnect, then tries again after a delay"),
    refusal(bluez("Failed", "br-connection-canceled"), "tries again after the first delay"),
    FaultScenario(
      row: 5,
      fault: "`Input/output error`, since the adapter is off for 3 s",
      response: "waits until it is on; time from then",
      story: "anAdapterThatIsOffIsWaitedFor",
      strike: FaultScenario.whileReady(
        .failMethod("Connect", bluez("Failed", "Input/output error"), .once),
        .drop(machine: name)
      ) { fixture in
        // That of the link which has dropped, then the one that fails.
        try await fixture.called("Connect")
        try await fixture.called("Connect")
        try await fixture.perform(.power(adapter: "hci0", .off))
        try await fixture.pass(.seconds(3))
        let end = fixture.now
        try await fixture.perform(.power(adapter: "hci0", .on))
        return end
      }
    ),
    FaultScenario(
      row: 5,
      fault: "the scan is refused with `InProgress`",
      response: "stops any scan of its own, and scans again after the first delay",
      story: "aScanThatIsRefusedIsTriedAgain",
      limit: .seconds(3),
      strike: FaultScenario.whileReady(
        .failMethod("StartDiscovery", bluez("InProgress", "Operation already in progress"), .once),
        .removeObject(machine: name)
      )
    ),
    FaultScenario(
      row: 6,
      fault: "the device object vanishes",
      response: "scans for it again",
      story: "aDeviceThatVanishesBetweenScanAndConnectIsFoundAgain",
      strike: FaultScenario.whileReady(.removeObject(machine: name))
    ),
  ]

  private static func refusal(_ error: DBusError, _ response: String) -> FaultScenario {
    FaultScenario(
      row: 5,
      fault: "Connect fails once with `\(error.message)`",
      response: response,
      story: "everyErrorHasItsOwnReaction",
      strike: FaultScenario.whileReady(
        .failMethod("Connect", error, .once),
        .drop(machine: name)
      )
    )
  }

  /// The machine is switched off, and on again later.
  private static func returning(
    after absence: Duration,
    as new: MockAddress? = nil
  ) -> @Sendable (LinkFixture) async throws -> MonotonicInstant {
    FaultScenario.whileReady(.vanish(machine: name)) { fixture in
      try await fixture.fails("the loss") { $0.isLinkLost }
      try await fixture.pass(absence)
      if let new { try await fixture.perform(.newAddress(machine: name, new)) }
      let start = fixture.now
      try await fixture.perform(.appear(machine: new?.string ?? name))
      return start
    }
  }

  // MARK: Rows 7 to 9

  /// The crashed run has left word that the link is its own.
  private static var afterACrash: LinkConfiguration {
    var configuration = byAddress
    configuration.leftLink = configuration.address.map {
      LeftLink(address: $0, isSimulated: !Setups.isReal)
    }
    return configuration
  }

  private static let known: [FaultScenario] = [
    FaultScenario(
      row: 7,
      fault: "at the start the machine is connected: a run before has crashed",
      response: "adopts the link, without a scan",
      story: "aLinkThatIsThereAlreadyIsAdopted",
      configuration: afterACrash,
      before: { try await $0.perform(.link(machine: name, adapter: nil)) },
      strike: { fixture in try await fixture.firstStatus() }
    ),
    FaultScenario(
      row: 7,
      fault: "at the start a Connect of a crashed run is pending",
      response: "calls Disconnect, then connects after the first delay",
      story: "anOrphanedConnectDoesNotHoldUpOurs",
      model: MockModel(peripherals: [MockPeripheral(isTrusted: true, isAdvertising: false)]),
      configuration: byAddress,
      before: { setup in
        try await setup.leaveAPendingConnect()
        setup.holdTime(true)
      },
      strike: { fixture in
        defer { fixture.setup.holdTime(false) }
        let start = try await fixture.firstStatus()
        // The crashed run's, then ours, which is refused: a machine that is there before answers first.
        try await fixture.called("Connect")
        try await fixture.called("Connect")
        try await fixture.perform(.appear(machine: name))
        return start
      }
    ),
  ]

  private static let tables: [FaultScenario] = [
    FaultScenario(
      row: 8,
      fault: "the GATT objects come 1.5 s after `ServicesResolved`",
      response: "waits for them for 2 s",
      story: "objectsThatComeAfterServicesResolvedAreAwaited",
      patience: .seconds(2),
      limit: .seconds(3),
      model: trusted,
      configuration: byAddress,
      before: { try await $0.perform(.timing("objects-after-resolve", .milliseconds(1500))) },
      strike: { fixture in try await fixture.firstStatus() }
    ),
    FaultScenario(
      row: 8,
      fault: "`ServicesResolved` without any GATT object",
      response: "waits for 2 s, calls RemoveDevice once, and scans again",
      story: "servicesThatFailToResolveAreTriedAgain",
      patience: .seconds(2),
      limit: .seconds(6),
      model: trusted,
      configuration: byAddress,
      before: { try await $0.perform(.fault(machine: name, .resolveFails, .once)) },
      strike: { fixture in try await fixture.firstStatus() }
    ),
    FaultScenario(
      row: 8,
      fault: "new firmware, and BlueZ shows the old table",
      response: "learns it from the first write, calls RemoveDevice once, and scans again",
      story: "aTableThatTheMachineNoLongerHasIsForgotten",
      limit: .seconds(4),
      configuration: byAddress,
      strike: FaultScenario.whileReady(
        .changeTable(machine: name, .empty, silently: true),
        .drop(machine: name)
      ) { fixture in
        try await fixture.fails("the stale table") { $0 == .staleTable }
        let start = fixture.now
        try await fixture.perform(.changeTable(machine: name, .transparentUART, silently: true))
        return start
      }
    ),
    FaultScenario(
      row: 8,
      fault: "the table changes while ready",
      response: "resolves again on the same link",
      story: "aTableThatChangesUnderTheLinkIsReadAgain",
      strike: FaultScenario.whileReady(.changeTable(machine: name, .requestOnly, silently: false))
    ),
  ]

  private static let drops: [FaultScenario] = [
    FaultScenario(
      row: 9,
      fault: "the link drops while ready",
      response: "connects again after 0.1 s",
      story: "theOutcomeIsTrueAndTheLinkComesBack",
      strike: FaultScenario.whileReady(.drop(machine: name))
    ),
    FaultScenario(
      row: 9,
      fault: "the link drops mid-write",
      response: "the write is `unknown`, and never repeated; connects again after 0.1 s",
      story: "aLinkThatFallsAfterTheWriteArrivedLeavesItUnknown",
      strike: FaultScenario.whileReady(.fault(machine: name, .drop(.writing), .once)) { fixture in
        try await fixture.loss()
      }
    ),
    FaultScenario(
      row: 9,
      fault: "the link drops while connecting",
      response: "tries again after the first delay",
      story: "aLinkThatFallsWhileItIsSetUpIsTriedAgain",
      strike: FaultScenario.whileReady(
        .fault(machine: name, .drop(.connecting), .once),
        .drop(machine: name)
      )
    ),
    FaultScenario(
      row: 9,
      fault: "the link drops while resolving",
      response: "tries again after the first delay",
      story: "aLinkThatFallsWhileItIsSetUpIsTriedAgain",
      strike: FaultScenario.whileReady(
        .fault(machine: name, .drop(.resolving), .once),
        .drop(machine: name)
      )
    ),
    FaultScenario(
      row: 9,
      fault: "drop and return in one signal",
      response: "ends the connection, and resolves again",
      story: "aDropAndReturnInOneSignalEndsTheConnection",
      strike: FaultScenario.whileReady(.coalesceDrop(machine: name))
    ),
    FaultScenario(
      row: 9,
      fault: "`Connected` is never signalled",
      response: "reads it after Connect",
      story: "aLinkWhoseSignalNeverComesIsSeenAllTheSame",
      strike: FaultScenario.whileReady(
        .fault(machine: name, .omitConnectedSignal, .once),
        .drop(machine: name)
      )
    ),
  ]

  // MARK: Rows 10 and 11

  private static let writes: [FaultScenario] = [
    FaultScenario(
      row: 10,
      fault: "a write is never answered",
      response: "the write is `unknown` after 5 s; Disconnect, and connects again at once",
      story: "aWriteThatIsNotAnsweredIsUnknownAndTheLinkIsMadeAgain",
      limit: .seconds(9),
      strike: FaultScenario.whileReady(.fault(machine: name, .hangWrites(lost: false), .once)) {
        fixture in
        try await fixture.fails("the deadline") { $0 == .writeUnanswered }
        return await fixture.lastCall(of: "WriteValue")
      }
    ),
    writeFailure(bluez("InProgress", "In Progress")),
    writeFailure(bluez("NotPermitted", "Write acquired")),
    writeFailure(bluez("Failed", "Operation failed with ATT error: 0x80")),
  ]

  private static func writeFailure(_ error: DBusError) -> FaultScenario {
    FaultScenario(
      row: 10,
      fault: "a write fails with `\(error.message)`",
      response: "the write is `not sent`, with the reason; stays ready; time to the next delivery",
      story: "aWriteThatFailsIsNeverRepeated",
      goal: .delivery,
      limit: .seconds(4),
      strike: FaultScenario.whileReady(.fault(machine: name, .failWrites(error), .once)) {
        fixture in
        let count = await fixture.times(of: "WriteValue").count
        while await fixture.times(of: "WriteValue").count == count {
          try await fixture.called("WriteValue")
        }
        return await fixture.lastCall(of: "WriteValue")
      }
    )
  }

  private static let absences: [FaultScenario] = [
    FaultScenario(
      row: 11,
      fault: "the machine is off for 10 s",
      response: "keeps a Connect pending; time from the machine's first advertisement",
      story: "aMachineThatWasOffIsBackSoonAfterItIsOn",
      strike: returning(after: .seconds(10))
    ),
    FaultScenario(
      row: 11,
      fault: "the machine is off for 10 minutes",
      response: "alternates Connect and a scan of 20 s;"
        + " time from the machine's first advertisement",
      story: "afterTenMinutesOurShareOfTheReturnIsSmall",
      length: .injected,
      strike: returning(after: .seconds(600))
    ),
    FaultScenario(
      row: 11,
      fault: "the machine is off for 75 s and returns with a new address",
      response: "scans until it finds a device of the configured name;"
        + " time from the machine's first advertisement",
      story: "aNewAddressAfterTenMinutesIsAcceptedByName",
      length: .long,
      limit: .seconds(12),
      configuration: LinkConfiguration(name: "BallMachine"),
      strike: FaultScenario.whileReady(.vanish(machine: name)) { fixture in
        try await fixture.fails("the loss") { $0.isLinkLost }
        try await fixture.pass(.seconds(75))
        let start = fixture.now
        let new: MockAddress = "F0:F1:F2:F3:F4:99"
        try await fixture.perform(
          .newAddress(machine: name, new),
          .appear(machine: new.string)
        )
        return start
      }
    ),
  ]

  // MARK: Rows 12 and 13

  private static let daemon: [FaultScenario] = [
    FaultScenario(
      row: 12,
      fault: "bluetoothd is killed and is back after 3 s, while ready",
      response: "connects as soon as the objects are back; time from then",
      story: "aRestartIsNoticedAtOnceAndSoonOver",
      strike: FaultScenario.whileReady(.restart(downFor: .seconds(3))) { fixture in
        try await fixture.returnOfObjects()
      }
    ),
    FaultScenario(
      row: 12,
      fault: "the same while connecting",
      response: "the same",
      story: "aRestartIsNoticedAtOnceAndSoonOver",
      strike: FaultScenario.whileReady(.vanish(machine: name)) { fixture in
        try await fixture.reaches(.connecting)
        try await fixture.perform(.appear(machine: name), .restart(downFor: .seconds(3)))
        return try await fixture.returnOfObjects()
      }
    ),
    FaultScenario(
      row: 12,
      fault: "the same mid-write",
      response: "the write is `unknown`; the same",
      story: "aRestartIsNoticedAtOnceAndSoonOver",
      strike: FaultScenario.whileReady(.fault(machine: name, .hangWrites(lost: false), .once)) {
        fixture in
        let count = await fixture.times(of: "WriteValue").count
        while await fixture.times(of: "WriteValue").count == count {
          try await fixture.called("WriteValue")
        }
        try await fixture.perform(.restart(downFor: .seconds(3)))
        return try await fixture.returnOfObjects()
      }
    ),
    FaultScenario(
      row: 12,
      fault: "bluetoothd is absent at the start, for 8 s",
      response: "waits for it, and asks the system bus to start it; time from its start",
      story: "theBusIsAskedToStartItOncePerStepOfTheBackOff",
      configuration: byAddress,
      before: { try await $0.perform(.down) },
      strike: { fixture in
        try await fixture.fails("its absence") { $0 == .serviceAbsent }
        try await fixture.pass(.seconds(8))
        let start = fixture.now
        try await fixture.perform(.up)
        return start
      }
    ),
    FaultScenario(
      row: 13,
      fault: "the D-Bus daemon dies, is back after 2 s, and bluetoothd a second later",
      response: "opens the bus again; time from the objects' return",
      story: "aRestartOfTheBusItselfIsSurvived",
      strike: FaultScenario.whileReady { fixture in
        try await fixture.setup.restartBus(downFor: .seconds(2))
        try await fixture.pass(.seconds(1))
        try await fixture.perform(.up)
        return try await fixture.returnOfObjects()
      }
    ),
  ]

  // MARK: Row 14

  private static let adapters: [FaultScenario] = [
    FaultScenario(
      row: 14,
      fault: "another program switches the adapter off, and on after 3 s",
      response: "leaves it off; time from its return",
      story: "anAdapterThatIsSwitchedOffIsLeftOff",
      strike: afterwards(.power(adapter: "hci0", .off), .power(adapter: "hci0", .on))
    ),
    FaultScenario(
      row: 14,
      fault: "rfkill blocks the adapter for 3 s",
      response: "waits; time from the end of the block",
      story: "aBlockWhileReadyIsToldAndSurvived",
      strike: afterwards(.power(adapter: "hci0", .blocked), .power(adapter: "hci0", .unblocked))
    ),
    FaultScenario(
      row: 14,
      fault: "the adapter is unplugged, and comes back as `hci1` after 3 s",
      response: "knows it by its address, powers it on; time from its return",
      story: "anAdapterThatComesBackUnderAnotherNameIsKnownByItsAddress",
      strike: afterwards(
        .removeAdapter("hci0", .success),
        .addAdapter(MockAdapter("hci1", isPowered: false))
      )
    ),
    FaultScenario(
      row: 14,
      fault: "two adapters, and the one in use is unplugged; the other one is allowed",
      response: "finds the machine through the other one",
      story: "anotherAdapterTakesOverWithLeave",
      model: MockModel(
        adapters: [MockAdapter(), MockAdapter("hci1", address: "AA:BB:CC:DD:EE:02")],
        peripherals: [MockPeripheral()]
      ),
      configuration: LinkConfiguration(allowsOtherAdapter: true),
      strike: FaultScenario.whileReady(.removeAdapter("hci0", .success))
    ),
  ]

  /// The second thing happens 3 s after the first, and time runs from it.
  private static func afterwards(
    _ first: MockVerb,
    _ second: MockVerb
  ) -> @Sendable (LinkFixture) async throws -> MonotonicInstant {
    FaultScenario.whileReady(first) { fixture in
      try await fixture.reaches(.waitingForAdapter)
      try await fixture.pass(.seconds(3))
      let start = fixture.now
      try await fixture.perform(second)
      return start
    }
  }

  // MARK: Rows 15 to 18

  private static let strangers: [FaultScenario] = [
    FaultScenario(
      row: 15,
      fault: "a stranger with the same name and a UART is in range, and the link drops",
      response: "connects to ours again; writes nothing to the stranger",
      story: "aStrangerBesideOursIsLeftAlone",
      model: MockModel(peripherals: [
        MockPeripheral("11:22:33:44:55:66", name: "BallMachine", profile: .nordicUART),
        MockPeripheral(),
      ]),
      strike: FaultScenario.whileReady(.drop(machine: name))
    ),
    FaultScenario(
      row: 16,
      fault: "a machine that takes only writes without response drops",
      response: "connects again after 0.1 s; balls are `queued`",
      story: "aMachineThatTakesOnlyUnacknowledgedWritesGetsThose",
      model: MockModel(peripherals: [MockPeripheral(profile: .commandOnly)]),
      strike: FaultScenario.whileReady(.drop(machine: name))
    ),
    FaultScenario(
      row: 17,
      fault: "a machine with a public address on a dual-mode adapter drops",
      response: "connects again after 0.1 s; warns that BlueZ may page it over BR/EDR",
      story: "aMachineThatMayBePagedOverClassicBluetoothIsToldOf",
      model: MockModel(
        adapters: [MockAdapter(isDualMode: true)],
        peripherals: [MockPeripheral(addressType: .public)]
      ),
      strike: FaultScenario.whileReady(.drop(machine: name))
    ),
    FaultScenario(
      row: 18,
      fault: "a thousand foreign advertisements a second, and the link drops",
      response: "connects again after 0.1 s; their signals don't wake a ready link",
      story: "aThousandAdvertisementsASecondDoNotWakeTheLink",
      strike: FaultScenario.whileReady(
        .advertiseFlood(perSecond: 1000),
        .drop(machine: name)
      )
    ),
  ]

  // MARK: Row 19

  private static let ends: [FaultScenario] = [
    FaultScenario(
      row: 19,
      fault: "the program is ended while ready",
      response: "calls Disconnect, which takes BlueZ 2 s",
      story: "whileReady",
      goal: .end,
      limit: .seconds(6),
      strike: FaultScenario.whileReady()
    ),
    FaultScenario(
      row: 19,
      fault: "the program is ended while a Connect is pending",
      response: "calls Disconnect, which cancels it",
      story: "whileConnecting",
      goal: .end,
      limit: .seconds(6),
      strike: FaultScenario.whileReady(.vanish(machine: name)) { fixture in
        try await fixture.reaches(.connecting)
        try await fixture.pass(.seconds(1))
        return fixture.now
      }
    ),
    FaultScenario(
      row: 19,
      fault: "the program is ended while a write hangs",
      response: "waits a second more for the write, reports it `unknown`, and calls Disconnect",
      story: "whileAWriteHangs",
      goal: .end,
      limit: .seconds(6),
      strike: FaultScenario.whileReady(.fault(machine: name, .hangWrites(lost: true), .always)) {
        fixture in
        let count = await fixture.times(of: "WriteValue").count
        while await fixture.times(of: "WriteValue").count == count {
          try await fixture.called("WriteValue")
        }
        return fixture.now
      }
    ),
  ]
}
