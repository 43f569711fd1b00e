// What the service tells of itself, as its answers and events have it. All of it may come from a
// program of another version, so that nothing is required but what no answer can be without.

/// The service at one moment.
struct ServiceStatus: Decodable, Equatable, Sendable {
  struct Player: Decodable, Equatable, Sendable {
    var x: Double
    var y: Double
    var samples: Int
    var zone: String?
  }

  struct Counts: Decodable, Equatable, Sendable {
    var positions: Int
    var badLines: Int?
    var otherPositions: Int?
    var droppedPositions: Int?
    var outcomes: [String: Int]
  }

  struct Configuration: Decodable, Equatable, Sendable {
    var file: String?
    /// ISO 8601.
    var loaded: String
    /// What is wrong with a newer one.
    var refused: String?
  }

  struct CourtSize: Decodable, Equatable, Sendable {
    /// In metres.
    var apron: Double
  }

  var version: String
  /// Now, in seconds on the service's clock.
  var t: Double?
  /// `SIM` or `REAL`; nil while the service doesn't know.
  var mode: String?
  /// In seconds.
  var uptime: Double
  var safety: ServiceSafety
  var link: ServiceLink
  var player: Player?
  /// Seconds from now.
  var nextDecision: Double?
  var lastDispatch: ServiceDispatch?
  var counts: Counts
  var configuration: Configuration?
  var court: CourtSize?
}

/// Whether balls may fly, and why or why not.
struct ServiceSafety: Codable, Equatable, Sendable {
  struct Detail: Codable, Equatable, Sendable {
    var code: String?
    var outcome: String?
    var reason: String?
  }

  /// `disarmed`, `countdown`, `live`, `paused` or `stopped`.
  var state: String
  var reason: String?
  /// Seconds of the countdown.
  var remaining: Double?
  var holds: [Detail]?
  var stop: Detail?
  var balls: Int?
}

/// The link to the machine.
struct ServiceLink: Decodable, Equatable, Sendable {
  var state: String
  /// ISO 8601.
  var since: String?
  var mode: String?
  var machine: String?
  var name: String?
  var remembered: Bool?
  var profile: String?
  var adapter: String?
  var adapterName: String?
  var adapterState: String?
  var rssi: Int?
  /// In seconds.
  var rssiAge: Double?
  var attempt: Int?
  /// On the service's clock.
  var nextAttempt: Double?
  var reason: String?
  var remedy: String?
  var warning: String?
}

/// A command and what became of it.
struct ServiceDispatch: Decodable, Equatable, Sendable {
  var number: Int
  /// When it was decided, in seconds on the service's clock.
  var t: Double?
  var x: Double?
  var y: Double?
  var samples: Int?
  /// Nil out of court.
  var zone: String?
  var digits: String
  /// Nil while it is on its way.
  var outcome: String?
  var reason: String?
  /// In seconds.
  var latency: Double?
}

/// What became of a stop: of the machine's stop command, to be exact.
struct ServiceStop: Codable, Equatable, Sendable {
  /// `confirmed`, `unconfirmed`, `notDelivered` or `alreadyStopped`.
  var outcome: String
  var reason: String
}

/// One thing that happened; what else it has depends on `event`.
struct ServiceEvent: Decodable, Equatable, Sendable {
  var event: String
  /// On the service's clock.
  var t: Double?
  /// ISO 8601.
  var time: String?
}

/// A position feed that came, went, or says what can't be used.
struct ServiceFeed: Decodable, Equatable, Sendable {
  var state: String
  var connection: String?
  var line: Int?
  var reason: String?
  var limit: Int?
  var seconds: Double?
}

/// A decision that was kept back.
struct ServiceHeld: Decodable, Equatable, Sendable {
  var x: Double
  var y: Double
  var samples: Int
  var zone: String?
  var digits: String
  /// Codes.
  var holds: [String]
}
