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
    ("ai-thinker", "5833ff01-9b8b-5191-6142-22a4536ef123", "5833ff02-9b8b-5191-6142-22a4536ef123"),
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
      profiles: MachineProfile.known
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
      profiles: MachineProfile.known
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
      profiles: configuration.profiles
    )
    #expect(found.profile.name == "configured")
  }

  @Test func aProfileWhoseFlagsDoNotAllowTheWriteDoesNotCount() throws {
    let found = try CommandCharacteristic(
      from: table(
        (Self.uuids[0].1, Self.uuids[0].2, [.read, .notify]),
        ("ffe0", "ffe1", [.write])
      ),
      profiles: MachineProfile.known
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
      try CommandCharacteristic(from: odd, profiles: MachineProfile.known)
    }
  }

  @Test func whatIsThereInsteadIsTold() throws {
    let notifyOnly = try table((Self.uuids[0].1, Self.uuids[0].2, [.notify]))
    #expect(throws: CommandCharacteristic.Absence.noneUsable(found: notifyOnly)) {
      try CommandCharacteristic(from: notifyOnly, profiles: MachineProfile.known)
    }
    let text = LinkFault.noUsableCharacteristic(notifyOnly).reason
    #expect(text.contains("abcd1234-1234-1234-1234-abcdef123456 [notify]"))
  }
}
