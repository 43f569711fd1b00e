import Fleet
import Host
import Programs

/// Where the broker is, for the office.
struct BrokerOptions {
  var config: String?
  var broker: BrokerAddress?
  var user: String?
  var passwordFile: String?
  var authority: String?
  var certificate: String?
  var key: String?
  var version: MQTTVersion?

  static let options: [Option<BrokerOptions>] = [
    .value(
      "config",
      .text("FILE"),
      \.config,
      "Read this configuration (default: \(FleetSettings.standardPath) if there is one)"
    ),
    .value(
      "broker",
      address,
      \.broker,
      """
      Use this broker, without the default configuration; the port is 1883, with TLS 8883. \
      mqtts://[USER@]HOST[:PORT] is with TLS, mqtt:// without
      """
    ),
    .value("user", .text("NAME"), \.user, "The user's name at the broker"),
    .value(
      "password-file",
      .text("FILE"),
      \.passwordFile,
      "Read the user's password from this file, which only its owner may read"
    ),
    .value(
      "ca",
      .text("FILE"),
      \.authority,
      "Use TLS; the authority that vouches for the broker, in PEM (default: the system's)"
    ),
    .value(
      "certificate",
      .text("FILE"),
      \.certificate,
      "Use TLS; this client's own certificate, in PEM, where the broker asks for one"
    ),
    .value("key", .text("FILE"), \.key, "That certificate's key, in PEM"),
    .value(
      "protocol",
      ValueKind("VERSION", .version),
      \.version,
      "Speak this version of MQTT, 5 or 3.1.1 (default: 5, and 3.1.1 if the broker lacks it)"
    ),
  ]

  func settings() throws -> BrokerSettings {
    try checkContradictions()
    var settings = FleetSettings()
    if broker == nil || config != nil {
      settings = try FleetSettings.load(config, orElse: FleetSettings.standardPath)
    }
    if let broker {
      settings.host = broker.host
      settings.port = broker.port
      settings.encrypts = broker.isEncrypted ?? settings.encrypts
    }
    if let user = user ?? broker?.user {
      settings.user = user
      // The former password file was another user's.
      settings.passwordFile = nil
    }
    guard passwordFile == nil || settings.user != nil else {
      throw UsageError("--password-file is a user's: give --user NAME, too")
    }
    settings.passwordFile = passwordFile ?? settings.passwordFile
    settings.authority = authority ?? settings.authority
    if let certificate, let key { (settings.certificate, settings.key) = (certificate, key) }
    settings.version = version ?? settings.version
    guard settings.host != nil else { throw UsageError("give --broker HOST[:PORT]") }
    if broker?.isEncrypted == false, settings.hasFilesOfTLS {
      let path = config ?? FleetSettings.standardPath
      throw UsageError("--broker is without TLS, and \(path) has keys of tls: write mqtts://")
    }
    if let problem = settings.problem(needsCourt: false) { throw Failure(.configuration, problem) }
    return try settings.readBroker()
  }

  private func checkContradictions() throws(UsageError) {
    guard (certificate == nil) == (key == nil) else {
      throw UsageError("--certificate and --key go together")
    }
    guard let broker else { return }
    if broker.hasPassword {
      throw UsageError(
        "--broker has a password in it, which others on this box can see in the list of processes: "
          + "leave it out, and give --password-file FILE"
      )
    }
    if let user, let named = broker.user, user != named {
      throw UsageError("--user \(user) and \(named) in --broker contradict each other")
    }
    let options = [("--ca", authority), ("--certificate", certificate)]
    if broker.isEncrypted == false, let option = options.first(where: { $0.1 != nil }) {
      throw UsageError("--broker is without TLS, and \(option.0) is for TLS: write mqtts://")
    }
  }

  /// The options as they were typed, for a child of this program.
  var arguments: [String] {
    let values = [
      ("config", config), ("broker", broker?.text), ("user", user), ("password-file", passwordFile),
      ("ca", authority), ("certificate", certificate), ("key", key),
      ("protocol", version?.rawValue),
    ]
    return values.compactMap { name, value in value.map { "--\(name)=\($0)" } }
  }

  private static let address = ValueKind<BrokerAddress>("HOST[:PORT]") {
    (text) throws(UsageError) in
    do throws(BrokerAddress.Refusal) { return try BrokerAddress(text) } catch {
      throw UsageError("\(error)")
    }
  }
}

extension BrokerSettings {
  /// The broker's address as people write it, `HOST:PORT`.
  var place: String { host.contains { $0 == ":" } ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

extension MQTTFailure: ExitCoded {
  var exitCode: ExitCode {
    switch code {
    case .unknownHost, .unreachable, .strange: .unavailable
    case .busy, .silent, .takenOver, .lost: .temporary
    case .untrusted, .refused, .forbidden: .noPermission
    case .system: .system
    }
  }

  var errorCode: String? { code.rawValue }
}
