import Clocks
import Configuration
import CourtLogic
package import Host
import JSON
import MachineLink

/// The service at one moment, for machines.
package struct StatusRecord: Sendable {
  /// Which configuration is in force.
  package struct Configuration: Hashable, Sendable {
    /// Nil: the defaults.
    package var file: String?
    package var loaded: WallTime
    /// Why a configuration that was read later is not in force; nil when there is none.
    package var refused: String?

    package init(file: String?, loaded: WallTime, refused: String? = nil) {
      self.file = file
      self.loaded = loaded
      self.refused = refused
    }
  }

  private let snapshot: BridgeSnapshot
  private let version: String
  private let configuration: Configuration?
  private let since: WallTime

  /// - Parameters:
  ///   - version: of the program.
  ///   - configuration: nil when there is none.
  package init(
    _ snapshot: BridgeSnapshot,
    version: String,
    configuration: Configuration?,
    on clock: SystemClock
  ) {
    self.snapshot = snapshot
    self.version = version
    self.configuration = configuration
    since = WallTime(of: snapshot.link.since, on: clock)
  }
}

extension StatusRecord: Encodable {
  private enum Key: CodingKey {
    case version, t, mode, uptime, safety, link, court, player, nextDecision, lastDispatch, counts
    case configuration
  }

  private enum CourtKey: CodingKey {
    case apron
  }

  private enum PlayerKey: CodingKey {
    case x, y, samples, zone
  }

  private enum ConfigurationKey: CodingKey {
    case file, loaded, refused
  }

  package func encode(to encoder: any Encoder) throws {
    let now = snapshot.time
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(version, forKey: .version)
    // To compare the times of other records and of the last command with.
    try object.encode(now.seconds.rounded(places: 6), forKey: .t)
    try object.encode(snapshot.link.mode, forKey: .mode)
    try object.encode(snapshot.summary.duration.seconds.rounded(places: 3), forKey: .uptime)
    try object.encode(SafetyFields(snapshot.safety, at: now), forKey: .safety)
    try object.encode(LinkFields(snapshot.link, since: since, at: now), forKey: .link)
    var court = object.nestedContainer(keyedBy: CourtKey.self, forKey: .court)
    try court.encode(snapshot.court.apron, forKey: .apron)
    if let player = snapshot.player {
      var fields = object.nestedContainer(keyedBy: PlayerKey.self, forKey: .player)
      try fields.encode(player.position.x.rounded(places: 4), forKey: .x)
      try fields.encode(player.position.y.rounded(places: 4), forKey: .y)
      try fields.encode(player.sampleCount, forKey: .samples)
      try fields.encode(player.zone?.description, forKey: .zone)
    } else {
      try object.encodeNil(forKey: .player)
    }
    // Seconds from now; 0 when the instant has passed.
    let rest = snapshot.nextDecision.map { max(now.duration(to: $0), .zero) }
    try object.encode(rest?.seconds.rounded(places: 3), forKey: .nextDecision)
    try object.encode(snapshot.lastDispatch.map(DispatchFields.init), forKey: .lastDispatch)
    try object.encode(CountFields(snapshot.summary), forKey: .counts)
    if let configuration {
      var fields = object.nestedContainer(keyedBy: ConfigurationKey.self, forKey: .configuration)
      try fields.encode(configuration.file, forKey: .file)
      try fields.encode(configuration.loaded.iso8601, forKey: .loaded)
      try fields.encodeIfPresent(configuration.refused, forKey: .refused)
    } else {
      try object.encodeNil(forKey: .configuration)
    }
  }
}
