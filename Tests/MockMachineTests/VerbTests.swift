import DBus
import MockMachine
import TestSupport
import Testing

@Suite struct VerbTests {
  private static let machine = "F0:F1:F2:F3:F4:F5"

  private static let lines: [(String, MockVerb)] = [
    ("drop BallMachine", MockVerb.drop(machine: "BallMachine")),
    ("  drop   \"Ball machine\"  # now", .drop(machine: "Ball machine")),
    ("drop M at writing times 2", .fault(machine: "M", .drop(.writing), .times(2))),
    ("drop M at resolving always", .fault(machine: "M", .drop(.resolving), .always)),
    (
      "refuse-connect \(machine) org.bluez.Error.Failed le-connection-abort-by-local times 3",
      .fault(
        machine: machine,
        .refuseConnect(
          DBusError(name: "org.bluez.Error.Failed", message: "le-connection-abort-by-local"),
          after: nil
        ),
        .times(3)
      )
    ),
    (
      "refuse-connect M org.bluez.Error.Failed \"say \\\"no\\\"\" after 0.5",
      .fault(
        machine: "M",
        .refuseConnect(
          DBusError(name: "org.bluez.Error.Failed", message: "say \"no\""),
          after: .milliseconds(500)
        ),
        .once
      )
    ),
    ("connect-no-reply M", .fault(machine: "M", .connectWithoutReply, .once)),
    ("connect-success-without-link M always", .fault(machine: "M", .connectWithoutLink, .always)),
    ("flap M times 2", .fault(machine: "M", .flap, .times(2))),
    ("omit-connected-signal M", .fault(machine: "M", .omitConnectedSignal, .once)),
    ("coalesce-drop M", .coalesceDrop(machine: "M")),
    ("resolve-fails M", .fault(machine: "M", .resolveFails, .once)),
    ("resolve-hangs M", .fault(machine: "M", .resolveHangs, .once)),
    ("hang-writes M", .fault(machine: "M", .hangWrites(lost: false), .once)),
    ("hang-writes M lost times 4", .fault(machine: "M", .hangWrites(lost: true), .times(4))),
    (
      "fail-writes M org.bluez.Error.NotPermitted \"Write acquired\"",
      .fault(
        machine: "M",
        .failWrites(DBusError(name: "org.bluez.Error.NotPermitted", message: "Write acquired")),
        .once
      )
    ),
    ("vanish M", .vanish(machine: "M")),
    ("appear M", .appear(machine: "M")),
    ("new-address M f0:00:00:00:00:01", .newAddress(machine: "M", "F0:00:00:00:00:01")),
    ("link M", .link(machine: "M", adapter: nil)),
    ("link M hci1", .link(machine: "M", adapter: "hci1")),
    ("remove-object M", .removeObject(machine: "M")),
    ("pair M on", .pair(machine: "M", true)),
    ("change-table M profile 5", .changeTable(machine: "M", .nordicUART, silently: false)),
    (
      "silent-table-change M profile two-writable",
      .changeTable(machine: "M", .twoWritable, silently: true)
    ),
    ("notify M \"ready\"", .notify(machine: "M", "ready")),
    (
      "notify-bytes M 5AA582013f",
      .notifyBytes(machine: "M", [0x5a, 0xa5, 0x82, 0x01, 0x3f])
    ),
    (
      "garbage M 7 0.25 times 3",
      .garbage(machine: "M", seed: 7, every: .milliseconds(250), .times(3))
    ),
    (
      "fail-notify M org.bluez.Error.NotPermitted \"Write not permitted\"",
      .fault(
        machine: "M",
        .failNotify(
          DBusError(name: "org.bluez.Error.NotPermitted", message: "Write not permitted")
        ),
        .once
      )
    ),
    ("slow-notify M 4 always", .fault(machine: "M", .slowNotify(.seconds(4)), .always)),
    ("answers M none times 3", .fault(machine: "M", .answers(.missing), .times(3))),
    ("answers M other-check", .fault(machine: "M", .answers(.otherCheck), .once)),
    ("late-answers M 2.5", .fault(machine: "M", .lateAnswers(.milliseconds(2500)), .once)),
    (
      "fail StartDiscovery org.bluez.Error.InProgress \"\"",
      .failMethod(
        "StartDiscovery",
        DBusError(name: "org.bluez.Error.InProgress", message: ""),
        .once
      )
    ),
    ("hang Disconnect", .hangMethod("Disconnect", .once)),
    ("delay Connect 3", .delayMethod("Connect", .seconds(3))),
    ("timing write-round-trip 0.01", .timing("write-round-trip", .milliseconds(10))),
    ("clear-faults", .clearFaults(machine: nil)),
    ("mark off", .mark(false)),
    ("clear-faults M", .clearFaults(machine: "M")),
    ("power hci0 blocked", .power(adapter: "hci0", .blocked)),
    ("remove-adapter hci0", .removeAdapter("hci0", .success)),
    ("remove-adapter hci0 nothing", .removeAdapter("hci0", .nothing)),
    (
      "add-adapter hci1 aa:bb:cc:dd:ee:02 off",
      .addAdapter(MockAdapter("hci1", address: "AA:BB:CC:DD:EE:02", isPowered: false))
    ),
    ("advertise-flood 1000", .advertiseFlood(perSecond: 1000)),
    ("restart", .restart(downFor: .seconds(1))),
    ("restart down-for 0.25", .restart(downFor: .milliseconds(250))),
    ("down", .down), ("up", .up), ("wait 1.5", .wait(.milliseconds(1500))), ("help", .help),
    ("quit", .quit),
    ("machine \(machine)", .machine(MockPeripheral())),
    (
      "machine F0:00:00:00:00:01 name HMSoft profile 6 rssi -40 absent",
      .machine(
        MockPeripheral("F0:00:00:00:00:01", profile: .hm10, rssi: -40, isAdvertising: false)
      )
    ),
    (
      "machine F0:00:00:00:00:01 check-byte xor profile 3 encoding framed",
      .machine(
        MockPeripheral(
          "F0:00:00:00:00:01",
          profile: .aiThinker,
          encoding: .framed,
          checkByte: .xor
        )
      )
    ),
    (
      "machine F0:00:00:00:00:01 public paired trusted advertises nothing adapters hci0,hci1",
      .machine(
        MockPeripheral(
          "F0:00:00:00:00:01",
          addressType: .public,
          advertisedUUIDs: [],
          isPaired: true,
          isTrusted: true,
          adapters: ["hci0", "hci1"]
        )
      )
    ),
  ]

  @Test(arguments: lines)
  func aLineIsAVerb(_ line: String, _ verb: MockVerb) throws {
    #expect(try MockVerb(parsing: line) == verb)
    let firstWord = line.split(separator: " ").first.map(String.init)
    #expect(verb.name == firstWord)
  }

  @Test(arguments: lines.map(\.1) + others)
  func aVerbHasALineThatIsTheVerb(_ verb: MockVerb) throws {
    let line = try #require(verb.line)
    #expect(try MockVerb(parsing: line) == verb, "\(line)")
    #expect(!line.contains { $0.isNewline })
  }

  @Test func everyVerbOfTheHelpIsAmongThoseLines() {
    #expect(Set(Self.lines.map(\.1.name)) == Set(MockVerb.names))
  }

  @Test(arguments: [
    (MockVerb.drop(machine: "M"), "drop M"),
    (.drop(machine: "Ball machine"), "drop \"Ball machine\""),
    (.notify(machine: "M", "say \"no\\\""), "notify M \"say \\\"no\\\\\\\"\""),
    (.notify(machine: "M", ""), "notify M \"\""),
    (.fault(machine: "M", .flap, .once), "flap M"),
    (.fault(machine: "M", .hangWrites(lost: true), .times(3)), "hang-writes M lost times 3"),
    (.clearFaults(machine: nil), "clear-faults"),
    (.mark(true), "mark on"),
    (.wait(.seconds(90)), "wait 90"),
    (.wait(.milliseconds(1234)), "wait 1.234"),
    (.machine(MockPeripheral()), "machine F0:F1:F2:F3:F4:F5"),
    (
      .machine(MockPeripheral("F0:00:00:00:00:01", profile: .hm10, isAdvertising: false)),
      "machine F0:00:00:00:00:01 profile 6 absent"
    ),
    (
      .machine(MockPeripheral(profile: .commandOnly)),
      "machine F0:F1:F2:F3:F4:F5 profile command-only"
    ),
  ])
  func theLineIsWhatAPersonWouldWrite(_ verb: MockVerb, _ line: String) {
    #expect(verb.line == line)
  }

  @Test(arguments: [
    MockVerb.notify(machine: "M", "two\nlines"),
    .wait(.nanoseconds(1) / 3),
    .wait(.seconds(100_000)),
    .fault(machine: "M", .flap, .times(0)),
    .power(adapter: "bt0", .on),
    .timing("lunch", .zero),
    .addAdapter(MockAdapter(roles: ["central"])),
    .machine(handMade),
  ])
  func whatTheGrammarCannotSayHasNoLine(_ verb: MockVerb) {
    #expect(verb.line == nil)
  }

  /// A machine that no profile describes.
  private static var handMade: MockPeripheral {
    var machine = MockPeripheral()
    machine.table.services.removeFirst()
    return machine
  }

  /// What only a verb of our own making says.
  private static var others: [MockVerb] {
    var nameless = MockPeripheral()
    nameless.name = nil
    nameless.gapName = nil
    var renamed = MockPeripheral("F0:00:00:00:00:02", advertisedUUIDs: ["ffe0", "1802"])
    renamed.gapName = "# court \"3\""
    renamed.mtu = 23
    let profiles = MockProfile.allCases.map { profile in
      MockVerb.machine(MockPeripheral(profile: profile))
    }
    let framed = MockProfile.allCases.map { profile in
      MockVerb.machine(MockPeripheral(profile: profile, encoding: .framed))
    }
    return profiles + framed + [
      .machine(nameless), .machine(renamed), .notify(machine: "#1", "a\\b"),
      .wait(.nanoseconds(86_399_999_999_999)), .wait(.nanoseconds(1)),
      .removeAdapter("hci3", .error), .addAdapter(MockAdapter("hci1", isDualMode: true)),
    ]
  }

  @Test(arguments: ["", "   ", "# a comment", "  # another"])
  func aBlankLineIsNone(_ line: String) throws {
    #expect(try MockVerb(parsing: line) == nil)
  }

  @Test(arguments: [
    ("explode M", "\"explode\" is not a verb; \"help\" lists them"),
    ("drop", "a machine's address or name is missing (drop MACHINE"),
    ("drop M now", "\"now\" is not expected here"),
    ("drop M at night", "\"night\" is not a stage: one of connecting, resolving, writing"),
    ("drop \"M", "a quotation mark is not closed"),
    ("flap M times", "a count is missing"),
    ("flap M times 0", "\"0\" is not a count from 1 to 1000000"),
    ("wait soon", "\"soon\" is not a number of seconds"),
    ("wait -1", "\"-1\" is not a number of seconds"),
    ("wait nan", "\"nan\" is not a number of seconds"),
    ("new-address M F0:F1", "\"F0:F1\" is not an address such as F0:F1:F2:F3:F4:F5"),
    ("power bt0 on", "\"bt0\" is not an adapter such as hci0"),
    ("power hci0 maybe", "\"maybe\" is not a switch: one of on, off, blocked, unblocked"),
    ("fail Connect Failed text", "\"Failed\" is not an error's name"),
    ("fail Connect org.bluez.1 text", "\"org.bluez.1\" is not an error's name"),
    ("fail Connect org.bluez.Error.Failed", "the error's message is missing"),
    ("change-table M 5", "\"profile\" is missing"),
    ("change-table M profile 8", "\"8\" is not a profile: one of 1, 2, 3"),
    ("notify-bytes M 5a5", "\"5a5\" is not a row of bytes such as 5aa582013f"),
    ("notify-bytes M 5ag5", "\"5ag5\" is not a row of bytes such as 5aa582013f"),
    ("garbage M 1 0", "garbage comes at most every millisecond"),
    (
      "answers M polite",
      "\"polite\" is not an answer: one of none, refused, incomplete, wrong-check"
    ),
    ("machine F0:F1:F2:F3:F4:F5 encoding morse", "\"morse\" is not an encoding: one of digits"),
    ("timing lunch 3", "\"lunch\" is not a timing"),
    ("machine F0:F1:F2:F3:F4:F5 colour red", "\"colour\" is not expected here"),
    ("machine F0:F1:F2:F3:F4:F5 mtu 20", "\"20\" is not an MTU from 23 to 517"),
    ("machine F0:F1:F2:F3:F4:F5 advertises ffg0", "\"ffg0\" is not a UUID"),
  ])
  func aWrongLineSaysWhatIsWrong(_ line: String, _ message: String) {
    let error = #expect(throws: MockSyntaxError.self) {
      _ = try MockVerb(parsing: line, number: 7)
    }
    #expect(
      error?.description.hasPrefix("line 7: \(message)") == true,
      "\(String(describing: error))"
    )
  }

  @Test func aScriptNamesTheLineOfItsMistake() throws {
    let verbs = try MockScript.parse("# start\nvanish M\r\n\nwait 2 # later\nappear M\n")
    #expect(verbs == [.vanish(machine: "M"), .wait(.seconds(2)), .appear(machine: "M")])
    let error = #expect(throws: MockSyntaxError.self) {
      _ = try MockScript.parse("vanish M\n\nwait\n")
    }
    #expect(error?.line == 3)
  }

  @Test func flagsReplaceThoseOfTheWritableCharacteristic() throws {
    guard
      case .machine(let machine)? = try MockVerb(
        parsing: "machine F0:00:00:00:00:01 profile 2 flags read,notify"
      )
    else {
      Issue.record("not a machine")
      return
    }
    let last = machine.table.services.last?.characteristics.first
    #expect(last?.flags == ["read", "notify"])
    let again = try #require(MockVerb.machine(machine).line)
    #expect(try MockVerb(parsing: again) == .machine(machine))
  }

  @Test func theHelpNamesEveryVerb() {
    for name in MockVerb.names {
      #expect(MockVerb.helpText.contains("  \(name) ") || MockVerb.helpText.contains("  \(name)\n"))
    }
  }
}
