import Certificates
import ControlProtocol
import Fleet
import Glibc
import Host
import JSON
import Programs

/// `ballmachine mqtt doctor`: why the court is not on the broker.
struct MQTTDoctor: Subcommand {
  var mqtt = MQTTOptions()

  static let usage = Usage<Self>(
    name: "doctor",
    summary: "Find out why the court is not on the broker",
    options: MQTTOptions.options.within(\.mqtt),
    details: """
      It looks at the configuration, the files of the password and of TLS, the service, the broker \
      with what that keeps of this court, and the bridge's control socket. `ok' means as it should \
      be, `note' worth knowing, `problem' not working. It ends with 69 if there is a problem.

      It stops nothing, and publishes nothing that the broker keeps. What the broker can do it tries \
      on a topic of its own, `ballmachine/COURT/doctor'.
      """
  )

  func run(_ output: Output) async throws {
    async let bridge = Finding.bridge("mqtt")
    async let service = service()
    var findings: [Finding] = []
    do {
      let settings = try mqtt.settings()
      findings.append(.ok("mqtt.configured", "the configuration is valid"))
      findings += files(settings)
      findings += [
        name(settings), ownCertificate(settings), clearText(settings), picture(settings),
      ]
      .compactMap(\.self)
      findings += await broker(settings)
    } catch let error as Failure {
      findings.append(.problem("mqtt.configuration", "\(error)", "mend the file"))
    }
    findings += [await service, await bridge].compactMap(\.self)
    try await output.write(findings, by: "mqtt")
  }

  // MARK: The configuration

  /// The findings on TLS's files; the password's comes with the broker.
  private func files(_ settings: FleetSettings) -> [Finding] {
    guard settings.isEncrypted else { return [] }
    return [settings.authority, settings.certificate, settings.key].compactMap(\.self).map { path in
      do throws(SystemError) {
        let bytes = try InputFile.bytes(path, longest: 1 << 20) ?? []
        guard bytes.starts(with: Array("-----BEGIN ".utf8)) else {
          return .problem("mqtt.certificate", "\(path) is not in PEM", "convert it with openssl")
        }
        return .ok("mqtt.certificateFile", "\(path) can be read")
      } catch {
        guard error.code != EACCES else { return closed("mqtt.certificateClosed", error) }
        return .problem("mqtt.certificate", "\(error)", "mend tls in \(mqtt.path)")
      }
    }
  }

  /// What the broker sees of this box.
  private func ownCertificate(_ settings: FleetSettings) -> Finding? {
    guard let path = settings.certificate, let key = settings.key else { return nil }
    let remedy = "make a new one: `man ballmachine-mqtt', TLS"
    let pair: Certificate
    do {
      pair = try Certificate(
        certificate: try InputFile.bytes(path, longest: 1 << 20) ?? [],
        key: try InputFile.bytes(key, longest: 1 << 20) ?? []
      )
    } catch let error as CertificateError {
      return .problem("mqtt.certificate", "\(path), \(key): \(error)", remedy)
    } catch {
      // The files' own findings say it.
      return nil
    }
    return pair.finding("mqtt", path, remedy: remedy)
  }

  private func closed(_ code: String, _ error: SystemError) -> Finding {
    .note(code, "\(error)", "run it as root, or as the user ballmachine-mqtt")
  }

  private func name(_ settings: FleetSettings) -> Finding? {
    settings.nameDoubt.map { doubt in
      .note(
        "mqtt.name",
        "fleet.name has \(doubt): people can take it for another court's",
        "change it in \(mqtt.path)"
      )
    }
  }

  private func clearText(_ settings: FleetSettings) -> Finding? {
    guard !settings.isEncrypted, !settings.isLoopback else { return nil }
    let what = settings.user == nil ? "all that is sent" : "the password, and all that is sent"
    return .note(
      "mqtt.clearText",
      "\(what) to \(settings.host ?? ""), can be read and changed in the network between",
      "let the broker use TLS, and set tls in \(mqtt.path)"
    )
  }

  /// Whether there is something that gives a picture, where that is allowed.
  private func picture(_ settings: FleetSettings) -> Finding? {
    let path = ProgramPlaces.camera.picture
    guard settings.picture, access(path, F_OK) != 0 else { return nil }
    return .note(
      "mqtt.noPicture",
      "fleet.picture is set, and no camera's service gives pictures: \(path) is not there",
      "run `systemctl enable --now ballmachine-camera', or remove fleet.picture"
    )
  }

  // MARK: The broker

  private func broker(_ settings: FleetSettings) async -> [Finding] {
    let memory = BrokerMemory()
    let broker: BrokerSettings
    do throws(SystemError) { broker = try settings.broker() } catch {
      guard error.code != EACCES else { return [closed("mqtt.passwordClosed", error)] }
      let remedy = "write it to a file of ballmachine-mqtt's alone: `man ballmachine-mqtt'"
      return [.problem("mqtt.password", "\(error)", remedy)]
    }
    let court = settings.court ?? ""
    // Subscribing to `stop` takes none from the service.
    let topics = [CourtTopic.availability, .box, .stop].map { $0.path(of: court) }
    do {
      let kept = try await visit(broker, topics, memory)
      let state = kept[topics[0]].map { String(decoding: $0.payload, as: UTF8.self) }
      let entry: String
      if let user = broker.user {
        entry = "lets \(user) in"
      } else {
        entry =
          await isOpen(broker, topics[0], memory)
          ? "is open to everyone" : "lets this box's certificate in"
      }
      let claim = kept[topics[1]]
      let trial = try await BrokerTrial(broker: broker, court: court, memory: memory).make()
      return [
        .ok("mqtt.broker", "the broker at \(broker.location), \(entry)\(version(memory))"),
        presence(of: court, state, claim, isKept: trial.grants.keepsMessages),
      ] + Self.findings(of: trial, isKept: claim != nil)
        + [oldName(of: broker, memory)].compactMap(\.self) + (await birth(settings, broker, memory))
    } catch let error as MQTTFailure {
      let remedy = remedy(error.code, broker)
      return [.problem("mqtt.\(error.code.rawValue)", "\(error)", remedy)]
    } catch { return [] }
  }

  private func visit(
    _ broker: BrokerSettings,
    _ topics: [String],
    _ memory: BrokerMemory
  ) async throws -> [String: MQTTMessage] {
    try await BrokerVisit(broker: broker, purpose: "doctor", topics: topics, memory: memory).make()
  }

  private func version(_ memory: BrokerMemory) -> String {
    guard memory.version == .v311 else { return "" }
    return ", and speaks MQTT 3.1.1: it does not say when it drops a message"
  }

  /// This program takes such a certificate, so that no club loses its broker by an upgrade.
  private func oldName(of broker: BrokerSettings, _ memory: BrokerMemory) -> Finding? {
    guard memory.hasOldName else { return nil }
    let kind = broker.isAddress ? "IP" : "DNS"
    return .note(
      "mqtt.certificateName",
      "the broker's certificate names \(broker.host) in an old way, which others, such as "
        + "libmosquitto 2.1 or Home Assistant, may refuse",
      "make a new one with `subjectAltName=\(kind):\(broker.host)': `man ballmachine-mqtt', TLS"
    )
  }

  /// Whether the broker, which let this box in without a password, asks for no certificate either.
  private func isOpen(
    _ broker: BrokerSettings,
    _ topic: String,
    _ memory: BrokerMemory
  ) async -> Bool {
    guard broker.tls?.certificate != nil else { return true }
    var anyone = broker
    anyone.tls?.certificate = nil
    anyone.tls?.key = nil
    return (try? await visit(anyone, [topic], memory)) != nil
  }

  /// Whether the court learns that Home Assistant starts.
  private func birth(
    _ settings: FleetSettings,
    _ broker: BrokerSettings,
    _ memory: BrokerMemory
  ) async -> [Finding] {
    guard settings.discovery else { return [] }
    let topic = HomeAssistantDevice(settings, version: Version.number).birthTopic
    do {
      _ = try await visit(broker, [topic], memory)
      return []
    } catch let error as MQTTFailure where error.code == .forbidden {
      return [
        .note(
          "mqtt.birth",
          "\(error)",
          "allow it, or set home-assistant.discovery to false in \(mqtt.path)"
        )
      ]
    } catch {
      // The visit before has said the rest.
      return []
    }
  }

  private func presence(
    of court: String,
    _ state: String?,
    _ claim: MQTTMessage?,
    isKept: Bool
  ) -> Finding {
    let place = try? ProgramPlaces.mqtt.stateOfService()
    let own = place.flatMap { BoxIdentity(in: $0).known }
    let box = claim.flatMap { CourtBoxRecord(payload: $0.payload)?.box }
    if let own, let box, own != box {
      return .problem(
        "mqtt.taken",
        "\(court) is another box's, \(box.excerpt); this one is \(own)",
        "set another fleet.court, or end the other one and run `ballmachine mqtt --forget'"
      )
    }
    if claim != nil, box == nil {
      return .problem(
        "mqtt.unreadable",
        "whose \(court) is can't be read: the broker keeps a message `box' that says nothing",
        "if no other box has it, run `ballmachine mqtt --forget': this one then takes it"
      )
    }
    if claim == nil, let place, RememberedOwner(of: court, in: place).owner == .other {
      let seconds = CourtPublisher.timeToReturn.components.seconds
      return .note(
        "mqtt.waiting",
        "\(court) was another box's, and the broker does not know whose it is now: the service waits "
          + "\(seconds) s at most for that box to come back, and then takes the court",
        "if that box is gone, run `ballmachine mqtt --forget': this one takes the court at once"
      )
    }
    let owner = box.map { own == $0 ? " of this box" : " of the box \($0.excerpt)" } ?? ""
    guard isKept else {
      return .note("mqtt.unseen", "whether \(court) is online can't be seen at this broker", nil)
    }
    guard state == CourtAvailability.online.rawValue else {
      return .note(
        "mqtt.offline",
        state == nil ? "the broker knows no \(court)" : "\(court)\(owner) is offline",
        "look at `journalctl -u ballmachine-mqtt'"
      )
    }
    return .ok("mqtt.online", "\(court)\(owner) is online")
  }

  private func remedy(_ code: MQTTFailure.Code, _ broker: BrokerSettings) -> String? {
    switch code {
    case .unknownHost: "look at broker.host in \(mqtt.path), and at the box's network"
    case .unreachable: "look at broker.host and broker.port in \(mqtt.path), and at the broker"
    case .silent where broker.version != nil:
      "look at the broker, and remove broker.protocol from \(mqtt.path)"
    // It has said nothing to either version.
    case .silent where broker.tls == nil:
      "look at the broker; a port with TLS needs tls in \(mqtt.path)"
    case .silent: "look at the broker and its log"
    case .untrusted: "look at the box's clock with `date', and see `man ballmachine-mqtt', TLS"
    case .refused: "look at broker.user and its password, here and at the broker"
    case .forbidden: "let its access list have what /usr/share/ballmachine/mosquitto/acl has"
    case .busy, .takenOver, .lost, .strange: "look at the broker's log"
    case .system: nil
    }
  }

  // MARK: This box

  private func service() async -> Finding? {
    guard let unit = await SystemdUnit.named("ballmachine-mqtt.service") else { return nil }
    guard unit.active != "active" else { return .ok("mqtt.running", "the service runs") }
    return .note(
      "mqtt.notRunning",
      "the service does not run: it is \(unit.active) (\(unit.result))",
      "run `systemctl enable --now ballmachine-mqtt'"
    )
  }
}
