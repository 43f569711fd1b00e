import ControlProtocol
import Foundation
import Glibc
import Host
import JSON
import TestSupport
import Testing

@testable import WebPage

/// The operators' socket, and the program that asks there.
struct PhoneSocketTests {
  private let test: TestPairing
  private let pairing: Pairing
  private let client: PhoneClient

  init() throws {
    test = try TestPairing()
    pairing = try test.start()
    client = PhoneClient(path: test.folder(PhoneSocket.name))
  }

  /// Runs `body` while the socket answers.
  private func serving(
    listen: String = "0.0.0.0",
    _ body: () async throws -> Void
  ) async throws {
    let socket = try PhoneSocket(
      path: test.folder(PhoneSocket.name),
      pairing: pairing,
      hostname: "court1"
    ) {
      PageAddresses(
        listen: listen,
        port: 8080,
        isSecure: false,
        names: [],
        hostname: "court1",
        configuration: "web.yaml",
        own: ["10.0.0.1"]
      )
    }
    let running = Task.immediate { await socket.run() }
    defer { running.cancel() }
    try await body()
  }

  private func run(_ arguments: String...) async throws -> BuiltProgram.Result {
    try await BuiltProgram.run(
      arguments,
      environment: ["BALLMACHINE_WEB_DIR": test.folder.path, "LC_ALL": "C.UTF-8", "TZ": "UTC"]
    )
  }

  @Test(.mustEnd) func aCodeComesWithItsAddress() async throws {
    try await serving {
      let record = try await client.pair()
      #expect(record.seconds == 300 && record.addresses.first == "http://10.0.0.1:8080/")
      #expect(record.url == "http://10.0.0.1:8080/#pair=\(record.digits)" && record.warning == nil)
      _ = try pairing.pair(record.digits, name: "Android")
      let phones = try await client.phones().phones
      #expect(phones.map(\.name) == ["Android"])
      #expect(try await client.revoke(phones[0].id) == RevokedRecord(phones: 1, cards: 0))
      #expect(try await client.phones().phones == [])
    }
  }

  @Test(.mustEnd) func aCardHasItsSecretInTheURL() async throws {
    try await serving {
      let record = try await client.card(days: 7)
      #expect(record.url.hasSuffix("#pair=\(record.secret)"))
      #expect(try pairing.pair(record.secret, name: "Android").phone.card == record.id)
      #expect(try await client.revoke(nil) == RevokedRecord(phones: 1, cards: 1))
    }
  }

  @Test(.mustEnd) func aCardIsPrinted() async throws {
    try await serving {
      let card = try await run("web", "pair-phone", "--card", "-")
      #expect(card.code == 0 && card.errors.isEmpty, "\(card.errors)")
      #expect(card.output.hasPrefix("<svg ") && card.output.hasSuffix("</svg>\n"))
      #expect(card.output.contains(">court1</text>"))
      #expect(try await run("web", "pair-phone", "--card", "-", "--json").code == 64)
      #expect(pairing.all().cards.count == 1)
    }
  }

  /// - Parameter request: the members of a request beside its version and id.
  private static func line(_ request: String) -> String {
    #"{"jsonrpc":"2.0","id":7,\#(request)}"# + "\n"
  }

  private static let malformedLines: [String] = [
    "", "{", "\u{0}", line(#""method":"pair","method":"phones""#),
    String(repeating: "[", count: 900), String(repeating: "x", count: 100_000),
  ]
  private static let requestsOfOtherProtocols: [String] = [
    "null", "[]", "{}", #"{"method":"phones"}"#, line(#""method":7"#),
  ]
  private static let wrongParameters: [String] = [
    line(#""method":"card""#), line(#""method":"card","params":7"#),
    line(#""method":"card","params":{"days":0}"#),
    line(#""method":"card","params":{"days":367}"#),
    line(#""method":"card","params":{"days":1e99}"#),
    line(#""method":"card","params":{"days":"7"}"#),
    line(#""method":"card","params":{"days":7,"hours":1}"#),
    line(#""method":"phones","params":{"id":1}"#),
    line(#""method":"revoke""#), line(#""method":"revoke","params":{}"#),
    line(#""method":"revoke","params":{"all":false}"#),
    line(#""method":"revoke","params":{"id":1,"all":true}"#),
  ]

  @Test(.mustEnd, arguments: malformedLines)
  func whatIsNoJSONIsRefused(line: String) async throws {
    try await refuses(line, as: .parseError)
  }

  @Test(.mustEnd, arguments: requestsOfOtherProtocols)
  func whatIsNoRequestIsRefused(line: String) async throws {
    try await refuses(line, as: .invalidRequest, id: line.contains("7") ? .integer(7) : .null)
  }

  @Test(.mustEnd, arguments: wrongParameters)
  func wrongParametersAreRefused(line: String) async throws {
    try await refuses(line, as: .invalidParameters, id: .integer(7))
  }

  @Test(.mustEnd) func anotherMethodIsRefused() async throws {
    try await refuses(Self.line(#""method":"arm""#), as: .methodNotFound, id: .integer(7))
  }

  @Test(.mustEnd) func aPhoneThatIsNotThereIsRefused() async throws {
    let revocation = Self.line(#""method":"revoke","params":{"id":-1}"#)
    try await refuses(revocation, as: .refused, id: .integer(7))
  }

  private func refuses(
    _ line: String,
    as code: ControlError.Code,
    id: JSONValue = .null
  ) async throws {
    try await serving {
      let card = try await client.card(days: 1)
      let feeder = try Feeder(socket: test.folder(PhoneSocket.name))
      await feeder.write(line.hasSuffix("\n") ? line : line + "\n")
      let reply = try #require(await feeder.reply())
      let answer = try JSONValue(text: Array(reply.utf8.dropLast()))
      #expect(answer["jsonrpc"] == .string("2.0") && answer["result"] == nil, "\(reply)")
      #expect(answer["error"]?["code"]?.integer == code.rawValue, "\(reply)")
      #expect(answer["error"]?["message"]?.string?.isEmpty == false, "\(reply)")
      #expect(answer["id"] == id, "\(reply)")
      // The same connection goes on, and nothing has changed.
      await feeder.write(Self.line(#""method":"phones""#))
      #expect(try #require(await feeder.reply()).contains("\"id\":\(card.id)"))
    }
  }

  @Test(.mustEnd) func aRefusalHasItsWord() async throws {
    try await serving {
      let feeder = try Feeder(socket: test.folder(PhoneSocket.name))
      await feeder.write(Self.line(#""method":"revoke","params":{"id":77}"#))
      #expect(
        await feeder.reply() == #"{"error":{"code":2,"data":{"code":"noSuchPhone"},"#
          + #""message":"there is no phone and no card 77: see `ballmachine phones'"},"#
          + #""id":7,"jsonrpc":"2.0"}"# + "\n"
      )
    }
  }

  /// Its request is carried out.
  @Test(.mustEnd) func aNotificationIsNotAnswered() async throws {
    try await serving {
      let feeder = try Feeder(socket: test.folder(PhoneSocket.name))
      await feeder.write(#"{"jsonrpc":"2.0","method":"card","params":{"days":1}}"# + "\n")
      await feeder.write(#"{"jsonrpc":"2.0","method":"arm"}"# + "\n")
      await feeder.write(Self.line(#""method":"phones""#))
      let answer = try JSONValue(text: Array(try #require(await feeder.reply()).utf8.dropLast()))
      guard case .array(let cards)? = answer["result"]?["cards"] else {
        Issue.record("\(answer)")
        return
      }
      #expect(answer["id"] == .integer(7) && cards.count == 1)
    }
  }

  @Test(.mustEnd) func aMethodOfAnotherIsNamedWithoutItsControlCharacters() async throws {
    try await serving {
      let feeder = try Feeder(socket: test.folder(PhoneSocket.name))
      await feeder.write(Self.line(#""method":"\u001b[2J""#))
      let reply = try #require(await feeder.reply())
      #expect(reply.contains("[2J") && !reply.contains("\\u001b"), "\(reply)")
    }
  }

  // MARK: The program

  @Test(.mustEnd) func theProgramShowsTheCodeAndItsPicture() async throws {
    try await serving {
      let result = try await run("pair-phone")
      #expect(result.code == 0 && result.errors == "", "\(result)")
      try #require(result.lines.count > 2)
      #expect(result.lines[0] == "box      court1")
      let code = result.lines[1].prefix(18).filter(\.isNumber)
      #expect(result.lines[1].hasSuffix(", for one phone, 5 minutes"))
      #expect(result.output.contains("page     http://10.0.0.1:8080/\n"))
      let picture = try #require(QRCode("http://10.0.0.1:8080/#pair=\(code)"))
      #expect(result.output.hasSuffix(picture.text(ink: .light) + "\n"))
      _ = try pairing.pair(code, name: "Android")
    }
  }

  @Test(.mustEnd) func inATerminalThePictureIsBlackOnWhite() async throws {
    try await serving {
      let result = try await BuiltProgram.run(
        ["pair-phone"],
        script: #"script -qec "$*" /dev/null < /dev/null"#,
        environment: [
          "BALLMACHINE_WEB_DIR": test.folder.path, "LC_ALL": "C.UTF-8", "TERM": "xterm",
        ]
      )
      let lines = result.output.components(separatedBy: "\r\n")
      let coloured = lines.filter { $0.hasPrefix("\u{1B}[38;5;16;48;5;231m    ") }
      #expect(coloured.count >= 19 && coloured.allSatisfy { $0.contains("    \u{1B}[0m") })
      // Beside the picture, which would push them out of a terminal of 24 lines.
      for text in ["box      court1", "code     ", "page     http://10.0.0.1:8080/"] {
        #expect(coloured.contains { $0.contains("\u{1B}[0m  \(text)") }, "\(lines)")
      }
      #expect(lines.count <= 24)
    }
  }

  @Test(.mustEnd) func withoutUnicodeThereIsTheCodeAlone() async throws {
    try await serving {
      let result = try await BuiltProgram.run(
        ["pair-phone"],
        environment: ["BALLMACHINE_WEB_DIR": test.folder.path, "LC_ALL": "C"]
      )
      #expect(result.code == 0 && result.output.utf8.allSatisfy { $0 < 128 }, "\(result)")
    }
  }

  @Test(.mustEnd) func onLoopbackItSaysWhatToSet() async throws {
    try await serving(listen: "127.0.0.1") {
      let result = try await run("pair-phone")
      #expect(result.code == 0 && result.output.contains("warning  no phone can reach the page"))
      #expect(!result.output.contains("█"))
    }
  }

  @Test(.mustEnd) func programsGetJSON() async throws {
    try await serving {
      let result = try await run("pair-phone", "--json")
      let value = try JSONValue(text: Array(result.output.utf8))
      #expect(value["event"]?.string == "pairing" && value["digits"]?.string?.count == 8)
      #expect(value["hostname"]?.string == "court1")
      let card = try await run("pair-phone", "--json", "--card", test.folder("card.svg"))
      #expect(try JSONValue(text: Array(card.output.utf8))["id"]?.integer == 1)
      #expect(!card.output.contains("#pair="))
      _ = try pairing.pair(try #require(value["digits"]?.string), name: "Android")
      let phones = try await run("phones", "--json")
      #expect(try JSONValue(text: Array(phones.output.utf8))["event"]?.string == "phones")
      let revoked = try await run("phones", "--revoke-all", "--json")
      #expect(revoked.output == "{\"cards\":1,\"event\":\"revoked\",\"phones\":1}\n")
    }
  }

  @Test(.mustEnd) func aCardIsWrittenForItsOwnerAlone() async throws {
    try await serving {
      let file = test.folder("card.svg")
      let result = try await run("pair-phone", "--card", file, "--days", "2")
      #expect(result.code == 0)
      #expect(result.output.hasPrefix("\(file): card 1 of court1 for http://10.0.0.1"))
      var status = stat()
      try #require(lstat(file, &status) == 0)
      #expect(status.st_mode & 0o7777 == 0o600)
      #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("<svg "))
      // One that can't be written is no card.
      let lost = try await run("pair-phone", "--card", test.folder("none/card.svg"))
      #expect(lost.code == 73 && lost.errors.contains("can't write"), "\(lost)")
      #expect(try await client.phones().cards.map(\.id) == [1])
    }
  }

  @Test(.mustEnd) func phonesAreListedAndRevoked() async throws {
    try await serving {
      let empty = try await run("phones")
      #expect(empty.output.hasPrefix("no phone is paired; `ballmachine pair-phone'"))
      let card = try await client.card(days: 1)
      _ = try pairing.pair(card.secret, name: "iPhone")
      let list = try await run("phones")
      #expect(
        list.lines == [
          "2    iPhone, by card 1, seen 2027-01-15 08:00:00, until 2027-01-15 20:00:00",
          "1    card, until 2027-01-16 08:00:00",
        ]
      )
      #expect(try await run("phones", "--revoke", "2").output == "revoked: 1 phone, 0 cards\n")
      let again = try await run("phones", "--revoke", "2")
      #expect(again.code == 65 && again.errors.contains("no phone and no card 2"), "\(again)")
      #expect(try await run("phones", "--revoke-all").output == "revoked: 0 phones, 1 card\n")
    }
  }

  @Test(.mustEnd) func withoutTheServiceItSaysWhatToDo() async throws {
    let result = try await run("pair-phone")
    #expect(result.code == 69, "\(result)")
    #expect(result.errors.contains("the page's service does not run"))
    #expect(result.errors.contains("sudo systemctl start ballmachine-web"))
  }
}
