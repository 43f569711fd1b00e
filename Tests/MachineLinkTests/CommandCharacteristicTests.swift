import DBus
import MachineLink
import TestSupport
import Testing

@testable import BlueZ

@Suite struct CommandCharacteristicTests {
  private func table(_ entries: (String, String, Characteristic.Flags)...) throws
    -> [LocatedCharacteristic]
  {
    try entries.enumerated().map { index, entry in
      let service = try ObjectPath("/d/service000\(index)")
      return LocatedCharacteristic(
        service: try #require(BluetoothUUID(entry.0)),
        characteristic: Characteristic(
          path: try service.appending("char000\(index)"),
          service: service,
          uuid: try #require(BluetoothUUID(entry.1)),
          flags: entry.2
        )
      )
    }
  }

  private static let uuids = [
    (
      "ball-machine", "12345678-1234-1234-1234-123456789abc", "abcd1234-1234-1234-1234-abcdef123456"
    ),
    ("uart", "55535343-fe7d-4ae5-8fa9-9fafd205e455", "49535343-8841-43f4-a8d4-ecbe34729bb3"),
    (
      "transparent-uart", "49535343-fe7d-4ae5-8fa9-9fafd205e455",
      "49535343-8841-43f4-a8d4-ecbe34729bb3"
    ),
    ("nordic-uart", "6e400001-b5a3-f393-e0a9-e50e24dcca9e", "6e400002-b5a3-f393-e0a9-e50e24dcca9e"),
    ("hm-10", "0000ffe0-0000-1000-8000-00805f9b34fb", "ffe1"),
    (
      "only-writable", "deadbeef-0000-4000-8000-000000000001",
      "deadbeef-0000-4000-8000-000000000002"
    ),
  ]

  @Test(arguments: uuids)
  func eachProfileIsFoundBesideTheStandardServices(name: String, service: String, write: String)
    throws
  {
    let found = try CommandCharacteristic(
      from: table(
        ("1800", "2a00", [.read, .write]),
        ("180f", "2a19", [.read, .notify]),
        (service, write, [.write])
      ),
      profiles: MachineProfile.known,
      trust: .identity
    )
    #expect(found.profile.name == name)
    #expect(found.mode == .request)
    #expect(found.takesRequests && !found.takesCommands)
  }

  @Test func theFirstProfileInTheOrderWins() throws {
    let found = try CommandCharacteristic(
      from: table(
        ("ffe0", "ffe1", [.write]),
        (Self.uuids[0].1, Self.uuids[0].2, [.writeWithoutResponse])
      ),
      profiles: MachineProfile.known,
      trust: .identity
    )
    #expect(found.profile.name == "ball-machine")
    #expect(found.mode == .command)
  }

  @Test func configuredUUIDsGoBeforeAllOthers() throws {
    var configuration = LinkConfiguration()
    let isTaken = configuration.addProfile(service: "abcd", characteristic: "abce")
    #expect(isTaken)
    let found = try CommandCharacteristic(
      from: table(
        (Self.uuids[0].1, Self.uuids[0].2, [.write]),
        ("abcd", "abce", [.write])
      ),
      profiles: configuration.profiles,
      trust: .identity
    )
    #expect(found.profile.name == "configured")
  }

  @Test func aProfileWhoseFlagsDoNotAllowTheWriteDoesNotCount() throws {
    let found = try CommandCharacteristic(
      from: table(
        (Self.uuids[0].1, Self.uuids[0].2, [.read, .notify]),
        ("ffe0", "ffe1", [.write])
      ),
      profiles: MachineProfile.known,
      trust: .identity
    )
    #expect(found.profile.name == "hm-10")
  }

  @Test func twoWritableOnesAreListedAndNeverGuessedAt() throws {
    let odd = try table(
      ("deadbeef-0000-4000-8000-000000000001", "deadbeef-0000-4000-8000-000000000002", [.write]),
      (
        "deadbeef-0000-4000-8000-000000000003", "deadbeef-0000-4000-8000-000000000004",
        [.writeWithoutResponse]
      )
    )
    #expect(throws: CommandCharacteristic.Absence.ambiguous(odd)) {
      try CommandCharacteristic(from: odd, profiles: MachineProfile.known, trust: .identity)
    }
  }

  // MARK: Handles

  /// One firmware has its service twice.
  @Test(arguments: [
    ("0x0001", nil), ("0x1", nil), ("1", nil), ("char0001", nil), ("service0001/char0001", nil),
    ("/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5/service0001/char0001", nil), ("1", uuids[0].1),
  ])
  func aHandleTellsEqualUUIDsApart(_ handle: String, _ service: String?) throws {
    let twice = try table(
      (Self.uuids[0].1, Self.uuids[0].2, [.write]),
      (Self.uuids[0].1, Self.uuids[0].2, [.write])
    )
    #expect(throws: CommandCharacteristic.Absence.ambiguous(twice)) {
      try CommandCharacteristic(from: twice, profiles: MachineProfile.known, trust: .identity)
    }
    let fault = LinkFault.ambiguousCharacteristics(twice)
    #expect(fault.reason.contains("at 0x0001") && fault.remedy == "name one by its handle")
    var configuration = LinkConfiguration()
    let isTaken = configuration.addProfile(service: service, characteristic: handle)
    #expect(isTaken)
    for trust in [CommandCharacteristic.Trust.identity, .name] {
      let found = try CommandCharacteristic(
        from: twice,
        profiles: configuration.profiles,
        trust: trust
      )
      #expect(found.path == twice[1].characteristic.path && found.profile.name == "configured")
    }
  }

  @Test func aHandleThatIsNotThereDecidesNothing() throws {
    let twice = try table(
      (Self.uuids[0].1, Self.uuids[0].2, [.write]),
      (Self.uuids[0].1, Self.uuids[0].2, [.write])
    )
    for (service, handle) in [(nil, "7"), ("ffe0", "1")] {
      var configuration = LinkConfiguration()
      let isTaken = configuration.addProfile(service: service, characteristic: handle)
      #expect(isTaken)
      #expect(throws: CommandCharacteristic.Absence.ambiguous(twice)) {
        try CommandCharacteristic(from: twice, profiles: configuration.profiles, trust: .identity)
      }
    }
  }

  @Test(arguments: [
    "0", "0x0000", "ffe1", "0011", "0xffe1", "-1", "+1", "70000", "char11", "char", "",
  ])
  func thatIsNoHandle(_ text: String) {
    #expect(AttributeHandle(text) == nil)
  }

  @Test func whatIsThereInsteadIsTold() throws {
    let notifyOnly = try table((Self.uuids[0].1, Self.uuids[0].2, [.notify]))
    #expect(throws: CommandCharacteristic.Absence.noneUsable(found: notifyOnly)) {
      try CommandCharacteristic(from: notifyOnly, profiles: MachineProfile.known, trust: .identity)
    }
    let text = LinkFault.noUsableCharacteristic(notifyOnly).reason
    #expect(text.contains("abcd1234-1234-1234-1234-abcdef123456 [notify]"))
  }

  // MARK: Update services

  private static let update = (
    service: "5833ff01-9b8b-5191-6142-22a4536ef123", write: "5833ff02-9b8b-5191-6142-22a4536ef123"
  )

  @Test func anUpdateServiceTakesCommandsOnlyOfAnAdoptedMachine() throws {
    let only = try table((Self.update.service, Self.update.write, [.write]))
    #expect(throws: CommandCharacteristic.Absence.needsAdoption(only[0])) {
      try CommandCharacteristic(from: only, profiles: MachineProfile.known, trust: .identity)
    }
    let found = try CommandCharacteristic(
      from: only,
      profiles: MachineProfile.known,
      trust: .adoption
    )
    #expect(found.profile.name == "phy62xx-update")
  }

  @Test func aConfiguredUpdateServiceNeedsAdoptionAsWell() throws {
    var configuration = LinkConfiguration()
    let isTaken = configuration.addProfile(
      service: Self.update.service,
      characteristic: Self.update.write
    )
    #expect(isTaken)
    let only = try table((Self.update.service, Self.update.write, [.write]))
    #expect(throws: CommandCharacteristic.Absence.needsAdoption(only[0])) {
      try CommandCharacteristic(from: only, profiles: configuration.profiles, trust: .identity)
    }
    let found = try CommandCharacteristic(
      from: only,
      profiles: configuration.profiles,
      trust: .adoption
    )
    #expect(found.profile.name == "configured")
  }

  @Test(
    arguments: uuids.filter { $0.0 != "only-writable" } + [
      (
        "only-writable", "000056ff-0000-1000-8000-00805f9b34fb",
        "000033f3-0000-1000-8000-00805f9b34fb"
      )
    ],
    [CommandCharacteristic.Trust.identity, .adoption]
  )
  func anUpdateServiceIsNoCommandChannelBesideAnotherCandidate(
    profile: (name: String, service: String, write: String),
    trust: CommandCharacteristic.Trust
  ) throws {
    let found = try CommandCharacteristic(
      from: table(
        (Self.update.service, Self.update.write, [.write]),
        (profile.service, profile.write, [.write])
      ),
      profiles: MachineProfile.known,
      trust: trust
    )
    #expect(found.profile.name == profile.name)
  }

  @Test func whatIsConfiguredAndNotUsedIsNotReplacedByAGuess() throws {
    var configuration = LinkConfiguration()
    let isTaken = configuration.addProfile(
      service: Self.update.service,
      characteristic: Self.update.write
    )
    #expect(isTaken)
    let both = try table(
      (Self.update.service, Self.update.write, [.write]),
      ("56ff", "33f3", [.write])
    )
    #expect(throws: CommandCharacteristic.Absence.ambiguous([both[1], both[0]])) {
      try CommandCharacteristic(from: both, profiles: configuration.profiles, trust: .adoption)
    }
  }

  @Test(
    arguments: [
      ("fe59", "8ec90001-f315-4f60-9fb8-838830daea50"),
      ("00001530-1212-efde-1523-785feabcd123", "00001531-1212-efde-1523-785feabcd123"),
      ("f000ffc0-0451-4000-b000-000000000000", "f000ffc1-0451-4000-b000-000000000000"),
      ("1d14d6ee-fd63-4fa1-bfa4-8f47b42119f0", "f7bf3564-fb6d-4e53-88a4-5e37e0326063"),
      ("00010203-0405-0607-0809-0a0b0c0d1912", "00010203-0405-0607-0809-0a0b0c0d2b12"),
      ("8d53dc1d-1db7-4cd3-868b-8a527460aa84", "da2e7828-fbce-4e01-ae9e-261174997c48"),
    ]
  )
  func anotherChipsUpdateServiceIsNeverTheOnlyWritableOne(service: String, write: String) throws {
    let only = try table((service, write, [.write]))
    #expect(throws: CommandCharacteristic.Absence.noneUsable(found: only)) {
      try CommandCharacteristic(from: only, profiles: MachineProfile.known, trust: .adoption)
    }
  }
}
