package import ControlProtocol
import Host
import Programs

/// What feeders send: the service's record for machines, a line for people.
package struct FeedReport: Report {
  package var record: FeedersRecord
  private let time: WallTime

  package init(_ record: FeedersRecord) {
    self.record = record
    time = WallTime()
  }

  package var text: String { "\(time.local)  \(record.text)" }

  package func encode(to encoder: any Encoder) throws {
    try encoder.encode(record, as: "feeders")
  }
}

/// Tells when something has come, gone or changed: not by the mere course of time.
package struct FeedChanges {
  private var last: FeedersRecord?

  package init() {}

  /// - Returns: whether that is another record than the last one.
  package mutating func receive(_ record: FeedersRecord) -> Bool {
    let record = record.withoutTimes
    defer { last = record }
    return record != last
  }
}

extension FeedersRecord {
  /// Without what changes while nothing comes.
  fileprivate var withoutTimes: FeedersRecord {
    var record = self
    record.t = 0
    record.safety.remaining = nil
    for feeder in record.feeders.indices {
      for source in record.feeders[feeder].sources.indices {
        record.feeders[feeder].sources[source].age = 0
        record.feeders[feeder].sources[source].perSecond = nil
        record.feeders[feeder].sources[source].greatestDelay = nil
      }
    }
    return record
  }
}
