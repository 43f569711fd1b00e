import Fleet
import Host

/// What happens between the court and the broker, in the journal, each thing once.
final class FleetLog: Sendable {
  private struct State: Sendable {
    var failure: MQTTFailure?
    /// The box that has the court; empty: one whose claim can't be read.
    var owner: String?
    var forbidden: Set<String> = []
    var lackOfPicture: String?
    /// What was said of the broker and of messages.
    var said: Set<String> = []
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
      let isNew = changes(\.failure, to: failure)
      state.withLock { $0.owner = nil }
      if isNew { say("the broker at \(place): \(failure)", .warning) }
    case .taken(let box):
      guard changes(\.owner, to: box) else { return }
      say(
        "\(court) is another box's, \(box.excerpt), and nothing is published: give this one another "
          + "fleet.court, or end the other one and run `ballmachine mqtt --forget'",
        .error
      )
    case .unreadable(let bytes, isMended: true):
      sayOnce(
        "the broker had a message `box' of \(court) that can't be read: this box replaces it",
        "; it has \(bytes) bytes"
      )
    case .unreadable(let bytes, isMended: false):
      guard changes(\.owner, to: "") else { return }
      say(
        "whose \(court) is can't be read: the broker keeps a message `box' of \(bytes) bytes that says "
          + "nothing, and nothing is published. A box that has this court mends that by itself; if none "
          + "has, run `ballmachine mqtt --forget', and this one takes it",
        .error
      )
    case .lacking(let lack): sayOnce("\(lack)")
    case .tooLong(let topic, let bytes, let longest, let isCut):
      let words = "the broker takes packets of \(longest) bytes"
      sayOnce("\(topic) is \(isCut ? "cut" : "not sent"): \(words)", "; it has \(bytes)")
    case .waiting(let time):
      state.withLock { ($0.failure, $0.owner) = (nil, nil) }
      say(
        "connected to the broker at \(place), which does not know whose \(court) is: nothing is published "
          + "for \(time.components.seconds) s, in which the box that had it can come back; if it never does, "
          + "`ballmachine mqtt --forget' gives this one the court at once",
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
      if changes(\.lackOfPicture, to: reason), let reason {
        journal.write("there is no picture: \(reason)", .warning)
      }
    }
  }

  /// Remembers what is to be said, and whether it differs from what was said last.
  private func changes<Value: Equatable>(
    _ part: WritableKeyPath<State, Value>,
    to value: Value
  ) -> Bool {
    state.withLock { state in
      defer { state[keyPath: part] = value }
      return state[keyPath: part] != value
    }
  }

  /// - Parameter rest: what may differ from time to time.
  private func sayOnce(_ text: String, _ rest: String = "") {
    guard state.withLock({ $0.said.insert(text).inserted }) else { return }
    journal.write(text + rest, .warning)
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
