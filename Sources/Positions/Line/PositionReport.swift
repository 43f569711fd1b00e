package import CourtLogic
package import CourtMapping

/// What one line of a position stream says.
package struct PositionReport: Hashable, Sendable {
  package var position: PlayerPosition
  /// The connection's detector or player, if the line names one.
  package var id: String?
  /// The source's own timestamp, which paces a recorded track.
  package var time: Duration?
  /// The source's own timestamp where it is no time in seconds.
  package var stamp: String?
  /// Whether ``time`` is a date without its zone: it may be of any.
  package var lacksZone = false
  /// The picture point that the position comes of, in the feeder's pixels.
  package var point: PicturePoint?
  /// What is known of its source.
  package var source = SourceJudgement()
}

/// How a live source behaves, as far as balls depend on it.
package struct SourceJudgement: Hashable, Sendable {
  package static let sound = SourceJudgement()

  /// How it repeats itself.
  package var repetition = Repetition.none
  /// Why its positions can't be metres of this court.
  package var misfit: FrameMisfit?

  package init(repetition: Repetition = .none, misfit: FrameMisfit? = nil) {
    self.repetition = repetition
    self.misfit = misfit
  }
}

/// How the timestamps of positions are used.
package enum PositionTimes: Hashable, Sendable {
  /// The time of arrival counts. A source's timestamp may be any number, or a date.
  case ofArrival
  /// The timestamps pace a recorded track. Nil: they are in seconds, dates, or as a column's name says.
  case recorded(TrackTime? = nil)
}

/// What the timestamps of a recorded track count.
package enum TrackTime: Hashable, Sendable {
  case seconds
  case milliseconds
  /// Pictures of a film with so many a second.
  case frames(rate: Double)

  package static let rates = 1.0...1000.0

  /// `seconds`, `ms`, or `frames@30` for a film of 30 pictures a second, 1 to 1000.
  package init?(text: some StringProtocol) {
    switch text {
    case "seconds": self = .seconds
    case "ms": self = .milliseconds
    default:
      let prefix = "frames@"
      guard text.hasPrefix(prefix), let rate = Double(decimal: text.dropFirst(prefix.count)),
        Self.rates.contains(rate)
      else { return nil }
      self = .frames(rate: rate)
    }
  }

  package var text: String {
    switch self {
    case .seconds: "seconds"
    case .milliseconds: "ms"
    case .frames(let rate): "frames@\(rate == rate.rounded() ? "\(Int(rate))" : "\(rate)")"
    }
  }

  /// In seconds.
  func seconds(_ number: Double) -> Double {
    switch self {
    case .seconds: number
    case .milliseconds: number / 1000
    case .frames(let rate): number / rate
    }
  }
}
