import DBus
import Glibc
import TestSupport
import Testing

/// How the program ends when it can't do what it was asked for, and what it says then.
@Suite(.onEitherSetup, .mustEnd)
struct CommandLineExitCodeTests {
  private static let noBus = ["--bus", "unix:path=/proc/none"]
  private static let noBusMessage = "can't be reached"

  @Test(
    arguments: [
      "10500105001200200", "1050010500120020000", "10500105001200200000", "+05001050012002000",
      "-05001050012002000", "105001050 12002000", "10500105001200200a", "１０５００１０５００１２００２０００",
      "", " 105001050012002000", "1050010500120020.0",
    ],
    ["send", "explain"]
  )
  func whatIsNoCommandIsRefused(_ digits: String, _ subcommand: String) async throws {
    let options = subcommand == "send" ? ["--yes"] + Self.noBus : []
    let result = try await BuiltProgram.run([subcommand] + options + [digits])
    #expect(result.code == 64 && result.output == "")
    #expect(result.errors.hasPrefix("ballmachine \(subcommand): "), "\(result.errors)")
    #expect(result.errors.contains(digits))
  }

  @Test(arguments: [
    (["serve", "--arm"], noBusMessage),
    (["send", "--yes", "--zone", "1"], noBusMessage),
    (["scan"], noBusMessage),
    (["mock"], noBusMessage),
  ])
  func aBusThatIsNotThereIsToldAtOnce(_ arguments: [String], _ message: String) async throws {
    try await CommandLineSetup.with { setup in
      let result = try await setup.run(arguments + Self.noBus)
      #expect(result.code == 69)
      #expect(result.errors.contains(message) && result.errors.contains("/proc/none"))
    }
  }

  @Test(arguments: [
    (["send", "--yes", "--zone", "1", "--wait", "3"], ""),
    (["serve", "--duration", "3"], ""),
    (["scan", "--duration", "3"], ""),
    (["send", "--yes", "--zone", "1", "--wait", "3"], "remove-adapter hci0"),
    (["serve", "--duration", "3"], "remove-adapter hci0"),
    (["scan", "--duration", "3"], "remove-adapter hci0"),
    (["send", "--yes", "--zone", "1", "--wait", "3"], "vanish F0:F1:F2:F3:F4:F5"),
    (["serve", "--duration", "3"], "vanish F0:F1:F2:F3:F4:F5"),
  ])
  func whatIsMissingIsSaidWithARemedy(_ arguments: [String], _ verb: String) async throws {
    if verb.isEmpty { try mockOnly("bluetoothd is there") }
    try await CommandLineSetup.with { setup in
      if !verb.isEmpty { _ = try await setup.mock(verb) }
      let result = try await setup.run(arguments + ["--bus", setup.address])
      #expect(result.code == 69)
      let message =
        switch verb.prefix(6) {
        case "": "bluetoothd is not running; run `systemctl start bluetooth`"
        case "remove": "there is no Bluetooth adapter"
        default: "check that it is on and near"
        }
      #expect(result.errors.contains(message), "\(result.errors)")
    }
  }

  @Test(arguments: [
    (["send", "--zone", "1"], 64, "give --yes"),
    (["send", "--yes"], 64, "give either a command"),
    (["send", "--yes", "--upper", "1"], 64, "go together"),
    (["send", "--yes", "--yaw", "10000"], 64, "--yaw 10000: is not between 0 and 9999"),
    (["send", "--yes", "--zone", "4-0"], 64, "--zone 4-0: is not a zone"),
    (["serve", "--positions", "/proc/none"], 66, "can't open /proc/none"),
    (["serve", "--positions", "/"], 66, "Is a directory"),
    (["serve", "--bus", "nonsense"], 64, "is not system, session or a D-Bus address"),
    (["serve", "--address", "F0:F1"], 64, "is not a Bluetooth address"),
    (["serve", "--service", "ffe0"], 64, "go together"),
    (["serve", "--nonsense"], 64, "unrecognized option '--nonsense'"),
    (["replay", "rally.csv", "--as-if-live"], 64, "--as-if-live goes with --dry-run"),
    (["arm", "5", "--countdown", "30"], 64, "give the seconds once"),
    (["resume", "5", "--countdown", "30"], 64, "either `resume 5'"),
    (["simulate", "--encoding", "framed"], 64, "--encoding framed needs --table"),
    (["simulate", "--speed", "0"], 64, "is not between"),
    (["simulate", "--duration", "nan"], 64, "is not a number"),
    (["simulate", "--track", "/proc/none"], 66, "can't open /proc/none"),
    (["replay", "/dev/null", "--dry-run"], 65, "has no positions"),
    (["mock", "--script", "/proc/none"], 66, "can't open /proc/none"),
    (["mock", "--encoding", "morse"], 64, "--encoding morse: is not one of digits, framed"),
    (["mock", "--check-byte", "crc"], 64, "--check-byte crc: is not one of modbus, xor"),
  ])
  func wrongUseIsToldFromWrongData(
    _ arguments: [String],
    _ code: Int32,
    _ message: String
  ) async throws {
    try await CommandLineSetup.with { setup in
      let result = try await setup.run(arguments)
      #expect(result.code == code)
      #expect(result.output == "")
      #expect(result.errors.hasPrefix("ballmachine \(arguments[0]): "), "\(result.errors)")
      #expect(result.errors.contains(message), "\(result.errors)")
    }
  }

  @Test(arguments: [
    ("", "1:1: the table ends without zones 0-0"),
    (
      "zone,command\n0-0,105001050012002000\n0-0,105001050012002000\n", "3:1: zone 0-0 was given"
    ),
    ("zone,command\n4-4,105001050012002000\n", "2:1: “4-4” is not a zone"),
    ("zone,command\n0-0,10500105001200200\n", "2:5: zone 0-0: a command has exactly 18 digits"),
  ])
  func aBadTableIsNamedWithItsLine(_ text: String, _ message: String) async throws {
    try await CommandLineSetup.with { setup in
      let table = try setup.write(text, to: "table.csv")
      for arguments in [["serve"], ["simulate"], ["explain", "--zone", "1"]] {
        let result = try await setup.run(arguments + ["--table", table])
        #expect(result.code == 65 && result.output == "")
        #expect(result.errors.contains("\(table):\(message)"), "\(result.errors)")
      }
    }
  }

  @Test(.mockOnly("it is about the mock")) func aMockEndsByVerbAndTellsWrongOnes() async throws {
    try await CommandLineSetup.with { setup in
      var mock = try setup.start(["mock", "--json", "--bus", setup.address])
      _ = try await mock.next("up")
      mock.program.write("nonsense\nvanish\n\nhang-writes \(CommandLineSetup.machine) 2\nquit\n")
      let (code, events, errors) = try await mock.result()
      #expect(code == 0 && events.last?.event == "down")
      #expect(errors.contains("line 1: \"nonsense\" is not a verb; \"help\" lists them"))
      #expect(errors.contains("line 2: a machine's address or name is missing"))
      #expect(!errors.contains("line 4"))
    }
  }

  /// As of glibc 2.41 it would not, if C's `stdin` were read.
  @Test(.mockOnly("it is about the mock"))
  func aMockThatIsToldNothingEndsWhenItIsInterrupted() async throws {
    try await CommandLineSetup.with { setup in
      var mock = try setup.start(["mock", "--json", "--bus", setup.address])
      _ = try await mock.next("up")
      #expect(try await mock.terminate().code == 0)
    }
  }

  @Test(.mockOnly("it is about the mock")) func aFramedMockTellsFieldsAndBytes() async throws {
    try await CommandLineSetup.with { setup in
      let options = ["--encoding", "framed", "--check-byte", "xor"]
      var mock = try setup.start(["mock", "--json", "--bus", setup.address] + options)
      _ = try await mock.next("up")
      mock.program.write("link \(CommandLineSetup.machine)\n")
      _ = try await mock.next("verb")
      let connection = try await Connection.open(BusAddress(option: setup.address))
      // As in FramedTests.
      let frame: [UInt8] = [0x5a, 0xa5, 0x83, 40, 40, 20, 45, 50, 1, 0x76]
      let device = "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5"
      let call = MethodCall(
        destination: "org.bluez",
        path: try ObjectPath(device + "/service000b/char000c"),
        interface: "org.bluez.GattCharacteristic1",
        member: "WriteValue",
        arguments: [.bytes(frame), .properties([:])]
      )
      _ = try await connection.call(call, within: .seconds(60))
      let write = try await mock.next("write")
      #expect(write.value == "40,40,20,45,50" && write.hex == "5aa5832828142d320176")
      await connection.close()
    }
  }

  @Test func aRuntimeDirectoryThatIsForbiddenIsAQuestionOfPermission() async throws {
    try await CommandLineSetup.with { setup in
      try #require(chmod(setup.directory, 0o777) == 0)
      let result = try await setup.run(["serve"])
      #expect(result.code == 77 && result.errors.contains("BALLMACHINE_RUNTIME_DIR"))
    }
  }
}
