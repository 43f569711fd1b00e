import Fleet
import Glibc
import Host
import TestSupport
import Testing
import YAML

struct FleetSettingsTests {
  private static let least = "broker: {host: broker}\nfleet: {court: court-1}\n"

  private func load(_ yaml: String) -> (settings: FleetSettings, problems: [String]) {
    var loader = YAMLLoader<FleetSettings>()
    loader.read(Array(yaml.utf8), of: "/etc/mqtt.yaml")
    return (loader.values, loader.problems.map(\.text))
  }

  @Test func aHostAndACourtAreEnough() throws {
    let (settings, problems) = load(Self.least)
    #expect(problems.isEmpty && settings.problem() == nil)
    #expect(try settings.broker() == BrokerSettings(host: "broker", port: 1883))
    #expect(settings.displayName == "court-1")
    #expect(!settings.player && !settings.session && !settings.picture && settings.discovery)
    #expect(settings.page == nil)
  }

  @Test func allKeysAreRead() throws {
    let (settings, problems) = load(
      """
      broker: {host: 192.168.1.5, port: 1884, user: court-1}
      tls: {ca: ca.pem, certificate: c.pem, key: k.pem}
      fleet: {court: court-1, name: Platz 1, player: true, session: true, picture: true}
      home-assistant: {discovery: false, prefix: ha/club, page: 'https://192.168.1.20:8443'}
      """
    )
    #expect(problems.isEmpty && settings.problem() == nil)
    let tls = BrokerSettings.TLS(
      authority: "/etc/ca.pem",
      certificate: "/etc/c.pem",
      key: "/etc/k.pem"
    )
    let broker = BrokerSettings(host: "192.168.1.5", port: 1884, user: "court-1", tls: tls)
    #expect(try settings.broker() == broker)
    #expect(settings.displayName == "Platz 1" && settings.prefix == "ha/club")
    #expect(settings.player && settings.session && settings.picture && !settings.discovery)
    #expect(settings.page == "https://192.168.1.20:8443")
  }

  @Test(arguments: [
    ("", false, 1883), ("tls: {enabled: true}", true, 8883), ("tls: {ca: a}", true, 8883),
    ("tls: {enabled: false}", false, 1883),
  ])
  func tlsIsOnWhereAnythingOfItIsSet(_ yaml: String, isEncrypted: Bool, port: Int) throws {
    let broker = try load(Self.least + yaml).settings.broker()
    #expect((broker.tls != nil) == isEncrypted && broker.port == port)
  }

  @Test(arguments: [
    ("fleet: {court: a}", "broker.host"), ("broker: {host: a}", "fleet.court"),
    (least + "tls: {key: a}", "tls.key"), (least + "tls: {certificate: a}", "tls.certificate"),
    (least + "tls: {enabled: false, ca: a}", "tls.enabled"),
    ("broker: {host: a, password-file: b}\nfleet: {court: a}", "broker.user"),
  ])
  func whatIsMissingIsNamed(_ yaml: String, key: String) throws {
    let problem = try #require(load(yaml).settings.problem())
    #expect(problem.contains(key))
  }

  @Test func theOfficeNeedsNoCourt() {
    #expect(load("broker: {host: a}").settings.problem(needsCourt: false) == nil)
  }

  @Test(arguments: [
    "fleet: {court: Court}", "fleet: {court: a/b}", "fleet: {court: '+'}", "fleet: {court: '#'}",
    "fleet: {court: ''}", "fleet: {court: -a}", "fleet: {court: é}", "fleet: {court: 1}",
    "fleet: {court: a23456789012345678901234567890123}", "fleet: {name: ''}",
    "home-assistant: {prefix: a/#}", "home-assistant: {prefix: /a}", "broker: {host: 'a b'}",
    "broker: {host: -a}", "broker: {host: mqtt//a}", "broker: {port: 0}", "tls: {on: true}",
  ])
  func whatNoTopicAndNoHostCanBeIsRefused(_ yaml: String) {
    #expect(load(yaml).problems.count == 1)
  }

  @Test(arguments: [
    "http://192.168.1.20:8080", "https://court-1.club.example/", "http://court-1.local/?a=b/c",
    "http://[fd00::1]:8080/", "http://[::1]", "http://box:65535",
  ])
  func aPageThatHomeAssistantLinksTo(_ page: String) {
    let (settings, problems) = load("home-assistant: {page: '\(page)'}")
    #expect(problems.isEmpty && settings.page == page)
  }

  /// Home Assistant would refuse the whole device, or all who read the broker would know a secret.
  @Test(arguments: [
    "", "court-1", "192.168.1.20:8080", "ftp://court-1", "HTTP//court-1", "http://", "http:///x",
    "http://:8080", "http://a:", "http://a:0", "http://a:65536", "http://a:8x", "http://a:1:2",
    "http://a b/", "http://-a", "http://a-:1", "http://[fd00::1", "http://[fd00::1]8080",
    "http://[club]", "http://é", "http://a/\u{7f}", "http://user:secret@a/",
    "http://a/#pair=secret",
    "http://a/\\", "javascript:alert(1)", "http://" + String(repeating: "a", count: 200),
  ])
  func whatIsNoPageIsRefused(_ page: String) {
    #expect(load("home-assistant: {page: '\(page)'}").problems.count == 1)
  }

  @Test(arguments: ["a", "0", "court-1", "court_1", "a2345678901234567890123456789012"])
  func courts(_ court: String) {
    let (settings, problems) = load("fleet: {court: '\(court)'}")
    #expect(problems.isEmpty && settings.court == court)
  }

  @Test(arguments: [
    ("localhost", true), ("127.1.2.3", true), ("::1", true), ("192.168.1.1", false),
    ("broker", false),
  ]) func whatLeavesTheBox(_ host: String, isLoopback: Bool) {
    var settings = FleetSettings()
    settings.host = host
    #expect(settings.isLoopback == isLoopback)
  }

  @Test(arguments: [
    ("5", MQTTVersion.v5), ("'5'", .v5), ("3.1.1", .v311), ("'3.1.1'", .v311), ("\"3.1.1\"", .v311),
  ])
  func aVersionIsANumberOrAText(_ text: String, _ version: MQTTVersion) throws {
    let (settings, problems) = load("broker: {host: a, protocol: \(text)}")
    #expect(problems.isEmpty && settings.version == version)
    #expect(try settings.broker().version == version)
  }

  @Test(arguments: ["4", "3.1", "3", "5.0", "[5]", "''", "v5"])
  func noOtherVersionIsSpoken(_ text: String) {
    let problems = load("broker: {host: a, protocol: \(text)}").problems
    #expect(problems.count == 1 && problems[0].contains("5 or 3.1.1"), "\(problems)")
  }

  @Test(arguments: [
    (
      "mqtts://court-1@broker.example:8884",
      "write broker: {host: broker.example, port: 8884, user: court-1} and tls: {enabled: true}"
    ), ("mqtt://broker.example", "write broker: {host: broker.example}"),
    ("wss://broker.example", "MQTT over WebSockets"),
    ("mqtts://a:hidden@broker.example", "password-file"), ("http://broker.example", "mqtts://"),
    ("192.168.1.5:1883", "write broker: {host: \"192.168.1.5\", port: 1883}"),
    ("broker.example:1884", "write broker: {host: broker.example, port: 1884}"),
    ("mqtt://a%2Cb@[::1]:1884", "write broker: {host: \"::1\", port: 1884, user: \"a,b\"}"),
    ("mqtt:broker.example:1", "broker.host is no HOST[:PORT]"),
  ])
  func anAddressInPlaceOfAHostHasAnAnswer(_ host: String, _ text: String) throws {
    let (settings, problems) = load("broker: {host: '\(host)'}\nfleet: {court: a}")
    let problem = try #require(settings.problem())
    #expect(problems.isEmpty && problem.contains(text) && !problem.contains("hidden"), "\(problem)")
  }

  // MARK: The password

  private func password(_ text: String, mode: mode_t = 0o600) throws -> String? {
    let directory = try TemporaryDirectory()
    var settings = FleetSettings()
    settings.passwordFile = try directory.write(text, to: "password")
    chmod(directory("password"), mode)
    defer { withExtendedLifetime(directory) {} }
    return try settings.broker().passwordFile.map(SecretFile.line)
  }

  @Test(arguments: ["secret", "secret\n"]) func aPasswordIsOneLine(_ text: String) throws {
    #expect(try password(text) == "secret")
    #expect(try password(text, mode: 0o400) == "secret")
  }

  @Test(arguments: [
    "", "\n", "a\nb\n", "a\r\n", "a\0b", String(repeating: "a", count: 1_025),
  ]) func whatIsNoPasswordIsRefused(_ text: String) {
    #expect(throws: SystemError.self) { try password(text) }
  }

  @Test(arguments: [0o640, 0o604, 0o660, 0o644] as [mode_t])
  func aPasswordThatOthersCanReadIsRefused(_ mode: mode_t) {
    let error = #expect(throws: SystemError.self) { try password("secret", mode: mode) }
    #expect(error?.code == EPERM && "\(error, default: "")".contains("chmod 600"))
  }

  @Test func onlyARegularFileIsOne() throws {
    let directory = try TemporaryDirectory()
    symlink(try directory.write("secret", to: "password"), directory("link"))
    mkfifo(directory("pipe"), 0o600)
    for name in ["link", "pipe", "none", "."] {
      var settings = FleetSettings()
      settings.passwordFile = directory(name)
      #expect(throws: SystemError.self) { try settings.broker() }
    }
  }
}
