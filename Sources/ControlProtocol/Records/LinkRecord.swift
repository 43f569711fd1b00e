package import Host

/// The link to the machine at one moment.
package struct LinkRecord: Codable, Hashable, Sendable {
  /// `ready`, `connecting`, …: the link's phase.
  package var state: String
  /// When the phase began; to the second.
  package var since: WallTime?
  /// `SIM` or `REAL`; nil while it is not known.
  package var mode: String?
  /// The machine's address.
  package var machine: String?
  package var name: String?
  /// True if the machine was chosen because an earlier run used it.
  package var remembered: Bool?
  /// The UUID profile in use.
  package var profile: String?
  /// The UUID of the characteristic that takes the commands, while ready.
  package var characteristic: String?
  /// Devices that may be ball machines; nothing is written to them until a person adopts one. Nil: none.
  package var perhaps: [Perhaps]?
  /// The adapter's address.
  package var adapter: String?
  package var adapterName: String?
  /// `on`, `off`, `missing`, …
  package var adapterState: String?
  /// Adapters that can't serve, in whose place this one is used; nil if there are none.
  package var passedOver: [PassedOverAdapter]?
  /// The signal's strength, in dBm.
  package var rssi: Int?
  /// How old that strength is, in seconds.
  package var rssiAge: Double?
  /// Which attempt this is, from 1.
  package var attempt: Int?
  /// Attempts that failed in a row; nil if there are none.
  package var failures: Int?
  /// When the next attempt begins, in seconds on the service's clock.
  package var nextAttempt: Double?
  /// Commands in a row that the machine refused or did not answer; nil if there are none.
  package var refused: Int?
  /// The notifications of a machine that answers commands; nil for another one.
  package var notifications: Notifications?
  /// What is wrong: why the machine is not ready, or that it takes no commands.
  package var reason: String?
  /// What to do about it.
  package var remedy: String?
  package var warning: String?

  package init(state: String) { self.state = state }

  package struct PassedOverAdapter: Codable, Hashable, Sendable {
    /// The adapter's address.
    package var adapter: String
    package var adapterName: String
    /// Why it can't serve.
    package var reason: String

    package init(adapter: String, adapterName: String, reason: String) {
      self.adapter = adapter
      self.adapterName = adapterName
      self.reason = reason
    }

    /// The adapter and the reason, as a sentence.
    package var text: String { "\(adapterName) \(adapter) is passed over: \(reason)" }
  }

  /// A device that may be a ball machine.
  package struct Perhaps: Codable, Hashable, Sendable {
    package var address: String
    /// `public` or `random`.
    package var addressType: String
    package var name: String?
    /// The known UUID profile that it advertises.
    package var profile: String?

    package init(address: String, addressType: String, name: String?, profile: String?) {
      self.address = address
      self.addressType = addressType
      self.name = name
      self.profile = profile
    }
  }

  /// The machine's notifications. Counts are of answers, since the service began; nil if zero.
  package struct Notifications: Codable, Hashable, Sendable {
    /// Whether they come in; nil while the machine isn't ready.
    package var on: Bool?
    /// Why they don't.
    package var reason: String?
    /// More than 2 s after their command.
    package var late: Int?
    /// A second one of a kind, or one after the last.
    package var doubled: Int?
    /// No command had been written.
    package var unasked: Int?
    /// Cut, too long, or other bytes.
    package var malformed: Int?
    package var wrongCheckByte: Int?
    /// Answers with the check byte that is not configured: these are taken.
    package var otherCheckByte: Int?

    package init() {}
  }
}
