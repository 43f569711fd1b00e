import Positions

extension PositionFeed {
  var statistics: PositionFeedStatistics { events.statistics }
}
