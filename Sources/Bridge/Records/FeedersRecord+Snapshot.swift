import Clocks
import ControlProtocol
import CourtLogic
import JSON
import MachineLink
package import Positions

/// What comes in of positions at one moment, and the bridge that uses it.
package struct FeedSnapshot: Sendable {
  package var bridge: BridgeSnapshot
  /// The connected ones.
  package var feeders: [FeederFigures]

  package init(bridge: BridgeSnapshot, feeders: [FeederFigures]) {
    self.bridge = bridge
    self.feeders = feeders
  }
}

extension FeedersRecord {
  init(_ feed: FeedSnapshot) {
    let bridge = feed.bridge
    self.init(
      t: bridge.time.seconds.rounded(places: 6),
      safety: SafetyRecord(bridge.safety, at: bridge.time),
      feeders: feed.feeders.map { Feeder($0, bridge) }
    )
    mode = bridge.link.mode
    lastBadLine = bridge.lastRefused.map { StatusRecord.BadLine($0) }
  }
}

extension FeedersRecord.Feeder {
  fileprivate init(_ figures: FeederFigures, _ bridge: BridgeSnapshot) {
    self.init(
      connection: figures.connection,
      sources: figures.sources.map {
        FeedersRecord.Source($0, from: figures.connection, bridge)
      },
      badLines: figures.badLines,
      lastBadLine: figures.lastBadLine.map {
        StatusRecord.BadLine($0.line, from: figures.connection, at: $0.at)
      },
      droppedPositions: figures.dropped
    )
  }
}

extension FeedersRecord.Source {
  fileprivate init(_ figures: SourceFigures, from connection: String, _ bridge: BridgeSnapshot) {
    let now = bridge.time
    let position = figures.position
    self.init(
      x: position.x.rounded(places: 4),
      y: position.y.rounded(places: 4),
      zone: bridge.court.zone(at: position)?.description,
      age: max(figures.arrival.duration(to: now), .zero).seconds.rounded(places: 3),
      positions: figures.count,
      stamp: figures.stamp.word
    )
    id = figures.id
    followed = bridge.followed == SourceID(connection: connection, id: figures.id)
    perSecond = figures.perSecond(at: now)?.rounded(places: 1)
    delay = figures.stamp.delay?.seconds.rounded(places: 3)
    greatestDelay = figures.greatestDelay(at: now)?.seconds.rounded(places: 3)
  }
}

extension SourceFigures.Stamp {
  fileprivate var word: String {
    switch self {
    case .none: "none"
    case .other: "other"
    case .wallClock: "wallClock"
    }
  }
}
