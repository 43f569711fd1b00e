import Clocks
import CourtLogic

/// Limits what is recorded of feeders, so that none of them can fill the disk: so many positions
/// a second of the player, so many of all other sources together, and so many other records.
/// Refused ones are counted for each connection.
struct FeedAllowance: Sendable {
  /// Positions of the player in a second: twice a fast camera's.
  static let playerRate = 250
  /// Positions of all other sources in a second: four cameras'. No replay needs them.
  static let otherRate = 150
  /// Lines that can't be read, and feeders that come and go, in a second.
  static let talkRate = 10
  /// How often refusals are reported.
  static let tellingInterval = Duration.seconds(10)
  /// The connections that are counted one by one; all further ones are counted together.
  private static let mostConnections = 64

  private var selection = PlayerSelection()
  private var player = allowance(playerRate)
  private var others = allowance(otherRate)
  private var talk = allowance(talkRate)
  private var refused: [String: LogQueue.Losses] = [:]
  private var lastTold: MonotonicInstant?

  /// After a rest, as many at once as in 10 s.
  private static func allowance(_ rate: Int) -> Allowance {
    Allowance(Double(rate), most: Double(rate) * 10)
  }

  mutating func admits(_ source: SourceID, at instant: MonotonicInstant) -> Bool {
    let isPlayer = selection.admits(source, at: instant)
    if isPlayer ? player.take(at: instant) : others.take(at: instant) { return true }
    refuse(LogQueue.Losses(positions: 1), of: source.connection)
    return false
  }

  /// - Parameter connection: which one an event that is not a position is about.
  mutating func admitsTalk(of connection: String?, at instant: MonotonicInstant) -> Bool {
    if talk.take(at: instant) { return true }
    refuse(LogQueue.Losses(records: 1), of: connection)
    return false
  }

  private mutating func refuse(_ losses: LogQueue.Losses, of connection: String?) {
    let name = connection ?? ""
    let isCounted = refused[name] != nil || refused.count < Self.mostConnections
    refused[isCounted ? name : "", default: LogQueue.Losses()] += losses
  }

  /// What has been refused, by connection, if a report is due; the empty name stands for the
  /// rest.
  mutating func takeRefused(
    at now: MonotonicInstant,
    isLast: Bool
  ) -> [String: LogQueue.Losses] {
    guard !refused.isEmpty,
      isLast || lastTold.map({ $0.duration(to: now) >= Self.tellingInterval }) ?? true
    else { return [:] }
    lastTold = now
    defer { refused = [:] }
    return refused
  }
}
