// The service's answers and events. They may come from another version of the program, so only
// the fields that no answer can lack are required.

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
    /// What is wrong with a newer file that was refused.
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
  /// The rest of the countdown, in seconds.
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

/// A command and its outcome.
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

/// The outcome of a stop, or more exactly, of the machine's stop command.
struct ServiceStop: Codable, Equatable, Sendable {
  /// `confirmed`, `unconfirmed`, `notDelivered` or `alreadyStopped`.
  var outcome: String
  var reason: String
}

/// An event; its other fields depend on `event`.
struct ServiceEvent: Decodable, Equatable, Sendable {
  var event: String
  /// On the service's clock.
  var t: Double?
  /// ISO 8601.
  var time: String?
}

/// A position feed that came, went, or sent something that can't be used.
struct ServiceFeed: Decodable, Equatable, Sendable {
  var state: String
  var connection: String?
  var line: Int?
  var reason: String?
  var limit: Int?
  var seconds: Double?
}

/// A decision that was held.
struct ServiceHeld: Decodable, Equatable, Sendable {
  var x: Double
  var y: Double
  var samples: Int
  var zone: String?
  var digits: String
  /// The codes of the holds.
  var holds: [String]
}
