/// The service's first message, about itself.
package struct HelloRecord: Codable, Hashable, Sendable {
  /// The protocol's version. Other versions may be incompatible.
  package static let protocolNumber = 1

  package private(set) var `protocol` = Self.protocolNumber
  /// Of the program.
  package var version: String
  package var role: ControlRole
  /// The group of each role, by the role's word; nil of a service older than these groups.
  package var groups: [String: String]?
  /// `SIM` or `REAL`; nil while the service doesn't know.
  @OrNull package var mode: String?

  package init(
    version: String,
    role: ControlRole,
    groups: [String: String]? = nil,
    mode: String?
  ) {
    self.version = version
    self.role = role
    self.groups = groups
    self.mode = mode
  }
}

/// The outcome of a stop, or more exactly, of the machine's stop command.
package struct StopRecord: Codable, Hashable, Sendable {
  /// `confirmed`, `unconfirmed`, `notDelivered`, `alreadyStopped`; or `pending`, for a client that
  /// gets no outcome.
  package var outcome: String
  /// The same in words.
  package var reason: String
  /// Absent on the stop socket.
  package var safety: SafetyRecord?

  package init(outcome: String, reason: String, safety: SafetyRecord? = nil) {
    self.outcome = outcome
    self.reason = reason
    self.safety = safety
  }
}

/// Safety after a request to change it.
package struct SafetyAnswer: Codable, Hashable, Sendable {
  package var safety: SafetyRecord

  package init(_ safety: SafetyRecord) { self.safety = safety }
}

/// The commands in force.
package struct TableRecord: Codable, Hashable, Sendable {
  /// By row and column, such as `1-1`.
  package var zones: [String: String]
  package var outOfCourt: String
  /// The command that stops the machine.
  package var stop: String

  package init(zones: [String: String], outOfCourt: String, stop: String) {
    self.zones = zones
    self.outOfCourt = outOfCourt
    self.stop = stop
  }
}

/// Which keys of the configuration a reload has changed.
package struct ReloadRecord: Codable, Hashable, Sendable {
  /// In force now.
  package var applied: [String]
  /// In force after a restart.
  package var atRestart: [String]
  /// What is valid, but has another effect than one may expect; nil: nothing.
  package var warnings: [String]?

  package init(applied: [String], atRestart: [String], warnings: [String]? = nil) {
    self.applied = applied
    self.atRestart = atRestart
    self.warnings = warnings
  }
}

/// The service's figures, in Prometheus' text format.
package struct MetricsRecord: Codable, Hashable, Sendable {
  package var text: String

  package init(text: String) { self.text = text }
}
