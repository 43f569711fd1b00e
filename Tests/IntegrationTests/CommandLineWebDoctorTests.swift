import Glibc
import Host
import MockMachine
import TestSupport
import Testing

/// `ballmachine web doctor`, and what `ballmachine doctor` passes on of it.
@Suite(.onEitherSetup, .mustEnd)
struct CommandLineWebDoctorTests {
  private func findings(_ result: BuiltProgram.Result) -> [PassedFinding] {
    PassedFinding.all(in: result, by: "page")
  }

  /// A port that is taken as long as its descriptor is there.
  private func takenPort() throws -> (descriptor: FileDescriptor, port: Int) {
    let socket = FileDescriptor(owning: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
    var size = socklen_t(MemoryLayout.size(ofValue: address))
    let status = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket.number, $0, size) == 0 && listen(socket.number, 8) == 0
          && getsockname(socket.number, $0, &size) == 0
      }
    }
    try #require(status)
    return (socket, Int(in_port_t(bigEndian: address.sin_port)))
  }

  private func freePort() throws -> Int { try takenPort().port }

  /// Runs it with this configuration.
  private func doctor(_ setup: CommandLineSetup, _ yaml: String) async throws -> [PassedFinding] {
    let path = try setup.write(yaml, to: "web.yaml")
    return findings(try await setup.run(["web", "doctor", "--json", "--config", path]))
  }

  @Test func aFreshOneIsReachedByNoPhone() async throws {
    try await CommandLineSetup.with { setup in
      let path = try setup.write(
        "page: {port: \(freePort()), stop-port: \(freePort())}\n",
        to: "web.yaml"
      )
      let result = try await setup.run(["web", "doctor", "--json", "--config", path])
      #expect(result.code == 0, "\(result)")
      #expect(
        findings(result).map(\.code) == [
          "page.configured", "page.loopback", "page.notRunning", "page.bridge", "page.phones",
        ]
      )
      let text = try await setup.run(["web", "doctor", "--config", path])
      #expect(text.lines.allSatisfy { $0.count < 80 }, "\(text.output)")
      #expect(text.output.contains("no phone can reach it"))
    }
  }

  @Test func whatKeepsItFromListeningIsNamed() async throws {
    try await CommandLineSetup.with { setup in
      let taken = try takenPort()
      let page = try await doctor(setup, "page: {port: \(taken.port), stop-port: \(freePort())}")
      let problem = try #require(page.first { $0.verdict == "problem" })
      #expect(problem.code == "page.portTaken" && problem.text.contains("\(taken.port)"))
      // For documents alone; see RFC 5737.
      let address = try await doctor(setup, "page: {listen: 192.0.2.1}")
      #expect(address.filter { $0.verdict == "problem" }.map(\.code) == ["page.address"])
      let file = try await doctor(setup, "page: {lisen: x}")
      #expect(file.first?.code == "page.configuration")
      withExtendedLifetime(taken) {}
    }
  }

  @Test func aServiceMustAnswerOnItsPorts() async throws {
    try await CommandLineSetup.with { setup in
      let service = try ListeningSocket(path: setup.path("web.sock"))
      let (stop, closed) = (try takenPort(), try freePort())
      let findings = try await doctor(
        setup,
        "page: {port: \(closed), stop-port: \(stop.port)}"
      )
      #expect(findings.contains { $0.code == "page.running" && $0.verdict == "ok" })
      let silent = try #require(findings.first { $0.code == "page.silent" })
      #expect(silent.text.contains("\(closed)") && silent.text.contains("refused"))
      #expect(findings.contains { $0.code == "page.port" && $0.text.contains("\(stop.port)") })
      withExtendedLifetime((service, stop)) {}
    }
  }

  @Test(arguments: [false, true]) func aPageThatRunsAnswers(isSecure: Bool) async throws {
    try await CommandLineSetup.with { setup in
      _ = try setup.write(TestCertificate.certificate, to: "page.pem")
      _ = try setup.write(TestCertificate.key, to: "page.key")
      let path = try setup.write(
        """
        page: {port: \(freePort()), stop-port: \(freePort()), plain-stop-port: \(freePort())}
        \(isSecure ? "tls: {certificate: page.pem, key: page.key}" : "")
        """,
        to: "web.yaml"
      )
      var page = try setup.start(["web", "run", "--json", "--config", path])
      _ = try await page.next("listening")
      let result = try await setup.run(["web", "doctor", "--json", "--config", path])
      #expect(result.code == 0, "\(result)")
      #expect(findings(result).count { $0.code == "page.port" } == (isSecure ? 3 : 2))
      page.program.send(signal: SIGTERM)
      #expect(try await page.result().code == 0)
    }
  }

  @Test(arguments: [
    (TestCertificate.key, "page.certificateValid"), (TestCertificate.otherKey, "page.certificate"),
  ]) func aCertificateIsLookedAt(key: String, code: String) async throws {
    try await CommandLineSetup.with { setup in
      _ = try setup.write(TestCertificate.certificate, to: "page.pem")
      _ = try setup.write(key, to: "page.key")
      let findings = try await doctor(
        setup,
        """
        page: {listen: 192.0.2.1}
        tls: {certificate: page.pem, key: page.key}
        """
      )
      let found = try #require(findings.first { $0.code.hasPrefix("page.certificate") })
      #expect(found.code == code, "\(found)")
      let run = try await setup.run(["web", "run", "--config", setup.path("web.yaml")])
      // A new pair, or the address, may come: neither ends the service for ever.
      #expect(run.code == (code == "page.certificate" ? 65 : 75), "\(run)")
    }
  }

  /// A phone is given them with the QR code.
  @Test func aCertificateMustNameWhatPhonesAreGiven() async throws {
    try await CommandLineSetup.with { setup in
      _ = try setup.write(TestCertificate.certificate, to: "page.pem")
      _ = try setup.write(TestCertificate.key, to: "page.key")
      func verdicts(_ page: String) async throws -> [String] {
        let tls = "tls: {certificate: page.pem, key: page.key}"
        return try await doctor(setup, "page: {\(page)}\n\(tls)")
          .filter { $0.code == "page.certificateName" }.map(\.verdict)
      }
      let (known, unknown) = ("court.local", "court-9.example")
      #expect(try await verdicts("listen: 192.0.2.1") == ["problem"])
      #expect(try await verdicts("listen: 192.0.2.1, names: [\(known)]") == ["note"])
      let both = try await verdicts("listen: 192.0.2.1, names: [\(unknown), \(known)]")
      #expect(both == ["problem", "note"])
      #expect(try await verdicts("names: [\(known)]") == [])
    }
  }

  @Test func phonesAreForTheServiceAlone() async throws {
    try await CommandLineSetup.with { setup in
      let path = try setup.write(#"{"phones":[]}"#, to: "phones.json")
      chmod(path, 0o644)
      let open = try await doctor(setup, "page: {listen: 192.0.2.1}")
      #expect(open.contains { $0.code == "page.phonesOpen" && $0.verdict == "problem" })
      chmod(path, 0o600)
      let closed = try await doctor(setup, "page: {listen: 192.0.2.1}")
      #expect(closed.last?.code == "page.phones" && closed.last?.verdict == "ok")
      _ = try setup.write("[", to: "phones.json")
      let damaged = try await doctor(setup, "page: {listen: 192.0.2.1}")
      #expect(damaged.last?.verdict == "problem")
    }
  }

  @Test(.mockOnly("it needs no machine"))
  func theBridgesDoctorPassesItOnWhereItsServiceIsEnabled() async throws {
    try await CommandLineSetup.with { setup in
      _ = try await setup.mock()
      let arguments = ["doctor", "--json", "--bus", setup.address]
      try await FakeSystemd.with("ballmachine_2dweb_2eservice") { bus in
        let result = try await setup.run(
          arguments,
          after: "export DBUS_SYSTEM_BUS_ADDRESS='\(bus.address)';"
        )
        #expect(findings(result).map(\.code).contains("page.loopback"), "\(result)")
      }
      #expect(findings(try await setup.run(arguments)).isEmpty)
    }
  }
}
