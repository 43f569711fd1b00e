package import Host
package import YAML

/// What a person sets of the fleet: `mqtt.yaml`. A new one has the defaults.
package struct FleetSettings: YAMLDocument {
  /// Where an installed one has its configuration.
  package static let standardPath = "/etc/ballmachine-mqtt/mqtt.yaml"
  /// The longest name of a court for people, in characters.
  static let longestName = 64

  package var host: String?
  package var port: Int?
  package var user: String?
  package var passwordFile: String?
  /// The only version of MQTT to speak; nil: 5 where the broker has it.
  package var version: MQTTVersion?
  package var encrypts: Bool?
  package var authority: String?
  package var certificate: String?
  package var key: String?
  package var court: String?
  package var name: String?
  package var player = false
  package var session = false
  package var picture = false
  package var discovery = true
  /// The first level of Home Assistant's topics.
  package var prefix = "homeassistant"
  /// The court's page, for a link there; nil: none.
  package var page: String?

  package init() {}

  /// What people call the court.
  package var displayName: String { name ?? court ?? "" }

  /// Why people can take the court's name for another, as the end of "the name has …"; nil: they can't.
  ///
  /// Such a name stays in force: a court that is not on the broker can't be stopped from afar.
  package var nameDoubt: String? { name.flatMap(CourtName.doubt) }

  package var isEncrypted: Bool { encrypts ?? hasFilesOfTLS }

  /// Whether there is a key of `tls` that has no meaning without it.
  package var hasFilesOfTLS: Bool { [authority, certificate, key].contains { $0 != nil } }

  /// The port: the given one, or IANA's for secure-mqtt or mqtt.
  package var usedPort: Int { port ?? (isEncrypted ? 8883 : 1883) }

  /// Whether this can be a court's name in the topics.
  package static func isCourt(_ name: String) -> Bool {
    (1...32).contains(name.utf8.count) && name.first != "_" && name.first != "-"
      && name.utf8.allSatisfy {
        switch UnicodeScalar($0) {
        case "a"..."z", "0"..."9", "_", "-": true
        default: false
        }
      }
  }

  /// Whether what is sent stays on this box.
  package var isLoopback: Bool {
    host.map(OwnAddresses.isLoopback) ?? false
  }

  /// What must hold between the keys; nil: it does.
  ///
  /// - Parameter needsCourt: whether it is about one court.
  package func problem(needsCourt: Bool = true) -> String? {
    guard let host else { return "broker.host is missing: write the broker's name or address" }
    if let problem = Self.problem(ofHost: host) { return problem }
    if needsCourt, court == nil {
      return "fleet.court is missing: write the court's part of the topics, such as court-1"
    }
    if passwordFile != nil, user == nil {
      return "broker.password-file needs broker.user: the password is that user's"
    }
    if (certificate == nil) != (key == nil) {
      return "tls.certificate and tls.key go together: set both or none"
    }
    if encrypts == false, hasFilesOfTLS {
      return "tls.enabled is false: remove it, or the other keys of tls"
    }
    return nil
  }

  /// Addresses have in one text what stands in keys of their own here.
  private static func problem(ofHost host: String) -> String? {
    let hasPort = host.contains(":") && !TLSContext.isAddress(host)
    guard hasPort || BrokerAddress.hasScheme(host) else { return nil }
    do throws(BrokerAddress.Refusal) {
      let address = try BrokerAddress(host)
      let password = address.hasPassword ? ", and the password to broker.password-file's file" : ""
      return "broker.host is a name or an address alone: write \(address.advice)\(password)"
    } catch {
      return "broker.host \(error)"
    }
  }

  /// Call it only without a ``problem(needsCourt:)``. It reads the password file to report a mistake at
  /// once. Each connection reads the file again.
  package func broker() throws(SystemError) -> BrokerSettings {
    _ = try passwordFile.map(SecretFile.line)
    return BrokerSettings(
      host: host ?? "",
      port: usedPort,
      user: user,
      passwordFile: passwordFile,
      tls: isEncrypted ? .init(authority: authority, certificate: certificate, key: key) : nil,
      version: version
    )
  }

  package static let schema = YAMLSchema<Self>(
    of: "the fleet's configuration",
    typicalKey: "broker",
    [
      YAMLSection(
        "broker",
        "Where the MQTT broker is",
        effect: .afterRestart,
        keys: [
          .value(
            "host",
            .host,
            \.host,
            example: "broker.club.example",
            "The broker's host name or IP address. Needed."
          ),
          .value(
            "port",
            .integer("a port", in: 1...65_535),
            \.port,
            example: "8883",
            "The broker's port; by default 8883 with TLS, 1883 without."
          ),
          .value(
            "user",
            .text("a user's name"),
            \.user,
            example: "court-1",
            "The user's name at the broker."
          ),
          .value(
            "password-file",
            .path("the path of a password's file"),
            \.passwordFile,
            example: "password",
            """
            A file with the user's password, one line, which belongs to the user ballmachine-mqtt \
            and no other may read (chmod 600).
            """
          ),
          .value(
            "protocol",
            .version,
            \.version,
            example: "3.1.1",
            "The version of MQTT, 5 or 3.1.1; by default 5, and 3.1.1 if the broker lacks it."
          ),
        ]
      ),
      YAMLSection(
        "tls",
        "Encryption; without it everything is readable in the network",
        effect: .afterRestart,
        keys: [
          .value(
            "enabled",
            .flag,
            \.encrypts,
            example: "true",
            "Whether the connection is encrypted; by default if another key of tls is set."
          ),
          .value(
            "ca",
            .path("the path of an authority's certificate"),
            \.authority,
            example: "ca.pem",
            "The authority that vouches for the broker, in PEM; by default those of the system."
          ),
          .value(
            "certificate",
            .path("the path of a certificate"),
            \.certificate,
            example: "certificate.pem",
            "The box's own certificate, in PEM, where the broker asks for one."
          ),
          .value(
            "key",
            .path("the path of a key"),
            \.key,
            example: "key.pem",
            "That certificate's key, in PEM, readable to the user ballmachine-mqtt."
          ),
        ]
      ),
      YAMLSection(
        "fleet",
        "This court among the others",
        effect: .afterRestart,
        keys: [
          .value(
            "court",
            .court,
            \.court,
            example: "court-1",
            "The court's part of the topics, ballmachine/COURT/state and others. Needed."
          ),
          .value(
            "name",
            .name,
            \.name,
            example: "Court 1",
            "What people call the court; by default as the topics do."
          ),
          .value(
            "player",
            .flag,
            \.player,
            "Whether the player's place is published, once a second: it is a person's place."
          ),
          .value(
            "session",
            .flag,
            \.session,
            "Whether a session's summary is published when it ends, without its label."
          ),
          .value(
            "picture",
            .flag,
            \.picture,
            """
            Whether the court publishes a picture of its camera on request, at most one in 5 s. It may \
            show people.
            """
          ),
        ]
      ),
      YAMLSection(
        "home-assistant",
        "Home Assistant's discovery",
        effect: .afterRestart,
        keys: [
          .value(
            "discovery",
            .flag,
            \.discovery,
            """
            Whether Home Assistant finds the court by itself. A device that it has found stays until \
            `ballmachine mqtt --forget'.
            """
          ),
          .value(
            "prefix",
            .topicLevel,
            \.prefix,
            "The first level of Home Assistant's topics, as set there."
          ),
          .value(
            "page",
            .page,
            \.page,
            example: "http://192.168.1.20:8080",
            "The address of the court's page, to which Home Assistant then links."
          ),
        ]
      ),
    ]
  )
}

extension YAMLKind where Value == MQTTVersion {
  /// YAML has a number in 5, and a text in 3.1.1.
  package static var version: YAMLKind {
    let allowed = "5 or 3.1.1"
    return YAMLKind(allowed, yaml: \.rawValue) { (node, _) throws(YAMLProblem) in
      guard let version = node.text.flatMap(MQTTVersion.init) else { throw node.isNot(allowed) }
      return version
    }
  }
}

extension YAMLKind where Value == String {
  fileprivate static var host: YAMLKind {
    YAMLKind(form: "a host name or an IP address", yaml: \.asYAML) { text in
      let isHost =
        (1...253).contains(text.utf8.count)
        && text.allSatisfy {
          $0.isASCII && ($0.isLetter || $0.isNumber || "._-:%".contains($0))
        } && text.first != "-"
      // What stands before the host in an address has a better answer than this.
      return isHost || BrokerAddress.hasScheme(text) ? text : nil
    }
  }

  package static var court: YAMLKind {
    .text(
      "a court of 1 to 32 of a-z, 0-9, _ and -, the first a letter or a digit",
      where: FleetSettings.isCourt
    )
  }

  fileprivate static var name: YAMLKind {
    .text("a name of 1 to 64 characters, without a tab or a line break") {
      $0.count <= FleetSettings.longestName
    }
  }

  fileprivate static var topicLevel: YAMLKind {
    .text("a topic of 1 to 64 characters without + and #") {
      $0.count <= 64 && !$0.contains { $0 == "+" || $0 == "#" } && $0.first != "/" && $0.last != "/"
    }
  }
}
