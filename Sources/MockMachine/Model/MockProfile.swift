/// A ready GATT server: the machines that exist, strangers' devices, and wrong ones.
package enum MockProfile: String, CaseIterable, Hashable, Sendable {
  /// UUIDs that no list knows: they have to be configured.
  case configured = "1"
  /// The ball machine's documented service.
  case ballMachine = "2"
  case aiThinker = "3"
  /// Microchip's (ISSC's) transparent UART.
  case transparentUART = "4"
  case nordicUART = "5"
  case hm10 = "6"
  /// One writable characteristic outside the standard services, and nothing known.
  case onlyWritable = "7"
  /// Two candidates for profile 7.
  case twoWritable = "two-writable"
  /// The ball machine's service without anything writable.
  case notifyOnly = "notify-only"
  /// The ball machine's UUIDs, but the command characteristic can only be read and notify.
  case wrongFlags = "wrong-flags"
  /// The ball machine's UUIDs with `write-without-response` alone.
  case commandOnly = "command-only"
  /// The ball machine's UUIDs with `write` alone.
  case requestOnly = "request-only"
  /// The ball machine's UUIDs; it refuses every write of a central that it isn't paired with.
  case encrypted
  /// Nothing but the standard services.
  case empty

  /// The service that is advertised too; profiles known only by their characteristics have none.
  package var service: MockUUID? {
    switch self {
    case .onlyWritable, .twoWritable: nil
    default: own.first?.uuid
    }
  }

  /// The name that such a device usually advertises.
  package var defaultName: String {
    switch self {
    case .aiThinker: "ai-thinker"
    case .transparentUART: "RN4871"
    case .nordicUART: "Nordic_UART"
    case .hm10: "HMSoft"
    default: "BallMachine"
    }
  }

  package var table: MockGATTTable { MockGATTTable(Self.standard + own) }

  /// A framed machine can notify: where no characteristic does, those do that can be written.
  package func table(in encoding: MockEncoding) -> MockGATTTable {
    guard encoding == .framed, table.notifier == nil else { return table }
    let notifying = own.map { draft in
      var draft = draft
      draft.characteristics = draft.characteristics.map { ($0.uuid, $0.flags + ["notify"]) }
      return draft
    }
    return MockGATTTable(Self.standard + notifying)
  }

  private var own: [MockGATTTable.Draft] {
    let either = ["write-without-response", "write"]
    func ballMachine(_ flags: [String]) -> [MockGATTTable.Draft] {
      [.init(.ballMachineService, (.ballMachineCommand, flags))]
    }
    return switch self {
    case .configured: [.init(.configuredService, (.configuredCommand, either))]
    case .ballMachine: ballMachine(either)
    case .aiThinker:
      [.init(.aiThinkerService, (.aiThinkerCommand, either), (.aiThinkerNotify, ["notify"]))]
    case .transparentUART:
      [
        .init(
          .transparentUARTService,
          (.transparentUARTNotify, ["notify"]),
          (.transparentUARTCommand, either)
        )
      ]
    case .nordicUART:
      [.init(.nordicUARTService, (.nordicUARTCommand, either), (.nordicUARTNotify, ["notify"]))]
    case .hm10: [.init("ffe0", ("ffe1", ["read", "write-without-response", "notify"]))]
    case .onlyWritable:
      [.init(.unknownService, (.unknownCommand, ["write"]), (.unknownState, ["read", "notify"]))]
    case .twoWritable:
      [
        .init(
          .unknownService,
          (.unknownCommand, ["write"]),
          (.unknownOther, ["write-without-response"])
        )
      ]
    case .notifyOnly: ballMachine(["notify"])
    case .wrongFlags: ballMachine(["read", "notify"])
    case .commandOnly: ballMachine(["write-without-response"])
    case .requestOnly: ballMachine(["write"])
    case .encrypted: ballMachine(["write", MockGATTTable.Characteristic.encryptWrite])
    case .empty: []
    }
  }

  /// What stands beside it in most peers. Immediate Alert is here because it is writable and yet no
  /// machine's command characteristic. GAP (0x1800) is missing because bluetoothd claims it
  /// (its GAP plugin).
  private static let standard: [MockGATTTable.Draft] = [
    .init("1801", ("2a05", ["indicate"])),
    .init("180a", ("2a29", ["read"])),
    .init("1802", ("2a06", ["write-without-response"])),
  ]
}

extension MockUUID {
  package static let configuredService: MockUUID = "b0a11ba1-0000-4000-8000-000000000001"
  package static let configuredCommand: MockUUID = "b0a11ba1-0000-4000-8000-000000000002"
  package static let ballMachineService: MockUUID = "12345678-1234-1234-1234-123456789abc"
  package static let ballMachineCommand: MockUUID = "abcd1234-1234-1234-1234-abcdef123456"
  static let aiThinkerService: MockUUID = "5833ff01-9b8b-5191-6142-22a4536ef123"
  static let aiThinkerCommand: MockUUID = "5833ff02-9b8b-5191-6142-22a4536ef123"
  static let aiThinkerNotify: MockUUID = "5833ff03-9b8b-5191-6142-22a4536ef123"
  static let transparentUARTService: MockUUID = "49535343-fe7d-4ae5-8fa9-9fafd205e455"
  static let transparentUARTCommand: MockUUID = "49535343-8841-43f4-a8d4-ecbe34729bb3"
  static let transparentUARTNotify: MockUUID = "49535343-1e4d-4bd9-ba61-23c647249616"
  static let nordicUARTService: MockUUID = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
  static let nordicUARTCommand: MockUUID = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
  static let nordicUARTNotify: MockUUID = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"
  static let unknownService: MockUUID = "c0ffee00-0000-4000-8000-000000000001"
  static let unknownCommand: MockUUID = "c0ffee00-0000-4000-8000-000000000002"
  static let unknownState: MockUUID = "c0ffee00-0000-4000-8000-000000000003"
  static let unknownOther: MockUUID = "c0ffee00-0000-4000-8000-000000000004"
}
