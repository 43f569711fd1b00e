import Fleet
import Host

/// What happens between the court and the broker, in the journal, each thing once.
final class FleetLog: Sendable {
  private struct State: Sendable {
    var failure: MQTTFailure?
    var owner: String?
    var forbidden: Set<String> = []
    var lackOfPicture: String?
  }

  private let journal: JournalLog
  private let notifier: ServiceNotifier
  private let court: String
  private let place: String
  private let state = Locked(State())

  init(_ journal: JournalLog, _ notifier: ServiceNotifier, court: String, broker: BrokerSettings) {
    self.journal = journal
    self.notifier = notifier
    self.court = court
    place = broker.location
  }

  func write(_ news: CourtPublisher.News) {
    switch news {
    case .connected:
      state.withLock { ($0.failure, $0.owner) = (nil, nil) }
      say("connected to the broker at \(place)", .information)
    case .failed(let failure):
      // It tries again and again.
      let isNew = state.withLock { state in
        defer { (state.failure, state.owner) = (failure, nil) }
        return state.failure != failure
      }
      if isNew { say("the broker at \(place): \(failure)", .warning) }
    case .taken(let box):
      let isNew = state.withLock { state in
        defer { state.owner = box }
        return state.owner != box
      }
      guard isNew else { return }
      say(
        "\(court) is another box's, \(box.excerpt), and nothing is published: give this one another "
          + "fleet.court, or end the other one and run `ballmachine mqtt --forget'",
        .error
      )
    case .waiting(let time):
      state.withLock { ($0.failure, $0.owner) = (nil, nil) }
      say(
        "connected to the broker at \(place), which does not know whose \(court) is: nothing is published "
          + "for \(time.components.seconds) s, in which the box that had it can come back",
        .warning
      )
    case .forbidden(let topic, let reason):
      guard state.withLock({ $0.forbidden.insert(topic).inserted }) else { return }
      say("the broker forbids \(topic) to this box: \(reason)", .warning)
    case .ignored(let reason, let count):
      // A flood is not written down.
      guard count & (count - 1) == 0 else { return }
      say("a stop was ignored, number \(count): \(reason)", .warning)
    case .picture(let reason):
      let isNew = state.withLock { state in
        defer { state.lackOfPicture = reason }
        return state.lackOfPicture != reason
      }
      if isNew, let reason { journal.write("there is no picture: \(reason)", .warning) }
    }
  }

  /// The last runs have ended without a word.
  func wait(_ time: Duration, after unfinished: Int) {
    say(
      "the last \(unfinished) runs were ended by an abort, a kill or a power failure: the court is put on"
        + " the broker in \(time.components.seconds) s, and can't be stopped over it until then",
      .warning
    )
  }

  private func say(_ text: String, _ priority: JournalPriority) {
    journal.write(text, priority)
    notifier.status(text)
  }
}
