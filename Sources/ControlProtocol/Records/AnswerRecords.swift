/// The service's first message, about itself.
package struct HelloRecord: Codable, Hashable, Sendable {
  /// The protocol's version. Other versions may be incompatible.
  package static let protocolNumber = 2

  /// Changes when a client of the present one would go wrong.
  package var `protocol` = Self.protocolNumber
  /// The program's version.
  package var version: String
  /// What this client may do.
  package var role: ControlRole
  /// The group of each role; nil: of a service older than these groups.
  package var groups: [String: String]?
  /// `SIM` for a mock machine, `REAL` for one that throws balls; nil while the service doesn't know.
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
  /// One of `confirmed`, `unconfirmed`, `notDelivered`, `alreadyStopped` and `pending` (for a client that
  /// gets no outcome).
  package var outcome: String
  /// The outcome in words.
  package var reason: String
  /// Only in answers: `SIM` or `REAL`; nil while the service doesn't know.
  package var mode: String?
  /// Only in answers of the control socket: what the stop has made of safety.
  package var safety: SafetyRecord?

  package init(
    outcome: String,
    reason: String,
    mode: String? = nil,
    safety: SafetyRecord? = nil
  ) {
    self.outcome = outcome
    self.reason = reason
    self.mode = mode
    self.safety = safety
  }
}

/// Commands: those in force, or a file's.
package struct TableRecord: Codable, Hashable, Sendable {
  /// The command of each zone, by row and column, such as `1-1`.
  package var commands: [String: String]
  /// The commands of a zone at a level, with a spin or both, such as `1-1 beginner topspin`, beside
  /// the plain ones; nil: there are none.
  package var strokes: [String: String]?
  /// The command for a player out of court.
  package var fallback: String
  /// What stops the machine.
  package var stopCommand: String

  package init(
    commands: [String: String],
    strokes: [String: String]? = nil,
    fallback: String,
    stopCommand: String
  ) {
    self.commands = commands
    self.strokes = strokes
    self.fallback = fallback
    self.stopCommand = stopCommand
  }

  /// The commands of zones, those at a level or with a spin too.
  package var entries: [String: String] { commands.merging(strokes ?? [:]) { zone, _ in zone } }
}

/// Which keys of the configuration a reload has changed.
package struct ReloadRecord: Codable, Hashable, Sendable {
  /// The keys whose change is in force now.
  package var applied: [String]
  /// The keys whose change is in force after a restart.
  package var atRestart: [String]
  /// The loaded drill, if its file is another one by now; what is loaded stays.
  package var changedDrill: String?
  /// What is loaded now, if its level was lost and is found again.
  package var training: TrainingRecord?

  package init(
    applied: [String],
    atRestart: [String],
    changedDrill: String? = nil,
    training: TrainingRecord? = nil
  ) {
    self.applied = applied
    self.atRestart = atRestart
    self.changedDrill = changedDrill
    self.training = training
  }
}

/// The service's figures, in Prometheus' text format.
package struct MetricsRecord: Codable, Hashable, Sendable {
  /// The figures, a line each.
  package var text: String

  package init(text: String) { self.text = text }
}

/// A device that counts as our machine from now on.
package struct AdoptionRecord: Codable, Hashable, Sendable {
  /// The Bluetooth address, as BlueZ writes it.
  package var address: String
  /// The name that the device advertises.
  package var name: String?
  /// By what it is known again: one of `address` and `name` (where the address is a private one, which
  /// changes every few minutes).
  package var by: String
  /// One of `SIM` and `REAL`: it counts for that kind alone.
  package var mode: String

  package init(address: String, name: String?, by: String, mode: String) {
    self.address = address
    self.name = name
    self.by = by
    self.mode = mode
  }
}
