import Fleet
import Host
import Programs

/// Where the broker is, for the office.
struct BrokerOptions {
  struct Place: Hashable {
    var host: String
    var port: Int?
  }

  var config: String?
  var broker: Place?
  var user: String?
  var passwordFile: String?
  var authority: String?

  static let options: [Option<BrokerOptions>] = [
    .value(
      "config",
      .text("FILE"),
      \.config,
      "Read this configuration (default: \(FleetSettings.standardPath) if there is one)"
    ),
    .value(
      "broker",
      place,
      \.broker,
      "Use this broker, without the default configuration; the port is 1883, with TLS 8883"
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
      "Use TLS; the authority that vouches for the broker, in PEM"
    ),
  ]

  func settings() throws -> BrokerSettings {
    var settings = FleetSettings()
    if broker == nil || config != nil {
      settings = try FleetSettings.load(config, orElse: FleetSettings.standardPath)
    }
    if let broker {
      settings.host = broker.host
      settings.port = broker.port
    }
    if let user {
      settings.user = user
      // The former password file was another user's.
      settings.passwordFile = nil
    }
    settings.passwordFile = passwordFile ?? settings.passwordFile
    settings.authority = authority ?? settings.authority
    guard settings.host != nil else { throw UsageError("give --broker HOST[:PORT]") }
    if let problem = settings.problem(needsCourt: false) { throw Failure(.configuration, problem) }
    return try settings.readBroker()
  }

  /// The options as they were typed, for a child of this program.
  var arguments: [String] {
    let place = broker.map { place in
      let host = place.host.contains { $0 == ":" } ? "[\(place.host)]" : place.host
      return place.port.map { "\(host):\($0)" } ?? host
    }
    let values = [
      ("config", config), ("broker", place), ("user", user), ("password-file", passwordFile),
      ("ca", authority),
    ]
    return values.compactMap { name, value in value.map { "--\(name)=\($0)" } }
  }

  /// An IPv6 address with a port stands in brackets.
  private static let place = ValueKind<Place>("HOST[:PORT]") { (text) throws(UsageError) in
    var host = text[...]
    var port = ""[...]
    if text.first == "[", let end = text.firstIndex(of: "]") {
      host = text[..<end].dropFirst()
      port = text[end...].dropFirst()
    } else if text.count(where: { $0 == ":" }) == 1, let colon = text.firstIndex(of: ":") {
      host = text[..<colon]
      port = text[colon...]
    }
    let number = port.first == ":" ? Int(port.dropFirst()) : nil
    guard !host.isEmpty, port.isEmpty || (1...65_535).contains(number ?? 0) else {
      throw UsageError("is no HOST[:PORT]")
    }
    return Place(host: String(host), port: number)
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
